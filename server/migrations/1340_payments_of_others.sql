-- An identifier's payments are found by `payments_payer`; only those that the merchant assigned to someone else are not.
drop index payments_identifier;

create index payments_reassigned on payments (profile_id, identifier_id) where payer_identifier_id is not null;
