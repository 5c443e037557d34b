-- Who receives a profile's briefs: a member by mail, or a chat channel through a webhook.
create table brief_receivers (
  profile_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('mail', 'slack', 'teams')),
  -- Of a mail: the member.
  user_id uuid,
  -- Of a webhook: what people call the channel, its host, and the sealed address.
  name text,
  host text,
  url bytea,
  cadence text not null check (cadence in ('daily', 'weekly', 'never')),
  -- Of weekly briefs; 1 is Monday.
  weekday smallint not null check (weekday between 1 and 7),
  time text not null,
  language text not null check (language in ('en', 'es')),
  next_run_at timestamptz,
  last_sent_at timestamptz,
  -- Why the last message was not delivered; null after one that was.
  last_error text,
  created_by uuid not null,
  created_at timestamptz not null,
  primary key (profile_id, id)
);
create unique index brief_receivers_of_member on brief_receivers (profile_id, user_id) where user_id is not null;
create index brief_receivers_due on brief_receivers (next_run_at) where next_run_at is not null;
