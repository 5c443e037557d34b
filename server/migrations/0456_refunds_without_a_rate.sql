-- As for conversions: named by currency and day.
drop index refunds_fx_missing;

create index refunds_fx_missing on refunds (profile_id, day, currency) where report_amount_minor is null;
