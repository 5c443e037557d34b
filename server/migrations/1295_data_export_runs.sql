-- One writing of a profile's tables to a destination.
create table data_export_runs (
  profile_id uuid not null,
  id uuid not null,
  destination_id uuid not null,
  -- Every file is written again, whether its rows changed or not.
  is_full boolean not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  -- Rows, bytes and days of each table that was written.
  tables jsonb not null,
  -- Erasures since the run before: files that it replaces are removed at once.
  erasures integer not null default 0,
  error text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (profile_id, id)
);
create unique index data_export_runs_open on data_export_runs (profile_id, destination_id)
  where status in ('queued', 'running');
create index data_export_runs_by_time on data_export_runs (profile_id, destination_id, created_at);
