-- False: the subscription receives nothing that happened long before it was recorded, such as the first sync of a connection.
alter table webhook_subscriptions add column include_history boolean not null default true;
