-- How often what reports read was changed; holders of the profile's lock have a row of their own, which no one else waits for.
create table report_changes (
  profile_id uuid not null,
  holds_lock boolean not null,
  number bigint not null,
  primary key (profile_id, holds_lock)
);
