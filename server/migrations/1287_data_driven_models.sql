-- The data-driven model of each profile as its last daily run computed it: whether it is shown, and credit by channel.
-- `paths` are the visits it learned from, summed by channels met; `paths_hash` is of all of them.
create table data_driven_models (
  profile_id uuid primary key,
  computed_at timestamptz not null,
  version integer not null,
  learned_from date not null,
  learned_to date not null,
  paths_hash text not null,
  paths jsonb not null,
  result jsonb not null
);
