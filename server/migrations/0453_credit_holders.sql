-- Credit by who holds it. Level ad: the platform of a paid click that named no ad. Level campaign: the ad set or ad that
-- stands in no campaign. The previous release goes on with unassigned_daily, which this one does not use.
create table held_daily (
  profile_id uuid not null,
  level text not null,
  holder text not null,
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
  linear_share_high bigint not null,
  linear_share_low bigint not null,
  time_decay_share_high bigint not null,
  time_decay_share_low bigint not null,
  primary key (profile_id, level, day, holder, outcome_type, revenue_type)
);
