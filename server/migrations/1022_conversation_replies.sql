-- What the business sent: when, of which kind and what became of it. Its text is not stored.
create table conversation_replies (
  profile_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  connection_id uuid not null,
  kind text not null check (kind in ('text', 'template', 'media')),
  template_name text,
  template_language text,
  human_agent boolean not null,
  -- `sending` is written before the platform is called; after a crash it remains, and means `unknown`.
  status text not null check (status in ('sending', 'sent', 'delivered', 'failed', 'unknown')),
  reason text,
  -- Derived from the platform's id of the message, which may contain the person's number.
  provider_key uuid,
  -- Derived from the caller and its Idempotency-Key; the body is known by a keyed hash.
  request_key uuid,
  request_hash text,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (profile_id, id)
);

create index conversation_replies_of on conversation_replies (profile_id, conversation_id, created_at);

create index conversation_replies_provider on conversation_replies (profile_id, provider_key);

create index conversation_replies_request on conversation_replies (profile_id, request_key);
