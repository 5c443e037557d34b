-- From when on the tracker makes ids that begin with their time. A process of the release before hashes them whole, so the
-- same visitor or event would get two ids: not until a rolling upgrade is surely over. A new database begins at once.
alter table service_secrets add column timed_ids_from timestamptz not null default now() + interval '1 day';
alter table service_secrets alter column timed_ids_from set default now();
