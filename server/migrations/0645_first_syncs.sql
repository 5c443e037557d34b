-- When a connection's records had all arrived for the first time.
alter table connection_syncs add column first_success_at timestamptz;
