-- What the last daily run read of a geo study that was designed here; lists show it and read no outcomes.
alter table experiments add column own_reading jsonb;
