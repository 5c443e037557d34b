-- What touches name, each once: a full recompute reads one id per touch instead of four texts and a flag.
create table touch_sources (
  profile_id uuid not null,
  id uuid not null,
  is_direct boolean not null,
  platform text,
  campaign_external_id text,
  ad_set_external_id text,
  ad_external_id text,
  primary key (profile_id, id)
);

-- Columns of fixed length come first: the database finds them without looking at the others.
create table touches_by_source (
  profile_id uuid not null,
  identifier_id uuid not null,
  occurred_at timestamptz not null,
  source_id uuid not null,
  id uuid not null,
  recorded_at timestamptz not null,
  is_direct boolean not null,
  channel text not null,
  origin text not null,
  platform text,
  campaign_external_id text,
  ad_set_external_id text,
  ad_external_id text,
  click_id_kind text,
  click_id text,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  referrer_host text,
  landing_path text
);

insert into touches_by_source (profile_id, identifier_id, occurred_at, source_id, id, recorded_at, is_direct, channel, origin,
  platform, campaign_external_id, ad_set_external_id, ad_external_id, click_id_kind, click_id, utm_source, utm_medium,
  utm_campaign, referrer_host, landing_path)
select profile_id, identifier_id, occurred_at,
  encode(substr(sha256(convert_to(concat_ws(chr(31), case when is_direct then 'direct' else '' end,
    coalesce(platform, chr(30)), coalesce(campaign_external_id, chr(30)), coalesce(ad_set_external_id, chr(30)),
    coalesce(ad_external_id, chr(30))), 'UTF8')), 1, 16), 'hex')::uuid,
  id, recorded_at, is_direct, channel, origin, platform, campaign_external_id, ad_set_external_id, ad_external_id,
  click_id_kind, click_id, utm_source, utm_medium, utm_campaign, referrer_host, landing_path
from touches;

drop table touches;

alter table touches_by_source rename to touches;

alter table touches add constraint touches_pkey primary key (profile_id, identifier_id, occurred_at, id);

create index touches_event on touches (profile_id, id);

create index touches_ad on touches (profile_id, ad_external_id) where ad_external_id is not null;

create index touches_ad_set on touches (profile_id, ad_set_external_id)
  where ad_external_id is null and ad_set_external_id is not null;

insert into touch_sources (profile_id, id, is_direct, platform, campaign_external_id, ad_set_external_id, ad_external_id)
select distinct profile_id, source_id, is_direct, platform, campaign_external_id, ad_set_external_id, ad_external_id from touches;
