-- Mail that was sent from a connected mailbox: when, to how many and what became of it. No address, subject or text.
create table mail_messages (
  profile_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  recipients integer not null,
  -- `sending` is written before the vendor is called; after a crash it remains, and means `unknown`.
  status text not null check (status in ('sending', 'sent', 'failed', 'unknown')),
  reason text,
  -- Derived from the caller and its Idempotency-Key; the body is known by a keyed hash.
  request_key uuid,
  request_hash text not null,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (profile_id, id)
);

create index mail_messages_request on mail_messages (profile_id, request_key);
