-- Requests for one person's data: receipts, which stay. customer_id is removed when the file is gone.
create table customer_data_exports (
  profile_id uuid not null,
  id uuid not null,
  customer_id uuid,
  -- Keyed hash of the request, so that a repeated one returns the same receipt.
  selector_hash bytea not null,
  status text not null check (status in ('awaiting_identity', 'pending', 'ready', 'expired', 'failed', 'cancelled')),
  law text not null,
  requested_on date not null,
  due_on date not null,
  identity_method text,
  identity_note text,
  -- Keyed hash of the code that was mailed to the person.
  code_hash bytea,
  code_expires_at timestamptz,
  code_tries smallint not null default 0,
  codes_sent smallint not null default 0,
  created_by_kind text not null,
  created_by_id uuid,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  ready_at timestamptz,
  expires_at timestamptz not null,
  sections jsonb not null default '[]',
  sha256 text,
  bytes bigint,
  downloads integer not null default 0,
  primary key (profile_id, id)
);
create index customer_data_exports_customer on customer_data_exports (profile_id, customer_id)
  where customer_id is not null;
create index customer_data_exports_selector on customer_data_exports (profile_id, selector_hash, created_at);
create index customer_data_exports_ending on customer_data_exports (expires_at)
  where status in ('awaiting_identity', 'ready');

-- The encrypted ZIP archive in parts; deleted when it expires, and by an erasure.
create table customer_data_export_parts (
  profile_id uuid not null,
  -- Derived from the export's id and the number of the part.
  id uuid not null,
  export_id uuid not null,
  part integer not null,
  sealed bytea not null,
  primary key (profile_id, id)
);
create unique index customer_data_export_parts_order on customer_data_export_parts (profile_id, export_id, part);
