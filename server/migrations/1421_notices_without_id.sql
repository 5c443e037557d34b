-- Notices of the kinds of row that had no id and were named by a digest of what they held: nothing would ever end these.
-- The next sync names again what is still wrong. Other kinds have ids of the provider, which may look like a digest.
delete from set_aside_records
where external_id ~ '^[0-9a-f]{32}$'
  and kind in ('ad', 'ad_group', 'ad_group_ad', 'adgroup', 'campaign', 'click', 'delivery', 'form submission',
    'gmv_max_delivery', 'gmv_max_store', 'insights', 'row', 'search_query');
