-- A report of one profile over one range of days as a file, made on request or by its schedule.
create table client_reports (
  profile_id uuid not null,
  id uuid not null,
  -- Reports that one request made together.
  batch_id uuid not null,
  -- Of a scheduled report: the time that it was due at.
  scheduled_for timestamptz,
  period text not null,
  date_from date not null,
  date_to date not null,
  model text not null,
  format text not null check (format in ('pdf', 'html', 'csv')),
  language text not null check (language in ('en', 'es')),
  -- Whether it is mailed, and whether a person looks at it before.
  sends boolean not null,
  needs_approval boolean not null,
  status text not null
    check (status in ('queued', 'ready', 'awaiting_approval', 'sent', 'failed', 'skipped')),
  -- Why it was held, skipped or failed: a code, and what a person should know.
  reason text,
  detail text,
  -- The file, and the figures that its mail shows.
  content bytea,
  headline jsonb,
  result_hash text,
  created_by uuid,
  approved_by uuid,
  created_at timestamptz not null,
  ready_at timestamptz,
  sent_at timestamptz,
  primary key (profile_id, id)
);
create index client_reports_by_time on client_reports (profile_id, created_at desc);
-- A schedule makes one report for a time, however often its job runs.
create unique index client_reports_scheduled on client_reports (profile_id, scheduled_for)
  where scheduled_for is not null;
