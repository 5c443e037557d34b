-- A deposit and its balance are one first payment: what opens it is a new customer, the balance only adds money.
alter table payments add column is_first_balance boolean not null default false;

update payments p set is_first_balance = true
from (
  select profile_id, id from (
    select f.profile_id, f.id, row_number() over (
      partition by f.profile_id, i.customer_id, case when f.from_events then f.subject_ref end
      order by f.occurred_at, f.recorded_at, f.id) as place
    from payments f
    join identifiers i on i.profile_id = f.profile_id and i.id = coalesce(f.payer_identifier_id, f.identifier_id)
    where f.is_first_payment) as placed
  where place > 1) as balance
where p.profile_id = balance.profile_id and p.id = balance.id;

-- All credit is added up anew, apart for first payments, unless that is queued already.
insert into recomputes (profile_id, id, scope, state, requested_at)
select profile_id, gen_random_uuid(), 'full', 'queued', now()
from (select distinct profile_id from conversion_daily
  except select profile_id from recomputes where state = 'queued' and scope = 'full') as counted;

insert into jobs (id, name, profile_id, payload, lane, state, run_at, dedupe_key, max_attempts, created_at)
select gen_random_uuid(), 'attribution.recompute_profile', profile_id, jsonb_build_object('recompute_id', id), 12, 'ready', now(),
  id::text, 5, now()
from recomputes where state = 'queued' and scope = 'full' and requested_at = now();
