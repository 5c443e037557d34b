-- Whether the workspace that registered the app accepts the data-processing agreement now. A copy of
-- app_dpa_acceptances, because every node reads apps where it checks a key.
alter table apps add column dpa_accepted boolean not null default false;

update apps set dpa_accepted = true where id in (
  select d.app_id from app_dpa_acceptances d where d.withdrawn_at is null);
