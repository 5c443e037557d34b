-- A profile's keys beside its data, on a distributed database only: the keys themselves lie on the coordinator.
create table key_copies (
  profile_id uuid not null,
  id uuid not null,
  kind text not null,
  lookup_hash bytea not null,
  workspace_id uuid,
  user_id uuid,
  app_id uuid,
  authorization_id uuid,
  grant_name text,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (profile_id, id)
);
create index key_copies_hash on key_copies (profile_id, lookup_hash);
