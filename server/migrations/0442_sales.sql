-- Events that tell of one order: of several sources one counts, and the others are its duplicates.
create table order_events (
  profile_id uuid not null,
  -- Keyed hash of the order's id.
  order_ref uuid not null,
  revenue_type text not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  source text not null,
  source_rank smallint not null,
  -- The event that counts in its place; null for one that counts.
  duplicate_of uuid,
  primary key (profile_id, order_ref, revenue_type, event_id)
);

create index order_events_event on order_events (profile_id, event_id);

-- The event that counts in its place.
alter table conversions add column duplicate_of uuid;

-- Money that only a browser told of, where a server or a provider tells of money too.
alter table conversions add column unconfirmed boolean not null default false;
