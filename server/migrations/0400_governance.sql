-- An app governs a profile through one authorization, and no longer than that lives. `provisioned_by_app_id`
-- says who made the profile; an app that adopted one is found through the authorization alone.
alter table profiles add column governing_authorization_id uuid;

-- The person agreed on the consent page that the app may adopt the profile.
alter table app_authorizations add column allows_adoption boolean not null default false;

-- Set where a person of the workspace withdrew it, and not the app itself.
alter table app_authorizations add column withdrawn_by_user_id uuid;

-- Provisioning makes the profile and its authorization at the same moment.
update profiles p set governing_authorization_id = a.id
from (
  select distinct on (profile_id, app_id) id, profile_id, app_id, created_at from app_authorizations
  order by profile_id, app_id, created_at, revoked_at desc, id
) a
where a.profile_id = p.id and a.app_id = p.provisioned_by_app_id and a.created_at = p.created_at;

-- What was adopted in a workspace that the app made stays adopted.
update profiles p set governing_authorization_id = a.id
from workspaces w, (
  select distinct on (profile_id, app_id) id, profile_id, app_id from app_authorizations
  where revoked_at is null order by profile_id, app_id, created_at, id
) a
where p.governing_authorization_id is null and w.id = p.workspace_id and a.profile_id = p.id
  and a.app_id = p.provisioned_by_app_id and w.provisioned_by_app_id = a.app_id;

-- An adopted profile was not provisioned by the app; what was adopted on a mere read consent is governed by nobody.
update profiles p set provisioned_by_app_id = null
where p.provisioned_by_app_id is not null and not exists (
  select 1 from app_authorizations a
  where a.profile_id = p.id and a.app_id = p.provisioned_by_app_id and a.created_at = p.created_at
);
