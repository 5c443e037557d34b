-- What a provider or a merchant told, beside what counts of it: a payment never gives back more than it was.
-- amount_minor is what counts, in the refund's currency; counted_minor is the same in the payment's.
alter table refunds add column told_minor bigint;

alter table refunds add column counted_minor bigint;

update refunds set told_minor = amount_minor, counted_minor = amount_minor;

alter table refunds alter column told_minor set not null;

alter table refunds alter column counted_minor set not null;
