-- Seconds by which the clock of a process is ahead of the database's; null for a process of an earlier release.
alter table service_processes add column clock_ahead_seconds double precision;
