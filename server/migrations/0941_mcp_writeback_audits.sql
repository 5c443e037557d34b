-- Every preview and every write that an assistant requested. The row is written before the platform is called.
create table mcp_writeback_audits (
  id uuid primary key,
  workspace_id uuid not null,
  profile_id uuid not null,
  credential_id uuid not null,
  user_id uuid,
  client_id text,
  client_name text,
  tool text not null,
  mode text not null check (mode in ('preview', 'dry_run', 'confirm')),
  arguments jsonb not null,
  -- SHA-256 of tool, profile and arguments: a confirmation counts only for what was previewed.
  arguments_digest bytea not null,
  outcome text not null check (outcome in ('previewed', 'applied', 'no_change', 'refused', 'failed')),
  error_code text,
  before jsonb,
  after jsonb,
  idempotency_key text,
  confirmation text not null check (confirmation in ('elicited', 'argument', 'none')),
  -- Of a preview: until when it may be confirmed, and when it was. Each is confirmed once.
  expires_at timestamptz,
  confirmed_at timestamptz,
  request_id text,
  occurred_at timestamptz not null
);

create index mcp_writeback_audits_workspace on mcp_writeback_audits (workspace_id, id desc);

create index mcp_writeback_audits_failed on mcp_writeback_audits (profile_id, occurred_at)
  where mode = 'confirm' and outcome = 'failed';
