-- A payment is flagged as a person's first in the batch that brought it: with room on its page its indexes stay as they are.
alter table payments set (fillfactor = 50);
