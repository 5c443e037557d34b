-- The verdict that was given, when and why. It stays until what it is based on changes.
alter table experiments add column decision jsonb;
