-- A report's mail to one recipient. Its id is the Message-ID, so a repeated mail is recognised as the same.
create table client_report_mails (
  profile_id uuid not null,
  id uuid not null,
  report_id uuid not null,
  recipient text not null,
  status text not null check (status in ('queued', 'sent', 'unsubscribed', 'failed')),
  reason text,
  sent_at timestamptz,
  primary key (profile_id, id),
  constraint client_report_mails_once unique (profile_id, report_id, recipient),
  foreign key (profile_id, report_id) references client_reports (profile_id, id)
);
