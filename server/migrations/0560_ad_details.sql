-- What an ad shows, as its platform tells it.
create table ad_creatives (
  profile_id uuid not null,
  ad_id uuid not null,
  format text,
  title text,
  body text,
  cta_type text,
  aspect_ratio_milli integer,
  duration_ms bigint,
  card_count integer,
  thumbnail_url text,
  video_id text,
  landing_host text,
  updated_at timestamptz not null,
  primary key (profile_id, ad_id)
);

-- Whom an ad set is shown to and where; of a campaign what its ad sets do not say themselves.
create table ad_targetings (
  profile_id uuid not null,
  entity_id uuid not null,
  audience_warmth text,
  geo text,
  placement text,
  updated_at timestamptz not null,
  primary key (profile_id, entity_id)
);

-- Clicks on the link and how far videos were watched. Apart from ad_delivery, which reports read.
create table ad_attention_days (
  profile_id uuid not null,
  ad_id uuid not null,
  day date not null,
  link_clicks bigint,
  video_views bigint,
  thruplays bigint,
  video_p25 bigint,
  video_p50 bigint,
  video_p75 bigint,
  video_p100 bigint,
  quality_ranking smallint,
  primary key (profile_id, ad_id, day)
);

-- How often the same people saw an ad in the seven days that end on this one. Days do not add up to it.
create table ad_frequency_days (
  profile_id uuid not null,
  ad_id uuid not null,
  day date not null,
  frequency_milli bigint not null,
  reach bigint,
  primary key (profile_id, ad_id, day)
);
