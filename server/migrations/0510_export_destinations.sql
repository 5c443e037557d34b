-- Where conversions are sent back to: a pixel, a conversion action or a pixel code at an ad platform.
create table export_destinations (
  profile_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('social', 'engine', 'shortvideo')),
  -- Null where the platform takes a token of the destination's own.
  connection_id uuid,
  target_id text not null,
  -- Kind, connection and target as one text: a disabled destination still holds its place.
  destination_key text not null,
  display_name text not null,
  enabled boolean not null,
  -- What is received before this time is not sent.
  enabled_at timestamptz not null,
  event_map jsonb not null,
  test_event_code text,
  -- Sealed.
  access_token bytea,
  -- Why nothing is sent until a person acts.
  status_reason text,
  -- The platform asked for patience, or failed: nothing is sent before this time.
  retry_at timestamptz,
  retries integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (profile_id, id),
  unique (profile_id, destination_key)
);

-- What may leave a profile for the ad platforms.
create table export_settings (
  profile_id uuid not null primary key,
  -- Null: every goal may be sent with its value.
  conversions jsonb,
  healthcare_allowlist text[] not null,
  agreement_signed_by text,
  agreement_signed_at timestamptz,
  partner_customer_list boolean not null,
  target text not null check (target in ('existing', 'clean_dataset')),
  clean_dataset_id text,
  updated_at timestamptz not null
);
