-- The last result of each data-health check of a profile, written by the daily job.
create table doctor_checks (
  profile_id uuid not null,
  check_id text not null,
  status text not null check (status in ('ok', 'warning', 'problem', 'not_applicable')),
  affected bigint not null,
  -- In the report currency; null where no amount can be given.
  value_minor bigint,
  -- The first day on which it was seen, in the profile's time zone.
  since date,
  examples jsonb not null,
  checked_at timestamptz not null,
  -- When the finding was opened; null while there is none.
  opened_at timestamptz,
  primary key (profile_id, check_id)
);
