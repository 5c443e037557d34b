-- Why a figure of a closed day changed: what each write added to a rollup row, by cause. A past report is today's rows
-- less what was added since. Holds no personal data.
create table restatements (
  profile_id uuid not null,
  recorded_at timestamptz not null,
  batch_id uuid not null,
  number integer not null,
  rollup text not null check (rollup in ('credit', 'held', 'platform', 'total', 'delivery')),
  level text not null,
  -- Entity, holder or platform, as the rollup keeps it.
  entity text not null,
  day date not null,
  outcome_type text not null,
  -- The source, in rows of delivery.
  revenue_type text not null,
  -- In the order of the rollup's columns.
  measures bigint[] not null,
  cause text not null,
  fact_type text,
  fact_id text,
  primary key (profile_id, recorded_at, batch_id, number)
);

create index restatements_day on restatements (profile_id, rollup, level, day, recorded_at);
