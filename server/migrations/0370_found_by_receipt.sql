-- What an event made is found by when the event was first received, which never changes: new entries are neighbours at
-- the end of the index, where those by the event's id alone lay anywhere in it.
drop index touches_event;

create index touches_receipt on touches (profile_id, recorded_at, id);

drop index conversions_event;

create index conversions_receipt on conversions (profile_id, recorded_at, event_id);
