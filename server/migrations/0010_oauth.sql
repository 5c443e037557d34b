-- Clients that registered themselves (MCP); partner apps live in `apps`, metadata documents are not stored.
create table oauth_clients (
  id uuid primary key,
  client_id text not null unique,
  name text not null,
  redirect_uris text[] not null,
  created_at timestamptz not null
);

-- For the daily removal of what lapsed.
create index credentials_expiry on credentials (expires_at) where expires_at is not null;
