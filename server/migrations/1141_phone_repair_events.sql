-- Events that a repair has read again. What they were before follows from the number as it was typed.
create table phone_repair_events (
  profile_id uuid not null,
  repair_id uuid not null,
  event_id uuid not null,
  primary key (profile_id, repair_id, event_id)
);
