-- Sources that a profile counts to another channel than the list of sites does; the first that fits decides.
create table channel_overrides (
  profile_id uuid not null,
  position integer not null,
  kind text not null,
  value text not null,
  channel text not null,
  updated_at timestamptz not null,
  primary key (profile_id, position)
);
