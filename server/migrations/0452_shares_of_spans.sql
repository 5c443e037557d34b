-- As for single days.
alter table credit_spans add column linear_share_high bigint not null default 0,
  add column linear_share_low bigint not null default 0,
  add column time_decay_share_high bigint not null default 0,
  add column time_decay_share_low bigint not null default 0;
