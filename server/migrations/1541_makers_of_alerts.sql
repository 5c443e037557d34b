alter table alert_rules add column authorization_id uuid;
