-- Each time a rule fired or recovered, with the figures of that moment.
create table alert_events (
  profile_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  -- Changes that one evaluation found are one message.
  batch_id uuid not null,
  kind text not null check (kind in ('fired', 'recovered')),
  day date not null,
  -- The rule as it was, so that the log stays readable after a change.
  rule jsonb not null,
  figure jsonb not null,
  is_muted boolean not null,
  created_at timestamptz not null,
  primary key (profile_id, id),
  constraint alert_events_once unique (profile_id, rule_id, day, kind)
);
create index alert_events_by_time on alert_events (profile_id, created_at);
create index alert_events_of_batch on alert_events (profile_id, batch_id);
