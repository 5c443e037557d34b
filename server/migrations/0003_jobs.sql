-- Background work. A job waits (scheduled, ready), runs under a lease, and is deleted when done;
-- only one that failed for good stays, as dead.
create table jobs (
  id uuid primary key,
  name text not null,
  -- The nil UUID for work of the whole service.
  profile_id uuid not null,
  payload jsonb not null,
  -- Pool and urgency in one number, so that one index finds the next job of each.
  lane smallint not null,
  state text not null check (state in ('scheduled', 'ready', 'running', 'dead')),
  run_at timestamptz not null,
  dedupe_key text,
  attempts integer not null default 0,
  max_attempts integer not null,
  lease_id uuid,
  lease_until timestamptz,
  last_error text,
  created_at timestamptz not null,
  died_at timestamptz
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create index jobs_ready on jobs (lane, profile_id, id) where state = 'ready';

create index jobs_scheduled on jobs (run_at) where state = 'scheduled';

create index jobs_running on jobs (lease_until) where state = 'running';

create index jobs_dead on jobs (died_at) where state = 'dead';

create index jobs_same_work on jobs (profile_id, name, dedupe_key) where dedupe_key is not null and state in ('ready', 'running');

create table job_schedules (
  name text primary key,
  next_run_at timestamptz not null,
  rule text not null
);
