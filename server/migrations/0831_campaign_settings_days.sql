-- Status and daily budget of each campaign by local day, as the platform last listed them: pacing compares a day's spend
-- with the budgets of the campaigns that ran on that day.
create table campaign_settings_days (
  profile_id uuid not null,
  entity_id uuid not null,
  day date not null,
  status text,
  daily_budget_minor bigint,
  currency text,
  primary key (profile_id, entity_id, day)
);
