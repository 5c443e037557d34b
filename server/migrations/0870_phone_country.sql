-- ISO 3166 code of the country in which phone numbers without a country code are read. Null: the country that the
-- profile's zone and currency point to; ZZ: none, such numbers identify no one.
alter table profiles add column country text;
