-- An operator gave the event up: it stays set aside and is no longer listed.
alter table event_quarantine add column dropped_at timestamptz;
