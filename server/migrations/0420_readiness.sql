-- What /readyz writes to prove that the database can still be written to.
create table readiness_probe (
  id smallint primary key,
  probed_at timestamptz not null,
  filler bytea not null
);
