-- An erasure and its receipt. Who was meant is known only until the work is done: what is left tells nobody.
create table erasures (
  profile_id uuid not null,
  id uuid not null,
  -- Keyed hash of what the person was named by, so that the same request finds its receipt.
  selector_hash bytea not null,
  -- The anonymous person that the facts belong to from now on.
  erased_as uuid not null,
  state text not null check (state in ('pending', 'sweeping', 'completed')),
  requested_at timestamptz not null,
  completed_at timestamptz,
  -- Null once the person is gone.
  customer_id uuid,
  -- Null once every event was looked at.
  identifier_ids uuid[],
  swept_at timestamptz,
  swept_id uuid,
  identifiers bigint not null,
  events bigint not null,
  touches bigint not null,
  conversions bigint not null,
  payments bigint not null,
  primary key (profile_id, id)
);

create index erasures_selector on erasures (profile_id, selector_hash, requested_at);

create index erasures_open on erasures (profile_id, requested_at) where state <> 'completed';

-- The anonymous person that an event was given to: a later version of the event brings nobody back.
alter table event_keys add column erased_as uuid;
