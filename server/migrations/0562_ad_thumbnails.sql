-- The service's own copies of ads' thumbnails, re-encoded. Platforms' addresses expire and would tell them who looks.
create table ad_thumbnails (
  profile_id uuid not null,
  ad_id uuid not null,
  -- Of the address it was fetched from; another address is another image.
  source_hash text not null,
  content_type text,
  -- Null where the image could not be fetched or read; tried again a day later.
  bytes bytea,
  fetched_at timestamptz not null,
  primary key (profile_id, ad_id)
);
