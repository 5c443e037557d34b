-- Reach counts accounts once: a sum of ads or of days is no reach.
update delivery_daily set reach = null
where reach is not null and not exists (
  select 1 from ad_delivery a
  where a.profile_id = delivery_daily.profile_id and a.entity_id = delivery_daily.entity_id
    and a.day = delivery_daily.day and a.source = delivery_daily.source);

-- How far each source has delivered.
create index delivery_daily_source on delivery_daily (profile_id, source, day);
