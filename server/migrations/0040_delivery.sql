-- Two sources may tell of one entity's day; each keeps its own row.
alter table ad_delivery drop constraint ad_delivery_pkey;

alter table ad_delivery add constraint ad_delivery_pkey primary key (profile_id, entity_id, day, source);

drop index ad_delivery_day;

create index ad_entities_ad_set on ad_entities (profile_id, ad_set_id);

-- Touches that name an ad set and no ad are few; a newly known parent finds their people here.
create index touches_ad_set on touches (profile_id, ad_set_external_id)
  where ad_external_id is null and ad_set_external_id is not null;

-- What reports read: per entity and day its own delivery, else the sum of its children's, in the report currency.
create table delivery_daily (
  profile_id uuid not null,
  level text not null,
  day date not null,
  entity_id uuid not null,
  source text not null,
  spend_minor bigint not null,
  impressions bigint,
  clicks bigint,
  reach bigint,
  platform_conversions_milli bigint,
  platform_value_minor bigint,
  messaging_started_7d bigint,
  fx_missing bigint not null,
  primary key (profile_id, level, day, entity_id, source)
);

create index delivery_daily_entity on delivery_daily (profile_id, entity_id, day);
