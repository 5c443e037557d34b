-- Notes on days, shown on charts.
create table annotations (
  profile_id uuid not null,
  id uuid not null,
  day date not null,
  text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (profile_id, id)
);

create index annotations_by_day on annotations (profile_id, day);
