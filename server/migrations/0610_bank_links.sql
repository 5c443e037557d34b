-- For which profile a hosted bank link was started: its webhook names nothing but the link's token, kept here as a hash.
-- Whoever exchanges the link's public token, which can be used once, claims the row first.
create table bank_links (
  token_hash bytea primary key,
  profile_id uuid not null,
  apps jsonb not null,
  started_at timestamptz not null,
  claim_id uuid,
  claimed_until timestamptz,
  finished_at timestamptz,
  connection_id uuid,
  refusal text
);
create index bank_links_started on bank_links (started_at);
