-- A leaderboard as it was when somebody shared it. The link is made of the id and a signature, so that no token is kept.
create table performer_snapshots (
  id uuid primary key,
  workspace_id uuid not null,
  name text not null,
  score_window text not null,
  profile_ids uuid[] not null,
  captured_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  password_hash text,
  result_hash text not null,
  views bigint not null default 0,
  content jsonb not null
);

create index performer_snapshots_of_workspace on performer_snapshots (workspace_id, captured_at);
