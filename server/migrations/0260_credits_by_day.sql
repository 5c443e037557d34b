-- The daily rollup tells on which days an entity was credited; those days' conversions have an index of their own.
drop index credits_day;
