-- Conversions may also be sent to a conversion rule at LinkedIn.
alter table export_destinations drop constraint export_destinations_kind_check;
alter table export_destinations add constraint export_destinations_kind_check
  check (kind in ('social', 'engine', 'shortvideo', 'microsoft', 'linkedin'));
