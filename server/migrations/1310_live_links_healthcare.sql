-- A link shows a healthcare profile only where an owner or admin made it for one.
alter table live_links add column for_healthcare boolean not null default false;
