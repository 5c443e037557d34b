-- Views of reports by person; a shared one is seen by all who read the profile.
create table saved_views (
  profile_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  page text not null,
  name text not null,
  "values" jsonb not null,
  shared boolean not null,
  updated_at timestamptz not null,
  primary key (profile_id, id),
  unique (profile_id, user_id, page, name)
);
