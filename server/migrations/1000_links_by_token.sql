-- A link between identifiers that rests on a signed link token only: any link by an event's own identifiers goes before it.
alter table identity_links add column by_token boolean not null default false;
