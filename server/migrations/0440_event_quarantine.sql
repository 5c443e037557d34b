-- Events that processing could not take: set aside, so that all others go on. A new version of the event lifts it.
create table event_quarantine (
  profile_id uuid not null,
  event_id uuid not null,
  reason text not null check (reason in ('processing_failed', 'amount_too_large', 'day_total_too_large')),
  detail text,
  set_aside_at timestamptz not null,
  primary key (profile_id, event_id)
);

create index event_quarantine_newest on event_quarantine (profile_id, set_aside_at);
