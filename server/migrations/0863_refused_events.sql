-- Events that the API refused, for a few days and a thousand per profile, so that a sender can be helped. No values of
-- a person: keys and orders are hashes, and messages name fields. The nil profile holds requests whose key is not valid.
create table refused_events (
  profile_id uuid not null,
  id uuid not null,
  refused_at timestamptz not null,
  request_id text not null,
  status smallint not null,
  code text not null,
  message text not null,
  event_name text,
  -- The id that the event would have by its idempotency key.
  event_id uuid,
  -- Keyed hash of the order's id.
  order_ref uuid,
  primary key (profile_id, id)
);
