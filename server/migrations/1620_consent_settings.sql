-- Whether the tracker reads banners, whether a later choice lifts Global Privacy Control, and which paths do not count.
alter table tracking_settings
  add column consent_signals text not null default 'auto' check (consent_signals in ('auto', 'off')),
  add column gpc text not null default 'honor' check (gpc in ('honor', 'explicit_choice_wins')),
  add column exclude_paths text[] not null default '{}';
