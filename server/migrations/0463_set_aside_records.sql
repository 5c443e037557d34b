-- What a provider sent and could not be read, so that the rest of its page could be kept. No content: a record may name
-- a person, and is read again from the provider by its id.
create table set_aside_records (
  profile_id uuid not null,
  connection_id uuid not null,
  kind text not null,
  external_id text not null,
  reason text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (profile_id, connection_id, kind, external_id)
);
