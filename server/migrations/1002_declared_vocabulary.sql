-- Answers that a profile offers in addition to those that every profile has.
create table declared_vocabulary (
  profile_id uuid not null,
  key text not null,
  label_en text not null,
  label_es text not null,
  channels text[] not null default '{}',
  position integer not null,
  primary key (profile_id, key)
);
