-- As for conversions: named by currency and day.
drop index ad_delivery_fx_missing;

create index ad_delivery_fx_missing on ad_delivery (profile_id, day, currency)
  where report_spend_minor is null or (platform_value_minor is not null and report_platform_value_minor is null);
