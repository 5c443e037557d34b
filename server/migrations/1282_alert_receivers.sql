-- Whether a receiver of briefs also gets alerts. People who chose no brief chose no messages.
alter table brief_receivers add column alerts boolean not null default true;
update brief_receivers set alerts = false where cadence = 'never';
