-- Sums of shares under the models that divide, each in two whole parts, so that credit can be added up exactly.
alter table credit_daily add column linear_share_high bigint not null default 0,
  add column linear_share_low bigint not null default 0,
  add column time_decay_share_high bigint not null default 0,
  add column time_decay_share_low bigint not null default 0;
