-- People of a CRM are kept as events with traits, which erasure already knows.
drop table provider_contacts;
