alter table credentials add column made_by_user_id uuid;
