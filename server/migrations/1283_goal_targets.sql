-- What a goal should reach in a week or month of the profile's time zone.
create table goal_targets (
  profile_id uuid not null,
  goal_id uuid not null,
  metric text not null check (metric in ('count', 'value', 'cac', 'roas')),
  period text not null check (period in ('week', 'month')),
  -- A count, minor units, or thousandths of a ROAS.
  target bigint not null check (target > 0),
  updated_at timestamptz not null,
  primary key (profile_id, goal_id)
);
