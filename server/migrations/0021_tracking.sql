create table tracking_settings (
  profile_id uuid primary key,
  session_minutes integer not null,
  consent_mode text not null check (consent_mode in ('granted', 'pending', 'denied')),
  forms text not null check (forms in ('auto', 'marked', 'off')),
  spa text not null check (spa in ('on', 'hash', 'off')),
  allowed_domains text[] not null,
  filter_bots boolean not null,
  enrich_country boolean not null,
  updated_at timestamptz not null
);

create table tracking_domains (
  profile_id uuid not null,
  id uuid not null,
  domain text not null,
  status text not null check (status in ('pending', 'verified', 'failed')),
  detail text,
  created_at timestamptz not null,
  checked_at timestamptz,
  primary key (profile_id, id),
  unique (profile_id, domain)
);

create table tracking_verifications (
  profile_id uuid not null,
  id uuid not null,
  token text not null,
  url text not null,
  status text not null check (status in ('waiting', 'seen')),
  seen_url text,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  seen_at timestamptz,
  primary key (profile_id, id)
);
