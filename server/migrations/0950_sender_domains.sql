-- The domain that a workspace's mail to clients is sent from. The key of its DKIM signature is sealed.
create table sender_domains (
  workspace_id uuid primary key references workspaces (id),
  domain text not null,
  from_name text,
  from_local text not null,
  selector text not null,
  private_key bytea not null,
  public_key text not null,
  status text not null check (status in ('pending', 'verified', 'failed', 'temporary_failure')),
  -- What each record was at the last check: purpose -> { status, found }.
  checks jsonb not null default '{}',
  created_at timestamptz not null,
  checked_at timestamptz
);
