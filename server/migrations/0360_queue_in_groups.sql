-- What one write took in waits as one row, or a few: an index entry for each event would cost as much as the event's key.
alter table event_queue add column event_ids uuid[];

alter table event_queue add column event_times timestamptz[];

update event_queue set event_ids = array[event_id], event_times = array[occurred_at];

alter table event_queue alter column event_ids set not null;

alter table event_queue alter column event_times set not null;

alter table event_queue drop column event_id;

alter table event_queue drop column occurred_at;

-- A payment has its event's id.
drop index payments_event;
