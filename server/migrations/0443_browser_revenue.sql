-- Profiles that exist go on counting what browsers send; new ones ask for confirmation.
alter table tracking_settings add column browser_revenue text not null default 'count'
  check (browser_revenue in ('count', 'confirm', 'ignore'));

insert into tracking_settings (profile_id, session_minutes, consent_mode, forms, spa, allowed_domains, filter_bots,
  enrich_country, updated_at)
select id, 30, 'granted', 'auto', 'on', '{}', true, true, created_at from profiles
on conflict (profile_id) do nothing;
