-- Which try of a run writes: an earlier one that still lives stops. After a failure the destination waits before the next try.
alter table data_export_runs add column attempt_id uuid;
alter table data_export_destinations add column failures integer not null default 0;
alter table data_export_destinations add column next_try_at timestamptz;
