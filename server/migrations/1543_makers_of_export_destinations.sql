alter table export_destinations add column made_by_user_id uuid, add column made_by_credential_id uuid;
