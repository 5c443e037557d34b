-- A person's second factors. Without confirmed_at: an enrolment in progress.
create table user_factors (
  id uuid primary key,
  user_id uuid not null,
  kind text not null check (kind in ('totp', 'passkey')),
  name text not null,
  secret bytea,
  -- The newest time step whose code was used: each works once.
  last_step bigint not null default 0,
  credential_id text unique,
  public_key text,
  sign_count bigint not null default 0,
  transports text[] not null default '{}',
  challenge text,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_used_at timestamptz,
  check (kind <> 'totp' or secret is not null),
  check (kind <> 'passkey' or confirmed_at is null or (credential_id is not null and public_key is not null))
);

create index user_factors_user on user_factors (user_id);

create unique index user_factors_one_app on user_factors (user_id) where kind = 'totp' and confirmed_at is not null;

create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- A sign-in that waits for its second factor, or a passkey prompt. Works once, for a few minutes.
create table sign_in_challenges (
  id uuid primary key,
  -- Null: a sign-in with a passkey alone; the assertion names the person.
  user_id uuid,
  purpose text not null check (purpose in ('second_factor', 'passkey', 'reauthenticate')),
  token_hash bytea not null unique,
  -- Of the cookie of the browser that began; null for clients without cookies.
  browser_hash bytea,
  passkey_challenge text not null,
  methods text[] not null default '{}',
  sso_workspace_id uuid,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index sign_in_challenges_expiry on sign_in_challenges (expires_at);

create index sign_in_challenges_user on sign_in_challenges (user_id);

-- How a session was opened. Sessions that an older process opened have no row.
create table session_details (
  credential_id uuid primary key,
  user_id uuid not null,
  methods text[] not null,
  second_factor boolean not null,
  -- When the person last proved who they are with the strongest means of the account; null: a remembered device did.
  proved_at timestamptz,
  sso_workspace_id uuid,
  user_agent text not null,
  address text not null,
  created_at timestamptz not null
);

create index session_details_user on session_details (user_id);

create table remembered_devices (
  id uuid primary key,
  user_id uuid not null,
  token_hash bytea not null unique,
  user_agent text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index remembered_devices_user on remembered_devices (user_id);

-- From this time, members need a second factor to open the workspace.
alter table workspaces add column second_factor_from timestamptz;
