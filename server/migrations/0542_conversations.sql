-- Conversations with people who wrote to the business: who (by identifier), through which account, and by which ad.
alter table conversations add column connection_id uuid;

alter table conversations add column account_id text;

alter table conversations add column identifier_id uuid;

alter table conversations add column started_event_id uuid;

alter table conversations add column first_message_id uuid;

alter table conversations add column referral jsonb;

alter table conversations add column messages bigint not null default 0;

alter table conversations add column last_message_at timestamptz;

create index conversations_latest on conversations (profile_id, last_message_at, id);

create index conversations_started on conversations (profile_id, started_event_id);

-- A message's words are not kept: when it came, and by which ad.
create table conversation_messages (
  profile_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  occurred_at timestamptz not null,
  kind text not null,
  ad_id text,
  primary key (profile_id, conversation_id, id)
);

create table chat_accounts (
  profile_id uuid not null,
  account_id text not null,
  connection_id uuid not null,
  name text not null,
  synced_at timestamptz not null,
  primary key (profile_id, account_id)
);

create table chat_templates (
  profile_id uuid not null,
  account_id text not null,
  template_id text not null,
  name text not null,
  language text not null,
  status text,
  category text,
  updated_at timestamptz not null,
  primary key (profile_id, account_id, template_id)
);
