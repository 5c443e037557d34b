-- How long after its end a day stays open for late events, and the longest that was ever set: earlier reports are known
-- for days that were closed by that one. Null: 48 hours.
alter table attribution_settings add column grace_hours integer;

alter table attribution_settings add column longest_grace_hours integer;
