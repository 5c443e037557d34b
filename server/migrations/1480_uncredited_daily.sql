-- Conversions that no visit can be credited with under any model, by day and reason, so that reports need not read
-- conversions and the record of changes knows them too.
create table uncredited_daily (
  profile_id uuid not null,
  reason text not null,
  day date not null,
  outcome_type text not null,
  revenue_type text not null,
  conversions bigint not null,
  value_minor bigint not null,
  fx_missing bigint not null,
  primary key (profile_id, reason, day, outcome_type, revenue_type)
);
