-- The authorization of the app that created a row; null where a person or a direct key did. It ends with it.
alter table webhook_subscriptions add column authorization_id uuid;
