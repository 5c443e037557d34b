-- When a connection's token was given and when it is to be renewed, so that a token of months is renewed by a schedule
-- of its own long before it ends.
alter table connections add column token_issued_at timestamptz;

alter table connections add column token_refresh_at timestamptz;

-- Nobody knows when the tokens that are here were given: each is renewed once, at the next run of the schedule.
update connections set token_issued_at = authorized_at, token_refresh_at = authorized_at
where token_expires_at is not null;

create index connections_token_refresh on connections (token_refresh_at, profile_id) where token_refresh_at is not null;
