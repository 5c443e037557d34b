-- The authorization of the app that created a row; null where a person or a direct key did. It ends with it.
alter table audience_lists add column authorization_id uuid;
alter table audience_lists add column ended_at timestamptz;
