-- Counted by other keys from now on: all credit of a level, of a platform, and of a platform beside a level.
delete from platform_daily;
