-- When the provider asks a person to consent again, whatever is renewed until then; null where it sets no such end.
alter table connections add column consent_ends_at timestamptz;
