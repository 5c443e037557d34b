-- The provider's own subscription, which says until when is paid.
alter table workspace_subscriptions add column billing_subscription text;

create index workspace_subscriptions_billing on workspace_subscriptions (billing_subscription);
