-- Customer lists at the ad platforms that a partner fills.
create table audience_lists (
  profile_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  external_id text not null,
  -- As the partner calls it; null where it named the list by its id.
  name text,
  created_at timestamptz not null,
  primary key (profile_id, id),
  constraint audience_lists_external unique (profile_id, connection_id, external_id)
);

-- Who was put on a list, by keyed identifiers only: what was sent of them is kept nowhere.
create table audience_members (
  profile_id uuid not null,
  list_id uuid not null,
  identifier_id uuid not null,
  added_at timestamptz not null,
  primary key (profile_id, list_id, identifier_id)
);

create index audience_members_person on audience_members (profile_id, identifier_id);

-- One change of a list.
create table audience_runs (
  profile_id uuid not null,
  id uuid not null,
  list_id uuid not null,
  operation text not null check (operation in ('add', 'remove', 'replace', 'exclude')),
  received bigint not null,
  sent bigint not null,
  removed bigint not null,
  provider_request_id text,
  created_at timestamptz not null,
  primary key (profile_id, id)
);

-- Who is kept out of every list. What is left of an erased person is a hash of each identifier.
create table audience_exclusions (
  profile_id uuid not null,
  id uuid not null,
  customer_id uuid,
  person_hash bytea,
  reason text,
  added_at timestamptz not null,
  primary key (profile_id, id)
);

create index audience_exclusions_customer on audience_exclusions (profile_id, customer_id);
