-- What failed or was cancelled is rare among all that was sent, and is what people look for.
create index webhook_deliveries_unsent on webhook_deliveries (profile_id, subscription_id, id) where status in ('failed', 'cancelled');
