-- Credits state why no visit can have them, and `uncredited_daily` counts it: every profile with credits is recomputed
-- once, unless a full recompute is queued already.
insert into recomputes (profile_id, id, scope, state, requested_at)
select profile_id, gen_random_uuid(), 'full', 'queued', now()
from (select distinct profile_id from conversion_daily
  except select profile_id from recomputes where state = 'queued' and scope = 'full') as counted;

insert into jobs (id, name, profile_id, payload, lane, state, run_at, dedupe_key, max_attempts, created_at)
select gen_random_uuid(), 'attribution.recompute_credit', profile_id, jsonb_build_object('recompute_id', id), 12, 'ready', now(),
  id::text, 5, now()
from recomputes where state = 'queued' and scope = 'full' and requested_at = now();
