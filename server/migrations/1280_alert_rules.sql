-- What a profile wants to be alerted about, and the state of each rule.
create table alert_rules (
  profile_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('threshold', 'finding')),
  -- Of a threshold. Without a campaign it is about the whole profile.
  metric text check (metric in ('spend', 'revenue', 'roas', 'cac', 'conversions')),
  campaign_id uuid,
  direction text check (direction in ('above', 'below')),
  comparison text check (comparison in ('value', 'change')),
  -- Minor units, thousandths of a ROAS, payments, or thousandths of a change.
  threshold bigint,
  window_days smallint check (window_days in (1, 7, 28)),
  min_conversions integer,
  -- Of a finding: the check of the doctor; null is any.
  check_id text,
  enabled boolean not null default true,
  muted_until timestamptz,
  state text not null default 'ok' check (state in ('ok', 'firing')),
  -- The last day that was evaluated. It is never evaluated again, so restated data cannot fire.
  evaluated_through date,
  fired_on date,
  -- Evaluated days in a row on which no finding was open.
  calm_days smallint not null default 0,
  figure jsonb,
  -- Why the last closed day is not evaluated yet.
  held text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (profile_id, id)
);
