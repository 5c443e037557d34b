-- What somebody decided about a link that events made between two identifiers. A rejected link leads nowhere.
create table link_decisions (
  profile_id uuid not null,
  weak_id uuid not null,
  strong_id uuid not null,
  decision text not null check (decision in ('accepted', 'rejected')),
  decided_at timestamptz not null,
  decided_by uuid,
  primary key (profile_id, weak_id, strong_id)
);
