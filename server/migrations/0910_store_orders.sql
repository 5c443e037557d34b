-- The status of each order of a connected store, so that a change of it is sent once.
create table store_orders (
  profile_id uuid not null,
  connection_id uuid not null,
  order_id text not null,
  status text not null,
  changed_at timestamptz not null,
  primary key (profile_id, connection_id, order_id)
);
