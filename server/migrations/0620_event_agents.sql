-- The browser of a website's event that may be sent to an ad platform, as the platform wants it. Kept for as long as the
-- platform takes the event, and no longer than its person.
create table event_agents (
  profile_id uuid not null,
  event_id uuid not null,
  user_agent text not null,
  kept_at timestamptz not null,
  primary key (profile_id, event_id)
);

create index event_agents_age on event_agents (profile_id, kept_at);
