-- Changes by a full recompute, many to a row: a line per entity, its measures in braces and then its name. Entity and
-- measures of the row itself are empty then. Null: the row is one change.
alter table restatements add column changes text;
