-- What earlier daily runs of the data-driven model computed, for reports as they were.
create table data_driven_history (
  profile_id uuid not null,
  computed_at timestamptz not null,
  version integer not null,
  learned_from date not null,
  learned_to date not null,
  paths_hash text not null,
  result jsonb not null,
  primary key (profile_id, computed_at)
);
