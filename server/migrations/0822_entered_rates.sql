-- Exchange rates that people enter for a profile: units of `target` for one unit of `currency`, from this day on.
create table entered_rates (
  profile_id uuid not null,
  currency text not null,
  day date not null,
  target text not null,
  rate numeric not null,
  updated_at timestamptz not null,
  primary key (profile_id, currency, day)
);
