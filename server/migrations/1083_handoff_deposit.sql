-- Keys that a shop posts to us before it sends the person back; sealed, bound to the attempt, and gone once used.
alter table handoffs add column deposit bytea;
