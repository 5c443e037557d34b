-- What the merchant said about a payment: kept by the event's id, also while the event is no payment.
create table payment_marks (
  profile_id uuid not null,
  payment_id uuid not null,
  payer_identifier_id uuid,
  is_installment boolean not null,
  primary key (profile_id, payment_id)
);

create index payment_marks_payer on payment_marks (profile_id, payer_identifier_id);

insert into payment_marks (profile_id, payment_id, payer_identifier_id, is_installment)
select profile_id, id, payer_identifier_id, is_installment from payments
where payer_identifier_id is not null or is_installment;

create index payments_identifier on payments (profile_id, identifier_id);
