-- A repair of phone numbers that earlier versions read as numbers of another country, to be undone by its id.
create table phone_repairs (
  profile_id uuid not null,
  id uuid not null,
  status text not null check (status in ('applying', 'applied', 'undoing', 'undone')),
  -- Also numbers that are valid in no known country; from then on they identify no one.
  include_unresolved boolean not null,
  events integer not null,
  created_at timestamptz not null,
  created_by uuid,
  finished_at timestamptz,
  primary key (profile_id, id)
);
