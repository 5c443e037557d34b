-- Pages of live figures for clients. The link consists of the ids and a signature, so no token is stored.
create table live_links (
  profile_id uuid not null,
  id uuid not null,
  name text not null,
  reports text[] not null,
  period text not null,
  model text not null,
  language text not null,
  created_by uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  password_hash text,
  views bigint not null default 0,
  last_viewed_at timestamptz,
  primary key (profile_id, id)
);
