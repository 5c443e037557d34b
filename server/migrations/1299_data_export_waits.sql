-- After a failure the destination waits before the next try.
alter table data_export_destinations add column failures integer not null default 0;
alter table data_export_destinations add column next_try_at timestamptz;
