-- Pairs of customers that may be one person, for somebody to decide on. The sides are named by an identifier of theirs.
create table merge_proposals (
  profile_id uuid not null,
  id uuid not null,
  -- The stronger of the two, which stays unless somebody says otherwise.
  first_id uuid not null,
  second_id uuid not null,
  status text not null check (status in ('open', 'snoozed', 'merged', 'dismissed')),
  -- The kinds of identifiers that both were seen with.
  shared_kinds smallint[] not null,
  score integer not null,
  snoozed_until timestamptz,
  merge_id uuid,
  decided_at timestamptz,
  decided_by uuid,
  created_at timestamptz not null,
  primary key (profile_id, id),
  unique (profile_id, first_id, second_id)
);
