-- Parts of people's names as keyed hashes, per identifier, for search. Nothing readable; deleted with the names.
create table customer_names (
  profile_id uuid not null,
  identifier_id uuid not null,
  tokens bigint[] not null,
  primary key (profile_id, identifier_id)
);

create index customer_names_tokens on customer_names using gin (tokens);
