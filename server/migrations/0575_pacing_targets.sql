-- What a profile means to spend at a provider in a month, in its own currency.
create table pacing_targets (
  profile_id uuid not null,
  provider text not null,
  month date not null,
  budget_minor bigint not null check (budget_minor > 0),
  updated_at timestamptz not null,
  primary key (profile_id, provider, month)
);
