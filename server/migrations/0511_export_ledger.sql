-- One row per destination, conversion and adjustment: a conversion is sent once, whatever crashes.
alter table conversion_exports add column adjustment_no integer not null default 0;

alter table conversion_exports add column adjustment text not null default 'none';

alter table conversion_exports add column goal_id uuid;

alter table conversion_exports add column reason text;

-- The platform's own words, without anybody in them.
alter table conversion_exports add column detail text;

alter table conversion_exports add column event_name text;

alter table conversion_exports add column attempts integer not null default 0;

-- The try that is under way, or whose outcome nobody knows.
alter table conversion_exports add column claim_id uuid;

alter table conversion_exports add column first_tried_at timestamptz;

-- Keyed, so that nobody can be guessed from it.
alter table conversion_exports add column payload_hash bytea;

-- What the platform was told that the conversion is worth.
alter table conversion_exports add column value_minor bigint;

alter table conversion_exports add column currency text;

alter table conversion_exports add column run_id uuid;

alter table conversion_exports add column request_id uuid;

create unique index conversion_exports_once
  on conversion_exports (profile_id, destination_id, conversion_id, adjustment_no);

create index conversion_exports_queued on conversion_exports (profile_id, destination_id, id) where status = 'queued';
