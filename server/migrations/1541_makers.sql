-- Who created a row, or chose where it sends: the person, and the API key, user token or assistant's consent that the
-- person used. Null where it is unknown (created before these columns). `authorization_id` names the app.
alter table webhook_subscriptions add column made_by_user_id uuid;
alter table webhook_subscriptions add column made_by_credential_id uuid;
alter table export_destinations add column made_by_user_id uuid;
alter table export_destinations add column made_by_credential_id uuid;
alter table data_export_destinations add column made_by_user_id uuid;
alter table data_export_destinations add column made_by_credential_id uuid;
alter table connections add column made_by_user_id uuid;
alter table connections add column made_by_credential_id uuid;
alter table credentials add column made_by_user_id uuid;
alter table performer_snapshots add column made_by_user_id uuid;
