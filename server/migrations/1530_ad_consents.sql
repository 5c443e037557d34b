-- What people stated about ads, by identifier: the newest grant and the newest refusal of each purpose. A refusal then also
-- applies to conversions of systems that know nothing of it.
create table ad_consents (
  profile_id uuid not null,
  identifier_id uuid not null,
  purpose text not null,
  state text not null,
  source text not null,
  stated_at timestamptz not null,
  event_id uuid not null,
  primary key (profile_id, identifier_id, purpose, state)
);

-- Events of before are read once now, and once more when a rolling upgrade is surely over, because processes of the
-- release before do not write the table.
insert into jobs (id, name, profile_id, payload, lane, state, run_at, dedupe_key, max_attempts, created_at)
select gen_random_uuid(), 'identity.fill_ad_consents', id, jsonb_build_object('after', null), 12,
  case when wait = interval '0' then 'ready' else 'scheduled' end, now() + wait, 'fill ' || wait, 5, now()
from profiles cross join (values (interval '0'), (interval '1 day')) as runs (wait);
