-- Credits are found by their conversions; only deleted ones needed the customer, and their ids are known.
drop index credits_customer;

alter table credits drop column customer_id;
