-- One turn of sending what waits for a destination.
create table export_runs (
  profile_id uuid not null,
  id uuid not null,
  destination_id uuid not null,
  status text not null check (status in ('queued', 'sent', 'failed', 'skipped')),
  sent bigint not null,
  failed bigint not null,
  skipped bigint not null,
  reason text,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (profile_id, id)
);

create index export_runs_of_destination on export_runs (profile_id, destination_id, id);

-- Requests that a platform took in, and what it says of them later.
create table export_requests (
  profile_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  destination_id uuid not null,
  target_id text not null,
  provider_request_id text,
  status text check (status in ('processing', 'success', 'partial_success', 'failed')),
  events bigint not null,
  -- [{ reason, count }]
  counts jsonb not null,
  polls integer not null,
  created_at timestamptz not null,
  checked_at timestamptz,
  primary key (profile_id, id)
);

create index export_requests_of_run on export_requests (profile_id, run_id);
