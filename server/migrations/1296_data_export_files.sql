-- Every file at a destination, from before it is written until it is removed, so that none is forgotten in a crash.
create table data_export_files (
  profile_id uuid not null,
  destination_id uuid not null,
  path text not null,
  -- writing: in no manifest that is known to be stored. replaced: in none since `replaced_at`.
  state text not null check (state in ('writing', 'current', 'replaced')),
  table_name text not null,
  -- Null for tables without days.
  day date,
  -- Of the partition's rows: equal means unchanged.
  fingerprint text not null,
  rows bigint not null,
  bytes bigint not null,
  sha256 text not null,
  sums jsonb not null,
  created_at timestamptz not null,
  replaced_at timestamptz,
  primary key (profile_id, destination_id, path)
);
create index data_export_files_by_state on data_export_files (profile_id, destination_id, state);
