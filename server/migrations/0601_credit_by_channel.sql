-- Credit of visits that name no ad is counted by where they came from: held_daily, level ad_set.
alter table ad_paths add column source text;
