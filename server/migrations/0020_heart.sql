-- collect → resolve the person → touches and conversions → credits → daily rollups.

-- What was received, as it was received. Old months fall into the default partition.
create table events (
  profile_id uuid not null,
  id uuid not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  source text not null,
  provider text,
  external_id text,
  name text not null,
  anonymous_id text,
  session_id text,
  is_bot boolean not null default false,
  body jsonb not null,
  primary key (profile_id, occurred_at, id)
) partition by range (occurred_at);

create table events_default partition of events default;

-- One row per event ever accepted: the id is derived from the sender's key, so a re-send finds it.
create table event_keys (
  profile_id uuid not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  content_hash bytea not null,
  retracted_at timestamptz,
  primary key (profile_id, event_id)
);

-- Committed but not yet resolved; deleted in the transaction that resolves them.
create table event_queue (
  profile_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  is_update boolean not null,
  primary key (profile_id, id)
);

-- A person's identifier, by keyed hash; the customer is the root it resolves to.
create table identifiers (
  profile_id uuid not null,
  id uuid not null,
  kind smallint not null,
  customer_id uuid not null,
  primary key (profile_id, id)
);

create index identifiers_customer on identifiers (profile_id, customer_id);

create table identity_links (
  profile_id uuid not null,
  weak_id uuid not null,
  strong_id uuid not null,
  event_id uuid not null,
  observed_at timestamptz not null,
  primary key (profile_id, weak_id, strong_id, event_id)
);

create index identity_links_strong on identity_links (profile_id, strong_id);

create index identity_links_event on identity_links (profile_id, event_id);

-- What events said about a person; erased with the person.
create table identity_traits (
  profile_id uuid not null,
  identifier_id uuid not null,
  trait text not null,
  event_id uuid not null,
  value text not null,
  observed_at timestamptz not null,
  primary key (profile_id, identifier_id, trait, event_id)
);

create index identity_traits_event on identity_traits (profile_id, event_id);

create table customers (
  profile_id uuid not null,
  id uuid not null,
  erased_at timestamptz,
  primary key (profile_id, id)
);

create table customer_merges (
  profile_id uuid not null,
  id uuid not null,
  from_customer_id uuid not null,
  into_customer_id uuid not null,
  merged_at timestamptz not null,
  merged_by uuid,
  undone_at timestamptz,
  undone_by uuid,
  primary key (profile_id, id)
);

create table touches (
  profile_id uuid not null,
  identifier_id uuid not null,
  occurred_at timestamptz not null,
  id uuid not null,
  recorded_at timestamptz not null,
  channel text not null,
  origin text not null,
  is_direct boolean not null,
  platform text,
  campaign_external_id text,
  ad_set_external_id text,
  ad_external_id text,
  click_id_kind text,
  click_id text,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  referrer_host text,
  landing_path text,
  primary key (profile_id, identifier_id, occurred_at, id)
);

create index touches_event on touches (profile_id, id);

create index touches_ad on touches (profile_id, ad_external_id) where ad_external_id is not null;

create table goals (
  profile_id uuid not null,
  id uuid not null,
  display_name text not null,
  conversion_key text not null,
  source_event_names text[] not null,
  outcome_type text not null,
  revenue_type text not null check (revenue_type in ('cash', 'pipeline', 'gross')),
  attribution_eligible boolean not null,
  first_attributed_at timestamptz,
  first_attributed_conversion_id uuid,
  created_at timestamptz not null,
  primary key (profile_id, id),
  unique (profile_id, conversion_key)
);

create table conversions (
  profile_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  goal_id uuid not null,
  identifier_id uuid not null,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  day date not null,
  outcome_type text not null,
  revenue_type text not null,
  attribution_eligible boolean not null,
  value_minor bigint,
  currency text,
  report_value_minor bigint,
  provider text,
  external_id text,
  primary key (profile_id, id)
);

create index conversions_event on conversions (profile_id, event_id);

create index conversions_identifier on conversions (profile_id, identifier_id);

create index conversions_day on conversions (profile_id, day);

-- A cash conversion, with what the merchant said about it.
create table payments (
  profile_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  identifier_id uuid not null,
  payer_identifier_id uuid,
  provider text not null,
  external_id text,
  order_id text,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  value_minor bigint not null,
  currency text not null,
  status text not null,
  subject_ref text,
  from_events boolean not null,
  is_first_payment boolean not null,
  is_installment boolean not null,
  primary key (profile_id, id)
);

create index payments_event on payments (profile_id, event_id);

create index payments_payer on payments (profile_id, (coalesce(payer_identifier_id, identifier_id)));

create index payments_occurred on payments (profile_id, occurred_at desc, id desc);

create table refunds (
  profile_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  kind text not null check (kind in ('provider', 'dispute', 'manual')),
  external_id text,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  day date not null,
  amount_minor bigint not null,
  currency text not null,
  report_amount_minor bigint,
  reason text,
  primary key (profile_id, id)
);

create index refunds_payment on refunds (profile_id, payment_id);

-- A refund that came before its payment waits here by the provider's id of the payment.
create table refunds_waiting (
  profile_id uuid not null,
  id uuid not null,
  provider text not null,
  payment_external_id text not null,
  body jsonb not null,
  primary key (profile_id, id)
);

-- The ad platforms' structure; an id that only a touch has named stands as a stub without a name.
create table ad_entities (
  profile_id uuid not null,
  id uuid not null,
  level text not null check (level in ('campaign', 'ad_set', 'ad')),
  external_id text not null,
  source text,
  campaign_id uuid,
  ad_set_id uuid,
  name text,
  status text,
  objective text,
  daily_budget_minor bigint,
  lifetime_budget_minor bigint,
  currency text,
  creative jsonb,
  connection_id uuid,
  updated_at timestamptz not null,
  primary key (profile_id, id),
  unique (profile_id, level, external_id)
);

create index ad_entities_campaign on ad_entities (profile_id, campaign_id);

-- Delivery as the platform reported it, per entity and the ad account's own day.
create table ad_delivery (
  profile_id uuid not null,
  entity_id uuid not null,
  day date not null,
  level text not null,
  source text not null,
  spend_minor bigint not null,
  currency text not null,
  report_spend_minor bigint,
  impressions bigint,
  clicks bigint,
  reach bigint,
  platform_conversions_milli bigint,
  platform_value_minor bigint,
  report_platform_value_minor bigint,
  messaging_started_7d bigint,
  updated_at timestamptz not null,
  primary key (profile_id, entity_id, day)
);

create index ad_delivery_day on ad_delivery (profile_id, level, day);

-- The distinct (campaign, ad set, ad) that touches named, numbered so that credits stay small.
create table ad_paths (
  profile_id uuid not null,
  number integer not null,
  campaign_id uuid,
  ad_set_id uuid,
  ad_id uuid,
  primary key (profile_id, number)
);

-- One row per conversion: who got what under all five models, packed.
create table credits (
  profile_id uuid not null,
  conversion_id uuid not null,
  customer_id uuid not null,
  day date not null,
  outcome_type text not null,
  revenue_type text not null,
  fx_missing boolean not null,
  paths integer[] not null,
  packed bytea not null,
  primary key (profile_id, conversion_id)
);

create index credits_customer on credits (profile_id, customer_id);

create index credits_day on credits (profile_id, day);

-- Wide by model: last_touch, first_touch, linear, time_decay, last_non_direct. The nil entity took what named none.
create table credit_daily (
  profile_id uuid not null,
  level text not null,
  entity_id uuid not null,
  day date not null,
  outcome_type text not null,
  revenue_type text not null,
  last_touch_count bigint not null,
  first_touch_count bigint not null,
  linear_count bigint not null,
  time_decay_count bigint not null,
  last_non_direct_count bigint not null,
  last_touch_minor bigint not null,
  first_touch_minor bigint not null,
  linear_minor bigint not null,
  time_decay_minor bigint not null,
  last_non_direct_minor bigint not null,
  primary key (profile_id, level, day, entity_id, outcome_type, revenue_type)
);

-- The profile's totals, kept apart from the credits so that a report can prove its sum.
create table conversion_daily (
  profile_id uuid not null,
  day date not null,
  outcome_type text not null,
  revenue_type text not null,
  conversions bigint not null,
  value_minor bigint not null,
  fx_missing bigint not null,
  primary key (profile_id, day, outcome_type, revenue_type)
);

create table attribution_settings (
  profile_id uuid primary key,
  lookback_days integer not null,
  first_touch_lookback_days integer not null,
  half_life_days integer not null,
  updated_at timestamptz not null
);

create table attribution_state (
  profile_id uuid primary key,
  computed_through timestamptz,
  freshness text not null,
  updated_at timestamptz not null
);

create table recomputes (
  profile_id uuid not null,
  id uuid not null,
  scope text not null,
  state text not null,
  conversions bigint,
  requested_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  error text,
  primary key (profile_id, id)
);

-- Units of the currency for one unit of the base, on the day.
create table fx_rates (
  day date not null,
  base text not null,
  currency text not null,
  rate numeric not null,
  primary key (day, base, currency)
);

create table service_secrets (
  name text primary key,
  sealed bytea not null,
  created_at timestamptz not null
);

-- Facts to tell: written in the transaction of the fact, in one order per profile.
create table outbox_counters (
  profile_id uuid primary key,
  last_number bigint not null
);

create table outbox_events (
  profile_id uuid not null,
  number bigint not null,
  id text not null,
  type text not null,
  provider text not null,
  connection_id uuid,
  app_id uuid,
  customer_id uuid,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  data jsonb not null,
  fanned_out_at timestamptz,
  primary key (profile_id, number),
  unique (profile_id, type, id)
);

create index outbox_events_pending on outbox_events (profile_id, number) where fanned_out_at is null;

-- A conversion handed to an ad platform; kept when the workspace is archived.
create table conversion_exports (
  profile_id uuid not null,
  id uuid not null,
  destination_id uuid not null,
  conversion_id uuid not null,
  event_id uuid not null,
  status text not null check (status in ('queued', 'sent', 'failed', 'skipped')),
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (profile_id, id)
);

create index conversion_exports_event on conversion_exports (profile_id, event_id);

-- A chat that reached the business, with the event that became its lead.
create table conversations (
  profile_id uuid not null,
  id uuid not null,
  channel text not null,
  external_id text not null,
  lead_event_id uuid,
  started_at timestamptz not null,
  primary key (profile_id, id),
  unique (profile_id, channel, external_id)
);

create index conversations_lead on conversations (profile_id, lead_event_id);
