-- Calendars of connected calendar accounts, as the last sync listed them.
create table calendars (
  profile_id uuid not null,
  connection_id uuid not null,
  -- The platform's id.
  external_id text not null,
  name text not null,
  timezone text,
  is_primary boolean not null,
  -- Created here, by POST /calendars: only these are shared.
  is_managed boolean not null default false,
  -- Reads what changed since the last sync; null before the first, and after it expired.
  sync_token text,
  -- When the calendar was last read from the beginning.
  whole_read_at timestamptz,
  -- When it was last read to its end.
  read_at timestamptz,
  created_at timestamptz not null,
  primary key (profile_id, connection_id, external_id)
);
