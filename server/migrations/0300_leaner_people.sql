-- A customer is the root of its identifiers and needs no row of its own; only an erasure has to be remembered.
create table erased_customers (
  profile_id uuid not null,
  id uuid not null,
  erased_at timestamptz not null,
  primary key (profile_id, id)
);

insert into erased_customers (profile_id, id, erased_at)
select profile_id, id, erased_at from customers where erased_at is not null;

drop table customers;

-- A customer's own identifier is found by its id: only those that joined another are found by the customer.
create index identifiers_joined on identifiers (profile_id, customer_id) where customer_id <> id;

drop index identifiers_customer;
