-- Words that a workspace groups its clients by.
alter table profiles add column tags text[] not null default '{}';
