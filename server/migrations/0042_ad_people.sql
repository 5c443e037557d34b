-- The ads that reached each customer, as the reach rollups below hold them.
create table ad_people (
  profile_id uuid not null,
  customer_id uuid not null,
  reached jsonb not null,
  primary key (profile_id, customer_id)
);

-- People by day and by the last earlier day of the same chain of touches (channel and origin, or all): a person counts
-- in a window once, on the first of their days whose previous day lies before it.
create table reach_daily (
  profile_id uuid not null,
  channel text not null,
  day date not null,
  origin text not null,
  previous_day date not null,
  first_origin text not null,
  people bigint not null,
  touches bigint not null,
  primary key (profile_id, channel, day, origin, previous_day, first_origin)
);

-- The same by ad.
create table reach_ads (
  profile_id uuid not null,
  channel text not null,
  day date not null,
  ad_external_id text not null,
  origin text not null,
  previous_day date not null,
  people bigint not null,
  touches bigint not null,
  primary key (profile_id, channel, day, ad_external_id, origin, previous_day)
);

-- Which ad and origin a person's first touch of the day had.
create table reach_first (
  profile_id uuid not null,
  channel text not null,
  day date not null,
  ad_external_id text not null,
  origin text not null,
  previous_day date not null,
  people bigint not null,
  primary key (profile_id, channel, day, ad_external_id, origin, previous_day)
);
