-- The visitor's address, where a server reports it with the browser; sent to the ad platforms and kept as long as the browser.
alter table event_agents add column ip text;
