-- Whether an owner or admin decided on the destination: on a healthcare profile nothing is sent to any other.
alter table export_destinations add column is_owner_decision boolean not null default false;
