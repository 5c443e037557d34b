-- Geo studies that are designed here have no connection; `design` holds what they were planned with.
alter table experiments alter column connection_id drop not null, add column design jsonb;
