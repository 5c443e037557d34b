-- When a profile's report is made and who receives it.
create table report_schedules (
  profile_id uuid primary key,
  enabled boolean not null,
  cadence text not null check (cadence in ('weekly', 'monthly')),
  -- 1 is Monday.
  weekday smallint not null check (weekday between 1 and 7),
  -- The last day of a shorter month.
  day smallint not null check (day between 1 and 31),
  time text not null,
  -- Null: the profile's own.
  timezone text,
  recipients text[] not null,
  format text not null check (format in ('pdf', 'html', 'csv')),
  language text not null check (language in ('en', 'es')),
  model text not null,
  approval boolean not null,
  next_run_at timestamptz,
  updated_at timestamptz not null
);
create index report_schedules_due on report_schedules (next_run_at) where enabled;
