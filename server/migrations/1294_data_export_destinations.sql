-- Where a profile's tables are written as Parquet files: a folder of the deployment or an S3-compatible store.
create table data_export_destinations (
  profile_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('file', 's3')),
  name text not null,
  -- Without secrets: the folder, or endpoint, region, bucket and prefix.
  target jsonb not null,
  -- Sealed access key of a store.
  secret bytea,
  -- Empty: every table.
  tables text[] not null,
  include_identifiers boolean not null,
  schedule text not null check (schedule in ('hourly', 'daily', 'on_demand')),
  enabled boolean not null,
  next_run_at timestamptz,
  -- Completed erasures that the last completed run saw; null before the first.
  erasures_seen integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (profile_id, id)
);
create index data_export_destinations_due on data_export_destinations (next_run_at) where next_run_at is not null;
