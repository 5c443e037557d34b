-- Addresses that want no more reports of a profile.
create table report_unsubscribes (
  profile_id uuid not null,
  recipient text not null,
  unsubscribed_at timestamptz not null,
  primary key (profile_id, recipient)
);
