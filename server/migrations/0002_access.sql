-- People, workspaces, profiles, and every credential that reaches them.

create table users (
  id uuid primary key,
  email text not null,
  email_lower text not null unique,
  name text not null,
  password_hash text,
  created_at timestamptz not null
);

create table workspaces (
  id uuid primary key,
  name text not null,
  timezone text not null,
  plan text not null check (plan in ('starter', 'growth', 'agency')),
  healthcare boolean not null default false,
  acquisition_source text not null check (acquisition_source in ('direct', 'oauth', 'store')),
  provisioned_by_app_id uuid,
  created_by_user_id uuid,
  reporting_currency text,
  created_at timestamptz not null,
  archived_at timestamptz,
  -- Memberships go with the archive, so who owned it is kept for the repeated call.
  archived_owner_ids uuid[]
);

create index workspaces_creator on workspaces (created_by_user_id, created_at);

create table workspace_members (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  created_at timestamptz not null,
  primary key (workspace_id, user_id)
);

create index workspace_members_user on workspace_members (user_id);

create table workspace_subscriptions (
  workspace_id uuid primary key references workspaces (id),
  plan text not null,
  status text not null check (status in ('trialing', 'active', 'past_due', 'canceled')),
  trial_ends_at timestamptz,
  current_period_start timestamptz not null,
  current_period_end timestamptz,
  updated_at timestamptz not null
);

create table workspace_branding (
  workspace_id uuid primary key references workspaces (id),
  display_name text,
  primary_color text,
  accent_color text,
  support_email text,
  website_url text,
  logo bytea,
  logo_type text,
  logo_etag text,
  updated_at timestamptz not null
);

create table apps (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  client_id text not null unique,
  name text not null,
  logo_url text,
  redirect_uris text[] not null,
  allowed_return_origins text[] not null,
  allowed_scopes text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index apps_workspace on apps (workspace_id);

create table app_dpa_acceptances (
  app_id uuid not null references apps (id),
  workspace_id uuid not null references workspaces (id),
  version text not null,
  accepted_by_user_id uuid not null,
  accepted_at timestamptz not null,
  withdrawn_at timestamptz,
  primary key (app_id, workspace_id)
);

create table profiles (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  name text not null,
  timezone text not null,
  currency text not null,
  privacy_mode text not null default 'standard' check (privacy_mode in ('standard', 'platform_safe', 'hipaa')),
  provisioned_by_app_id uuid,
  is_demo boolean not null default false,
  created_at timestamptz not null,
  archived_at timestamptz
);

create index profiles_workspace on profiles (workspace_id);

create table profile_members (
  id uuid primary key,
  profile_id uuid not null references profiles (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('editor', 'viewer')),
  permissions text[] not null default '{}',
  created_at timestamptz not null,
  unique (profile_id, user_id)
);

create index profile_members_user on profile_members (user_id);

create table profile_entitlements (
  profile_id uuid not null references profiles (id),
  feature text not null,
  enabled boolean not null,
  updated_at timestamptz not null,
  primary key (profile_id, feature)
);

-- A person's consent that an app reaches a profile; every key it minted names it.
create table app_authorizations (
  id uuid primary key,
  app_id uuid not null references apps (id),
  profile_id uuid not null references profiles (id),
  user_id uuid,
  grant_name text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

create index app_authorizations_profile on app_authorizations (profile_id);

create index app_authorizations_app on app_authorizations (app_id);

-- Every secret a caller presents, as an HMAC; the plain text is shown once and never kept.
create table credentials (
  id uuid primary key,
  kind text not null check (kind in ('api_key', 'user_token', 'session', 'tracking_key', 'app_secret', 'oauth_code', 'oauth_access', 'oauth_refresh')),
  lookup_hash bytea not null unique,
  hint text not null,
  name text,
  profile_id uuid,
  workspace_id uuid,
  user_id uuid,
  app_id uuid,
  authorization_id uuid,
  grant_name text,
  scopes text[] not null default '{}',
  detail jsonb,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);

create index credentials_profile on credentials (profile_id);

create index credentials_user on credentials (user_id);

create index credentials_app on credentials (app_id);

create index credentials_authorization on credentials (authorization_id);

-- When a session was last used; a hot column stays out of the reference table.
create table session_activity (
  credential_id uuid primary key,
  last_used_at timestamptz not null
);

create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  profile_id uuid references profiles (id),
  email text not null,
  email_lower text not null,
  role text not null,
  permissions text[] not null default '{}',
  token_hash bytea not null unique,
  invited_by_user_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz
);

create index invitations_workspace on invitations (workspace_id);

-- Local: no foreign keys.
create table audit_log (
  id uuid primary key,
  workspace_id uuid not null,
  profile_id uuid,
  actor_kind text not null,
  actor_id uuid,
  action text not null,
  subject text,
  detail jsonb not null,
  request_id text,
  occurred_at timestamptz not null
);

create index audit_log_workspace on audit_log (workspace_id, id desc);

create table pii_access_log (
  profile_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  actor_kind text not null,
  actor_id uuid,
  route text not null,
  customer_ids uuid[] not null,
  row_count integer not null,
  request_id text,
  occurred_at timestamptz not null,
  primary key (profile_id, id)
);

create table idempotency_keys (
  scope text not null,
  method text not null,
  path text not null,
  key text not null,
  fingerprint bytea not null,
  status integer not null,
  body bytea,
  sealed boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (scope, method, path, key)
);

create index idempotency_keys_expiry on idempotency_keys (expires_at);

-- Unlogged: a lost bucket refills, and its commits wait for no disk.
create unlogged table rate_buckets (
  key text primary key,
  full_at_ms bigint not null
);

create table api_usage (
  credential_id uuid not null,
  day date not null,
  route text not null,
  requests bigint not null,
  errors bigint not null,
  primary key (credential_id, day, route)
);
