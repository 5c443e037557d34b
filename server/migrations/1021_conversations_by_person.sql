-- Exports look up the conversations of a person.
create index conversations_identifier on conversations (profile_id, identifier_id);
