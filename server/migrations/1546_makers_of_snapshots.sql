alter table performer_snapshots add column made_by_user_id uuid;
