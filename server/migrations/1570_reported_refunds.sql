-- Refunds that senders report as events, by the order or the key of the payment: it may arrive later, or be in parts.
create table reported_refunds (
  profile_id uuid not null,
  event_id uuid not null,
  -- Keyed hash of the order's id.
  order_ref uuid not null,
  -- Id of the payment whose idempotency_key is the order's id.
  keyed_payment_id uuid not null,
  occurred_at timestamptz not null,
  -- Null: everything that is left.
  amount_minor bigint,
  currency text,
  by_browser boolean not null,
  -- Payments that have a part of it in `refunds`.
  payment_ids uuid[] not null,
  primary key (profile_id, event_id)
);

create index reported_refunds_order on reported_refunds (profile_id, order_ref);
create index reported_refunds_key on reported_refunds (profile_id, keyed_payment_id);
