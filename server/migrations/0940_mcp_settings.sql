-- What assistants may do in a workspace. No row: the defaults of the contract.
create table mcp_settings (
  workspace_id uuid primary key references workspaces (id),
  enabled boolean not null,
  writeback_enabled boolean not null,
  pii_mode text not null check (pii_mode in ('masked', 'full_default')),
  allowed_tools text[],
  max_rows integer not null check (max_rows between 1 and 200),
  budget_step_percent integer not null check (budget_step_percent between 1 and 50),
  require_confirmation boolean not null,
  updated_by uuid,
  updated_at timestamptz not null
);
