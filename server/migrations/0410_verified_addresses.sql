-- An address belongs to whoever reads its mail: until then a membership that was given to the address counts for nobody.
alter table users add column email_verified_at timestamptz;

-- Given to an address by an app, not made or accepted by the person.
alter table workspace_members add column by_email boolean not null default false;

alter table profile_members add column by_email boolean not null default false;

update workspace_members set by_email = true
where workspace_id in (select id from workspaces where acquisition_source = 'oauth');

update profile_members set by_email = true
where profile_id in (select id from profiles where provisioned_by_app_id is not null);

-- Whoever accepted an invitation had the token that was mailed to the address.
update users set email_verified_at = created_at
where email_lower in (select email_lower from invitations where accepted_at is not null);

-- One-time links that were mailed. Local: no foreign keys.
create table account_links (
  id uuid primary key,
  user_id uuid not null,
  purpose text not null check (purpose in ('verify_email', 'change_email', 'reset_password')),
  email text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index account_links_user on account_links (user_id);

create index account_links_expiry on account_links (expires_at);
