-- Erased people who are still on a list at a platform: what they are matched by, sealed, until the platform has taken
-- them off or cannot be reached any more.
create table audience_removals (
  profile_id uuid not null,
  id uuid not null,
  list_id uuid not null,
  -- Sealed.
  members bytea not null,
  attempts integer not null,
  created_at timestamptz not null,
  primary key (profile_id, id)
);
