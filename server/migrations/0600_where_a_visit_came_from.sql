-- The channel and the site of a visit that names no ad; null for rows of releases before, which a full recompute replaces.
alter table touch_sources add column source text;
