-- Which master keys each running process has, so that a new key seals only once all of them can open it.
create table key_holders (
  id uuid primary key,
  -- In the order of MASTER_KEYS.
  key_ids text[] not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);

-- One row: the master key that seals new values. Every process locks it before it registers or changes it.
create table sealing_key (
  is_only boolean primary key default true check (is_only),
  key_id text not null,
  since timestamptz not null
);
