-- The rows behind a credited figure are listed by time: conversions of a day, and refunds on the day of their own.
drop index conversions_day;

create index conversions_day on conversions (profile_id, day, occurred_at, id) where attribution_eligible;

create index refunds_day on refunds (profile_id, day, occurred_at, id);
