-- Facts told to partners: who wants to hear what, what is on its way, and how each try ended.

-- The fan-out walks each profile's numbers, so an event needs no mark of its own.
drop index outbox_events_pending;

alter table outbox_events drop column fanned_out_at;

-- Written only where a delivery came long after the record: replay ends 90 days after the later of the two.
alter table outbox_events add column delivered_at timestamptz;

create table webhook_subscriptions (
  profile_id uuid not null,
  id uuid not null,
  -- Null where the profile's own key or a person made it.
  app_id uuid,
  url text not null,
  events text[] not null,
  providers text[] not null,
  status text not null check (status in ('active', 'paused', 'failed')),
  status_reason text,
  -- Sealed.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamptz,
  -- Without an app there is no grant to ask: whether the credential that made it could read people.
  opens_contact boolean not null,
  -- Events up to this number were recorded before the subscription began to listen.
  after_number bigint not null,
  last_delivery_at timestamptz,
  consecutive_failures integer not null default 0,
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (profile_id, id)
) with (fillfactor = 50);

-- Up to which number each profile's events have become deliveries; only of profiles that ever had a subscription.
create table webhook_fanouts (
  profile_id uuid primary key,
  through_number bigint not null
);

-- One event on its way to one subscription. The payload never holds the person: it is filled in at each attempt.
create table webhook_deliveries (
  profile_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  -- The event's number in the outbox; null for a test.
  number bigint,
  event_id text not null,
  event_type text not null,
  payload text not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  status_reason text,
  attempt_count integer not null default 0,
  attempts jsonb not null default '[]',
  next_attempt_at timestamptz,
  recorded_at timestamptz not null,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (profile_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

create index webhook_deliveries_due on webhook_deliveries (profile_id, subscription_id, next_attempt_at, id) where status = 'pending';

create index webhook_deliveries_subscription on webhook_deliveries (profile_id, subscription_id, id);

-- Which subscriptions have something to send, and who is sending it. One sender at a time holds a subscription, so
-- its requests in flight can be counted. Local: no foreign keys.
create table webhook_queues (
  subscription_id uuid primary key,
  profile_id uuid not null,
  due_at timestamptz not null,
  -- Counts up with everything enqueued, so that a sender does not let go of what came in while it looked.
  wakes bigint not null,
  lease_id uuid,
  lease_until timestamptz
) with (fillfactor = 50);

create index webhook_queues_due on webhook_queues (due_at);
