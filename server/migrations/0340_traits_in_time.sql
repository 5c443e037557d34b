-- What was said of an identifier is read in the order in which it was said.
alter table identity_traits drop constraint identity_traits_pkey;

alter table identity_traits add constraint identity_traits_pkey
  primary key (profile_id, identifier_id, observed_at, event_id, trait);
