-- A row of a report has no id of its own, so its notice ends when the same days of the same list are read again without
-- it. `day` is null for lists that every sync reads whole.
alter table set_aside_records add column list text, add column day date;
