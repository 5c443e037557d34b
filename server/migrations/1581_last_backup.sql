-- When `npm run backup` last finished; one row. Not part of a backup: a restored database has none yet.
create table last_backup (
  id smallint primary key check (id = 1),
  finished_at timestamptz not null,
  rows bigint not null
);
