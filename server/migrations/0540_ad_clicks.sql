-- Which ad a platform says a click id was of. Kept while a touch needs it, else as long as platforms tell of clicks.
create table ad_clicks (
  profile_id uuid not null,
  click_id_kind text not null,
  click_id text not null,
  connection_id uuid not null,
  day date not null,
  campaign_external_id text,
  ad_set_external_id text,
  ad_external_id text,
  is_used boolean not null,
  primary key (profile_id, click_id_kind, click_id)
);

create index ad_clicks_day on ad_clicks (profile_id, day) where not is_used;

create index ad_clicks_id on ad_clicks (profile_id, click_id);
