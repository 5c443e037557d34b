-- The same sums over 5 and 25 aligned days: any range is a few spans and a few days.
create table credit_spans (
  profile_id uuid not null,
  level text not null,
  span smallint not null,
  start date not null,
  entity_id uuid not null,
  outcome_type text not null,
  revenue_type text not null,
  last_touch_count bigint not null,
  first_touch_count bigint not null,
  linear_count bigint not null,
  time_decay_count bigint not null,
  last_non_direct_count bigint not null,
  last_touch_minor bigint not null,
  first_touch_minor bigint not null,
  linear_minor bigint not null,
  time_decay_minor bigint not null,
  last_non_direct_minor bigint not null,
  primary key (profile_id, level, span, start, entity_id, outcome_type, revenue_type)
);

create table delivery_spans (
  profile_id uuid not null,
  level text not null,
  span smallint not null,
  start date not null,
  entity_id uuid not null,
  source text not null,
  spend_minor bigint not null,
  impressions bigint,
  clicks bigint,
  reach bigint,
  platform_conversions_milli bigint,
  platform_value_minor bigint,
  messaging_started_7d bigint,
  fx_missing bigint not null,
  primary key (profile_id, level, span, start, entity_id, source)
);

-- The platform of a paid click that named no ad, so that its credit can be told apart.
alter table ad_paths add column platform text;

create table unassigned_daily (
  profile_id uuid not null,
  level text not null,
  platform text not null,
  day date not null,
  outcome_type text not null,
  revenue_type text not null,
  last_touch_count bigint not null,
  first_touch_count bigint not null,
  linear_count bigint not null,
  time_decay_count bigint not null,
  last_non_direct_count bigint not null,
  last_touch_minor bigint not null,
  first_touch_minor bigint not null,
  linear_minor bigint not null,
  time_decay_minor bigint not null,
  last_non_direct_minor bigint not null,
  primary key (profile_id, level, day, platform, outcome_type, revenue_type)
);

-- Paid clicks by whether they named their ad.
create table paid_touch_daily (
  profile_id uuid not null,
  day date not null,
  platform text not null,
  named_ad boolean not null,
  touches bigint not null,
  primary key (profile_id, day, platform, named_ad)
);
