-- One message to one receiver. Its id is the Message-ID of a mail, so a repeated mail is recognised as the same.
create table brief_deliveries (
  profile_id uuid not null,
  id uuid not null,
  receiver_id uuid not null,
  -- What it is about, such as a due time. Each receiver gets it once, however often a job runs.
  occasion text not null,
  -- Of a brief: its days.
  date_from date,
  date_to date,
  status text not null check (status in ('queued', 'sent', 'skipped', 'failed')),
  reason text,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (profile_id, id),
  constraint brief_deliveries_once unique (profile_id, receiver_id, occasion)
);
create index brief_deliveries_by_time on brief_deliveries (profile_id, created_at);
