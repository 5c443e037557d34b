-- Conversions that a model which divides credited to some entity of the platform, each counted once: rows of several
-- entities cannot tell how many of them they share. One number for both such models, which credit the same touches.
create table platform_daily (
  profile_id uuid not null,
  level text not null,
  platform text not null,
  day date not null,
  outcome_type text not null,
  revenue_type text not null,
  conversions bigint not null,
  primary key (profile_id, level, day, platform, outcome_type, revenue_type)
);

alter table platform_daily set (fillfactor = 70);
