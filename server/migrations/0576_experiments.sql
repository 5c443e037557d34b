-- Studies and experiments as the ad platforms tell of them; our own reading is made when it is asked for.
create table experiments (
  profile_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  provider text not null,
  external_id text not null,
  kind text not null check (kind in ('lift', 'split', 'geo')),
  name text not null,
  starts_at timestamptz,
  ends_at timestamptz,
  observation_ends_at timestamptz,
  canceled_at timestamptz,
  cells jsonb not null,
  platform_reading jsonb,
  updated_at timestamptz not null,
  primary key (profile_id, id)
);
