-- A row per profile to lock: on a distributed database the lock lies where the profile's data lie.
create table profile_locks (
  profile_id uuid primary key
);
