-- Where a click on an ad leads, and the parameters that the platform appends to it.
alter table ad_creatives add column destination_url text;
alter table ad_creatives add column url_tags text;
