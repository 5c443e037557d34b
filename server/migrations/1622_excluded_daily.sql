-- Page views that do not count, because the browser is the owner's or the path is excluded.
create table excluded_daily (
  profile_id uuid not null,
  day date not null,
  reason text not null check (reason in ('own', 'path')),
  page_views bigint not null,
  primary key (profile_id, day, reason)
);
