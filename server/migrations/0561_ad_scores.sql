-- One scoring of a profile: the day up to which it knows, how far it is, and what it found out about itself.
create table ad_score_runs (
  profile_id uuid not null,
  day date not null,
  state text not null check (state in ('running', 'done')),
  steps_done integer not null,
  steps_total integer not null,
  ads integer not null,
  -- Counts of conversions by days since the touch, per kind of outcome.
  lags jsonb not null,
  model jsonb,
  result_hash text,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (profile_id, day)
);

-- An ad as it was known at the end of a day. Rows are appended and never rewritten, so that what is learned from them
-- cannot know the future.
create table ad_score_days (
  profile_id uuid not null,
  day date not null,
  ad_id uuid not null,
  channel text not null,
  format text not null,
  objective text not null,
  audience_warmth text not null,
  geo text not null,
  placement text not null,
  status text,
  daily_budget_minor bigint,
  first_day date,
  frequency_milli bigint,
  day_impressions bigint not null,
  day_link_clicks bigint not null,
  -- Of the seven days that ended seven days earlier, once what follows their clicks has come in.
  settled_spend_minor bigint not null,
  settled_cash bigint not null,
  settled_pipeline bigint not null,
  settled_messaging bigint not null,
  primary key (profile_id, day, ad_id)
);

-- The counts of an ad's windows, as they were known at the end of a day. Never rewritten either.
create table ad_score_windows (
  profile_id uuid not null,
  day date not null,
  score_window text not null,
  ad_id uuid not null,
  spend_minor bigint not null,
  impressions bigint not null,
  clicks bigint not null,
  link_clicks bigint not null,
  video_impressions bigint not null,
  video_views bigint not null,
  thruplays bigint not null,
  messaging_started bigint not null,
  platform_conversions_milli bigint not null,
  platform_value_minor bigint not null,
  ranked_days bigint not null,
  ranking_points bigint not null,
  active_days bigint not null,
  outcomes bigint not null,
  cash_outcomes bigint not null,
  pipeline_outcomes bigint not null,
  messaging_outcomes bigint not null,
  revenue_minor bigint not null,
  pipeline_minor bigint not null,
  -- Link clicks weighted by the share of their conversions that can have come in, in millionths of a click.
  cash_exposure_micro bigint not null,
  pipeline_exposure_micro bigint not null,
  primary key (profile_id, day, score_window, ad_id)
);

-- What the latest scoring says of an ad. Written by a run, read once it is done.
create table ad_scores (
  profile_id uuid not null,
  day date not null,
  score_window text not null,
  ad_id uuid not null,
  composite_score double precision,
  maturity_stage text not null,
  truth_grade text not null,
  primary_outcome_kind text not null,
  objective text not null,
  format text not null,
  has_video boolean not null,
  spend_minor bigint not null,
  fatigue text not null,
  -- The posterior of the primary rate: P(rate > the cohort's median), and its Gamma shape and rate.
  above_median double precision,
  posterior_shape double precision,
  posterior_rate double precision,
  facts jsonb not null,
  primary key (profile_id, day, score_window, ad_id)
);

create index ad_scores_by_rank on ad_scores (profile_id, day, score_window, composite_score desc nulls last, ad_id);
