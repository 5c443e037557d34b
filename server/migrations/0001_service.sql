-- Moves the service's clock; written only in sandbox mode.
create table service_clock (
  id integer primary key,
  offset_ms bigint not null
);
