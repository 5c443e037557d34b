-- Facts whose rate is missing are few; an import of rates finds them here.
create index conversions_fx_missing on conversions (profile_id)
  where value_minor is not null and report_value_minor is null;

create index refunds_fx_missing on refunds (profile_id) where report_amount_minor is null;

create index ad_delivery_fx_missing on ad_delivery (profile_id)
  where report_spend_minor is null or (platform_value_minor is not null and report_platform_value_minor is null);
