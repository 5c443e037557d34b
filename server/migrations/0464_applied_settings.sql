-- The settings that the figures were made with, until a recompute has made them anew; null where they are those asked for.
alter table attribution_settings add column applied_lookback_days integer,
  add column applied_first_touch_lookback_days integer,
  add column applied_half_life_days integer;
