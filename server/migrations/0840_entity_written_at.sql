-- When the service last changed the entity at its platform. A listing that was read before then
-- is out of date for the status and the budgets.
alter table ad_entities add column written_at timestamptz;
