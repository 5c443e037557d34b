-- What visitors stated, by day and source, without a person. Purposes `held`, `conflict` and `unread` count marks.
create table consent_daily (
  profile_id uuid not null,
  day date not null,
  source text not null,
  purpose text not null,
  state text not null,
  events bigint not null,
  sessions bigint not null,
  primary key (profile_id, day, source, purpose, state)
);
