alter table data_export_destinations add column made_by_user_id uuid, add column made_by_credential_id uuid;
