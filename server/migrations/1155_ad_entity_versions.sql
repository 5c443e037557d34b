-- What reports show of an ad entity before a change replaced it, for reports as they were. Of two changes in one instant
-- the first counts.
create table ad_entity_versions (
  profile_id uuid not null,
  entity_id uuid not null,
  replaced_at timestamptz not null,
  source text,
  connection_id uuid,
  name text,
  status text,
  objective text,
  daily_budget_minor bigint,
  currency text,
  campaign_id uuid,
  ad_set_id uuid,
  primary key (profile_id, entity_id, replaced_at)
);
