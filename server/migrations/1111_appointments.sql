-- Who is invited to which event of a calendar, and which appointments the CRM has. People by their keyed identifiers only.
create table appointments (
  profile_id uuid not null,
  connection_id uuid not null,
  -- Event of a calendar, or appointment of the CRM.
  external_id text not null,
  identifier_id uuid not null,
  -- Null where the CRM reports it.
  calendar_id text,
  provider text not null,
  booked_at timestamptz not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  state text not null check (state in ('open', 'accepted', 'cancelled')),
  cancelled_at timestamptz,
  -- Outcomes that are counted now.
  reported text[] not null default '{}',
  seen_at timestamptz not null,
  -- When the outcomes are to be compared with it again; null for those of the CRM.
  check_at timestamptz,
  primary key (profile_id, connection_id, external_id, identifier_id)
);
create index appointments_start on appointments (profile_id, starts_at);
create index appointments_person on appointments (profile_id, identifier_id);
create index appointments_due on appointments (check_at) where check_at is not null;
