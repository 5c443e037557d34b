-- A key belongs to its holder, whatever the operation: it is looked for without method and path.
create index idempotency_keys_holder on idempotency_keys (scope, key);
