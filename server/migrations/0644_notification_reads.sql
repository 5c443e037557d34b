-- How far a person has read what happened in a profile.
create table notification_reads (
  profile_id uuid not null,
  user_id uuid not null,
  read_through timestamptz not null,
  primary key (profile_id, user_id)
);
