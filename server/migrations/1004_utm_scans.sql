-- The last check of a profile's ad tags: what was found, as it is answered.
create table utm_scans (
  profile_id uuid primary key,
  scanned_at timestamptz not null,
  result jsonb not null
);
