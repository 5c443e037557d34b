-- When the record of a provider happened that told of the touch; null for a touch that was seen.
alter table touches add column reported_at timestamptz;

create index touches_reported on touches (profile_id, identifier_id) where reported_at is not null;
