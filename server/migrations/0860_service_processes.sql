-- Every process of the service, while it runs and for a day afterwards. Local: the coordinator's alone.
create table service_processes (
  id uuid primary key,
  role text not null,
  version text not null,
  -- The oldest release that may run at the same time as this process.
  runs_beside text not null,
  build text not null,
  host text not null,
  pid integer not null,
  -- Ids of the master keys that this process can open, the one it seals with first.
  master_key_ids text[] not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- When this process last looked for jobs; null where it runs none.
  worker_seen_at timestamptz,
  -- Null while it runs, and after a crash.
  stopped_at timestamptz
);
