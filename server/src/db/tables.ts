/**
 * How each table lives on Citus. Distributed tables carry `profile_id` and are sharded by it,
 * reference tables are copied to every node, local ones stay on the coordinator.
 */
export type TableKind = 'distributed' | 'reference' | 'local'

export const tableKinds: Record<string, TableKind> = {
  api_usage: 'local',
  app_authorizations: 'reference',
  app_dpa_acceptances: 'reference',
  apps: 'reference',
  audit_log: 'local',
  credentials: 'reference',
  idempotency_keys: 'local',
  invitations: 'reference',
  pii_access_log: 'distributed',
  profile_entitlements: 'reference',
  profile_members: 'reference',
  profiles: 'reference',
  rate_buckets: 'local',
  schema_migrations: 'local',
  service_clock: 'local',
  session_activity: 'local',
  users: 'reference',
  workspace_branding: 'reference',
  workspace_members: 'reference',
  workspace_subscriptions: 'reference',
  workspaces: 'reference',
}
