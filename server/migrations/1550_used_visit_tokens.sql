-- Tokens that continue a visit on another domain work once. Rows are needed until the token expires, two minutes.
create table used_visit_tokens (
  profile_id uuid not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  primary key (profile_id, token_hash)
);
