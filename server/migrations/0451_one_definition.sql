-- Sums of shares under the models that divide, each in two whole parts, so that credit can be added up exactly.
alter table credit_daily add column linear_share_high bigint not null default 0,
  add column linear_share_low bigint not null default 0,
  add column time_decay_share_high bigint not null default 0,
  add column time_decay_share_low bigint not null default 0;

alter table credit_spans add column linear_share_high bigint not null default 0,
  add column linear_share_low bigint not null default 0,
  add column time_decay_share_high bigint not null default 0,
  add column time_decay_share_low bigint not null default 0;

alter table unassigned_daily add column linear_share_high bigint not null default 0,
  add column linear_share_low bigint not null default 0,
  add column time_decay_share_high bigint not null default 0,
  add column time_decay_share_low bigint not null default 0;

-- Level ad: the platform of a paid click that named no ad. Level campaign: the ad set or ad that stands in no campaign.
alter table unassigned_daily rename column platform to holder;

delete from unassigned_daily where level <> 'ad';

-- Counted by other keys from now on: all credit of a level, of a platform, and of a platform beside a level.
delete from platform_daily;

-- An event of a cash goal that brought no amount is no payment.
update conversions set revenue_type = 'pipeline' where revenue_type = 'cash' and value_minor is null;

-- Facts without a rate are named by currency and day.
drop index conversions_fx_missing;

create index conversions_fx_missing on conversions (profile_id, day, currency)
  where value_minor is not null and report_value_minor is null;

drop index refunds_fx_missing;

create index refunds_fx_missing on refunds (profile_id, day, currency) where report_amount_minor is null;

drop index ad_delivery_fx_missing;

create index ad_delivery_fx_missing on ad_delivery (profile_id, day, currency)
  where report_spend_minor is null or (platform_value_minor is not null and report_platform_value_minor is null);

-- Reach counts accounts once: a sum of ads or of days is no reach.
update delivery_daily set reach = null
where reach is not null and not exists (
  select 1 from ad_delivery a
  where a.profile_id = delivery_daily.profile_id and a.entity_id = delivery_daily.entity_id
    and a.day = delivery_daily.day and a.source = delivery_daily.source);

update delivery_spans set reach = null where reach is not null;

-- How far each source has delivered.
create index delivery_daily_source on delivery_daily (profile_id, source, day);

-- The settings that the figures were made with, until a recompute has made them anew.
alter table attribution_settings add column applied_lookback_days integer;

alter table attribution_settings add column applied_first_touch_lookback_days integer;

alter table attribution_settings add column applied_half_life_days integer;

update attribution_settings set applied_lookback_days = lookback_days,
  applied_first_touch_lookback_days = first_touch_lookback_days, applied_half_life_days = half_life_days;

alter table attribution_settings alter column applied_lookback_days set not null;

alter table attribution_settings alter column applied_first_touch_lookback_days set not null;

alter table attribution_settings alter column applied_half_life_days set not null;

-- All credit is added up anew.
insert into recomputes (profile_id, id, scope, state, requested_at)
select profile_id, gen_random_uuid(), 'full', 'queued', now()
from (select distinct profile_id from conversion_daily) as counted;

insert into jobs (id, name, profile_id, payload, lane, state, run_at, dedupe_key, max_attempts, created_at)
select gen_random_uuid(), 'attribution.recompute', profile_id, jsonb_build_object('recompute_id', id), 12, 'ready', now(),
  id::text, 5, now()
from recomputes where state = 'queued' and scope = 'full';
