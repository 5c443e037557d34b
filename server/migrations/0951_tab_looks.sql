-- When a person last looked at a tab of the console, per workspace.
create table tab_looks (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null references users (id),
  tab text not null,
  looked_at timestamptz not null,
  primary key (workspace_id, user_id, tab)
);
