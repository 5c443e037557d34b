-- The settings that a recompute replaced, for reports as they were before it.
alter table recomputes add column settings_before jsonb;
