-- How far a profile's raw events were looked at for their age, and how many were dropped.
create table raw_event_walks (
  profile_id uuid primary key,
  started_at timestamptz not null,
  place_at timestamptz,
  place_id uuid,
  dropped bigint not null
);

-- Months of raw events that were written anew without those that were dropped.
create table compacted_event_months (
  month date primary key,
  compacted_at timestamptz not null
);
