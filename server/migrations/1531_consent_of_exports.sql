-- The consent that decided about a row when it was sent or skipped.
alter table conversion_exports add column consent jsonb;
