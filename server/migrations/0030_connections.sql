-- Links a person follows once, the connections that come of them, and what providers send.

-- Local: looked up by its own id before any profile is known. The link's token is derived, never stored.
create table handoffs (
  id uuid primary key,
  kind text not null check (kind in ('connect', 'checkout')),
  workspace_id uuid not null,
  profile_id uuid,
  provider text,
  shop text,
  governing_app_id uuid,
  minted_app_id uuid,
  minted_authorization_id uuid,
  return_url text,
  detail jsonb,
  status text not null check (status in ('pending', 'completed', 'failed', 'cancelled')),
  result jsonb,
  claim_id uuid,
  claim_attempts text[] not null default '{}',
  claim_until timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz
);

create index handoffs_profile on handoffs (profile_id);

create table connections (
  profile_id uuid not null,
  id uuid not null,
  provider text not null,
  external_id text not null,
  display_name text not null,
  provider_subtype text,
  currency text,
  timezone text,
  status text not null check (status in ('connected', 'needs_action', 'reconnect_required', 'revoked', 'error')),
  status_reason text,
  token bytea,
  token_expires_at timestamptz,
  token_version integer not null,
  refresh_lease_id uuid,
  refresh_lease_until timestamptz,
  scopes text[] not null,
  authorized_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (profile_id, id),
  unique (profile_id, provider, external_id)
);

-- Which profile holds an account. The key names the workspace where one account may have one profile only.
create table connection_accounts (
  claim_key text primary key,
  workspace_id uuid not null,
  provider text not null,
  external_id text not null,
  profile_id uuid not null,
  connection_id uuid not null,
  created_at timestamptz not null
);

create index connection_accounts_external on connection_accounts (provider, external_id);

create index connection_accounts_profile on connection_accounts (profile_id);

-- The apps that may see a connection.
create table connection_grants (
  profile_id uuid not null,
  connection_id uuid not null,
  app_id uuid not null,
  authorization_id uuid,
  granted_at timestamptz not null,
  revoked_at timestamptz,
  primary key (profile_id, connection_id, app_id)
);

-- Written at each page of a sync, so it stays out of the connection's row.
create table connection_syncs (
  profile_id uuid not null,
  connection_id uuid not null,
  state text not null check (state in ('idle', 'queued', 'running', 'failed')),
  since_day date,
  until_day date,
  cursor text,
  pages integer not null,
  progress_done bigint,
  progress_total bigint,
  progress_unit text,
  last_success_at timestamptz,
  last_attempt_at timestamptz,
  last_error text,
  next_run_at timestamptz,
  updated_at timestamptz not null,
  primary key (profile_id, connection_id)
);

-- A consent that exposed several accounts, parked until one is chosen.
create table pending_selections (
  profile_id uuid not null,
  id uuid not null,
  provider text not null,
  token bytea,
  candidates jsonb not null,
  expires_at timestamptz not null,
  candidate_id text,
  connection_id uuid,
  finalized_at timestamptz,
  created_at timestamptz not null,
  primary key (profile_id, id)
);

create table stage_mappings (
  profile_id uuid not null,
  connection_id uuid not null,
  stage_id text not null,
  outcome_type text,
  updated_at timestamptz not null,
  primary key (profile_id, connection_id, stage_id)
);

create table connection_pages (
  profile_id uuid not null,
  connection_id uuid not null,
  page_id text not null,
  name text not null,
  category text,
  created_at timestamptz not null,
  primary key (profile_id, connection_id, page_id)
);

-- A store that posts its webhooks to us without an app of ours installed.
create table manual_stores (
  profile_id uuid not null,
  id uuid not null,
  shop text not null,
  signing_id bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (profile_id, id),
  unique (profile_id, shop)
);

-- Local: raw bytes of what providers sent, kept before anything is made of them.
create table provider_webhooks (
  id uuid primary key,
  provider text not null,
  digest bytea not null,
  profile_id uuid,
  connection_id uuid,
  headers jsonb not null,
  query jsonb not null,
  body bytea not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  unique (provider, digest)
);

create index provider_webhooks_received on provider_webhooks (received_at);

create table search_queries (
  profile_id uuid not null,
  connection_id uuid not null,
  day date not null,
  query text not null,
  page text not null,
  clicks bigint not null,
  impressions bigint not null,
  position_milli bigint,
  primary key (profile_id, connection_id, day, query, page)
);

-- People as a CRM knows them; erased with the person.
create table provider_contacts (
  profile_id uuid not null,
  connection_id uuid not null,
  external_id text not null,
  person jsonb not null,
  updated_at timestamptz not null,
  primary key (profile_id, connection_id, external_id)
);

create table provider_leads (
  profile_id uuid not null,
  leadgen_id text not null,
  connection_id uuid not null,
  page_id text not null,
  form_id text,
  ad_id text,
  campaign_id text,
  field_data jsonb not null,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (profile_id, leadgen_id)
);
