-- Of a day that has many conversions a page reads as many as it needs, newest first.
drop index conversions_day;

create index conversions_day on conversions (profile_id, day, id) where attribution_eligible;
