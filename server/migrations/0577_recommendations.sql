-- What an advertiser might do next, why, what it should bring, and what became of it.
create table recommendations (
  profile_id uuid not null,
  id uuid not null,
  kind text not null,
  subject_id uuid not null,
  subject jsonb not null,
  evidence jsonb not null,
  action jsonb not null,
  expected_effect jsonb,
  confidence double precision not null,
  status text not null check (status in ('open', 'applied', 'undone', 'dismissed', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Set while the platform is asked, so that two people do not apply the same one.
  claimed_at timestamptz,
  applied_at timestamptz,
  closed_at timestamptz,
  prediction jsonb,
  updated_at timestamptz not null,
  primary key (profile_id, id)
);

create index recommendations_by_status on recommendations (profile_id, status, created_at);

-- The settings of campaigns as they were last seen, to know since when nothing has changed.
create table campaign_settings_seen (
  profile_id uuid not null,
  entity_id uuid not null,
  status text,
  daily_budget_minor bigint,
  lifetime_budget_minor bigint,
  since timestamptz not null,
  primary key (profile_id, entity_id)
);
