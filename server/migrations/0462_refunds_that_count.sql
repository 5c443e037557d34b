-- What a provider or a merchant told, beside what counts of it: a payment never gives back more than it was.
-- amount_minor is what counts, in the refund's currency; counted_minor is the same in the payment's. Null is amount_minor.
alter table refunds add column told_minor bigint,
  add column counted_minor bigint;
