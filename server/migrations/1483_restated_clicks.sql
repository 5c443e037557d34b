-- The record of changes has those of `paid_touch_daily` too.
alter table restatements drop constraint restatements_rollup_check;
alter table restatements add constraint restatements_rollup_check
  check (rollup in ('credit', 'held', 'platform', 'total', 'uncredited', 'click', 'delivery'));
