-- All credit is added up anew, by a process of this release: the job's name is one that the release before does not claim.
insert into recomputes (profile_id, id, scope, state, requested_at)
select profile_id, gen_random_uuid(), 'full', 'queued', now()
from (select distinct profile_id from conversion_daily) as counted;

insert into jobs (id, name, profile_id, payload, lane, state, run_at, dedupe_key, max_attempts, created_at)
select gen_random_uuid(), 'attribution.recompute_profile', profile_id, jsonb_build_object('recompute_id', id), 12, 'ready', now(),
  id::text, 5, now()
from recomputes where state = 'queued' and scope = 'full';
