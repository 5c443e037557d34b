-- Codes in prefilled chat messages: they join a visit, or a click on a short link, with the conversation that it starts.
create table chat_codes (
  profile_id uuid not null,
  -- SHA-256 of the code.
  code_hash bytea not null,
  -- The visitor; null for the code of a short link.
  visitor_identifier_id uuid,
  -- The tracker's event with the code.
  event_id uuid,
  short_link_id uuid,
  created_at timestamptz not null,
  used_at timestamptz,
  conversation_id uuid,
  -- Later conversations with the same code, such as a forwarded message; they get nothing from it.
  repeats integer not null default 0,
  primary key (profile_id, code_hash)
);

create index chat_codes_visitor on chat_codes (profile_id, visitor_identifier_id) where visitor_identifier_id is not null;
create index chat_codes_conversation on chat_codes (profile_id, conversation_id) where conversation_id is not null;
create index chat_codes_created on chat_codes (profile_id, created_at);

-- Redirects look up whose domain a host is.
create index tracking_domains_domain on tracking_domains (domain);
