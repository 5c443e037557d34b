-- Counts the changes of the set of tracked pages, so that two that change it at once notice each other.
alter table connections add column pages_version integer not null default 0;
