-- Since when a server or a provider tells of payments.
create index payments_told_by_server on payments (profile_id, occurred_at)
  where provider <> 'web' and status in ('succeeded', 'disputed', 'duplicate');

create index payments_told_by_browser on payments (profile_id, occurred_at) where provider = 'web';
