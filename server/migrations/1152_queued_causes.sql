-- Why a stored event is read again, where it was not sent again.
alter table event_queue add column cause text;
