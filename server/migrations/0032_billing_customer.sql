-- The payer at the payment provider, known once a checkout was paid.
alter table workspace_subscriptions add column billing_customer text;
