-- Which id the platform receives as the event's id, so that it counts a sale once that the shop's pixel reports too:
-- `whence` (ours), `order_id`, or `properties.<name>`.
alter table export_destinations add column event_id_source text not null default 'whence';
