-- An event of a cash goal that brought no amount is no payment.
update conversions set revenue_type = 'pipeline' where revenue_type = 'cash' and value_minor is null;

-- Facts without a rate are named by currency and day.
drop index conversions_fx_missing;

create index conversions_fx_missing on conversions (profile_id, day, currency)
  where value_minor is not null and report_value_minor is null;
