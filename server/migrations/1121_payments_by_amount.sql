-- Finds who paid an amount.
create index payments_value on payments (profile_id, value_minor, occurred_at desc, id desc);
