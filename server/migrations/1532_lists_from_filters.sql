-- Lists that this service built from a filter: customers who opt out are removed from them.
alter table audience_lists add column from_filter boolean not null default false;
update audience_lists set from_filter = true where authorization_id is null;
