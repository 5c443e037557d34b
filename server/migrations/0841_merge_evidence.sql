-- What speaks against a proposal: `name`, `email`.
alter table merge_proposals add column contradictions text[] not null default '{}';
-- Both customers with their identifiers as they were when they were merged; null unless merged.
alter table merge_proposals add column sides_at_merge jsonb;
