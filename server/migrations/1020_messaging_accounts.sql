-- A page, photo account or chat account is a connection of its own. It uses the authorization of the social account that
-- it was chosen from (parent_id); conversions that began in its conversations go to its dataset.
alter table connections add column parent_id uuid;

alter table connections add column dataset_id text;

create index connections_parent on connections (profile_id, parent_id) where parent_id is not null;
