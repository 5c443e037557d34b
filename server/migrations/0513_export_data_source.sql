-- Only conversions of this source are sent; null: of every one.
alter table export_destinations add column data_source text;
