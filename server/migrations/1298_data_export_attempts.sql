-- Which try of a run writes: an earlier one that still lives stops.
alter table data_export_runs add column attempt_id uuid;
