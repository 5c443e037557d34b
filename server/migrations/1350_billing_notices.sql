-- Mails about a plan that is not paid: since when it is past due, when it ends on request, and the last mail that was sent.
alter table workspace_subscriptions
  add column past_due_since timestamptz,
  add column cancels_at timestamptz,
  add column last_notice text;

update workspace_subscriptions set past_due_since = coalesce(trial_ends_at, updated_at) where status = 'past_due';
update workspace_subscriptions set last_notice = 'ended' where status = 'canceled';
