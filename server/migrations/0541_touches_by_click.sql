-- Touches whose click a platform may still resolve.
create index touches_unresolved on touches (profile_id, click_id) where click_id is not null and ad_external_id is null;
