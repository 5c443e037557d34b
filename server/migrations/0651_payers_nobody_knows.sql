-- Events that name nobody: few among the identifiers, and asked for by themselves.
create index identifiers_unknown on identifiers (profile_id, id) where kind = 7;
