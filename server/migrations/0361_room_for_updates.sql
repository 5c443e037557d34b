-- A batch changes most of a day's rollup rows. With room on their page the new versions need no entry in the index.
alter table credit_daily set (fillfactor = 70);

alter table credit_spans set (fillfactor = 70);

alter table reach_daily set (fillfactor = 70);

alter table reach_ads set (fillfactor = 70);

alter table reach_first set (fillfactor = 70);
