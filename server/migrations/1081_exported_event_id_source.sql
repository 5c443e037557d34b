-- Where the event id of a conversion comes from. Set when the conversion is sent, or when the destination chooses another
-- source while it waits; an adjustment and a repetition must go under the id that the platform knows. Null: not decided.
alter table conversion_exports add column event_id_source text;
