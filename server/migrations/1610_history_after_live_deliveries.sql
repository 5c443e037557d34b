-- Sent after the live deliveries of its subscription. Processes of the previous release write false and send by time alone.
alter table webhook_deliveries add column historical boolean not null default false;
create index webhook_deliveries_due_in_order on webhook_deliveries (profile_id, subscription_id, historical, next_attempt_at, id) where status = 'pending';
