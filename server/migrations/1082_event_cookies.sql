-- Cookies of the ad platforms' own scripts (`fbp`, `fbc`, `ttp`), read by the tracker with marketing consent. Kept as long as
-- the browser they came with.
alter table event_agents add column cookies jsonb;
