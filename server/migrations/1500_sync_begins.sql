-- When the sync under way asked for its first page, and when the last whole one did: all that happened before was read.
alter table connection_syncs add column began_at timestamptz;
alter table connection_syncs add column complete_until timestamptz;

-- Until now only the last attempt was kept: a sync before it began at most six hours before it ended. In UTC, because
-- Citus refuses a time minus an interval that depends on the session's time zone.
update connection_syncs set complete_until = case
  when last_attempt_at <= last_success_at then last_attempt_at
  else (last_success_at at time zone 'UTC' - interval '6 hours') at time zone 'UTC'
end
where last_success_at is not null;
