-- Short addresses on the profile's own tracking domain, for posters, bios and podcasts.
create table short_links (
  profile_id uuid not null,
  id uuid not null,
  slug text not null,
  title text,
  -- Either a page or a chat.
  target_url text,
  chat_app text,
  chat_account text,
  chat_text text,
  -- As entered; empty parameters are filled in by `effective`.
  utm jsonb not null,
  ad jsonb,
  -- The UTM parameters that visits of this link carry, which its report finds them by.
  effective_source text,
  effective_medium text,
  effective_campaign text,
  enabled boolean not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Kept: the address is not given to another link for 90 days, because printed codes live long.
  deleted_at timestamptz,
  primary key (profile_id, id)
);

create unique index short_links_slug on short_links (profile_id, slug) where deleted_at is null;

-- Earlier targets, so that a past click explains itself.
create table short_link_versions (
  profile_id uuid not null,
  link_id uuid not null,
  version integer not null,
  target text not null,
  valid_from timestamptz not null,
  primary key (profile_id, link_id, version)
);

create table short_link_days (
  profile_id uuid not null,
  link_id uuid not null,
  day date not null,
  clicks bigint not null,
  bots bigint not null,
  last_clicked_at timestamptz,
  primary key (profile_id, link_id, day)
);
