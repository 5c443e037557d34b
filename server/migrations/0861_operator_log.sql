-- What operators retried and dropped, and why. Local: the coordinator's alone.
create table operator_log (
  id uuid primary key,
  -- Null for a command at the machine.
  user_id uuid,
  action text not null check (action in ('retry', 'drop')),
  kind text not null,
  subject text not null,
  profile_id uuid,
  reason text,
  request_id text,
  occurred_at timestamptz not null
);
