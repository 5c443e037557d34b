/**
 * How each table lives on Citus. Distributed tables carry `profile_id` and are sharded by it,
 * reference tables are copied to every node, local ones stay on the coordinator.
 */
export type TableKind = 'distributed' | 'reference' | 'local'

export const tableKinds: Record<string, TableKind> = {
  ad_delivery: 'distributed',
  ad_entities: 'distributed',
  ad_paths: 'distributed',
  api_usage: 'local',
  app_authorizations: 'reference',
  app_dpa_acceptances: 'reference',
  apps: 'reference',
  attribution_settings: 'distributed',
  attribution_state: 'distributed',
  audit_log: 'local',
  connection_accounts: 'reference',
  connection_grants: 'distributed',
  connection_pages: 'distributed',
  connection_syncs: 'distributed',
  connections: 'distributed',
  conversations: 'distributed',
  conversion_daily: 'distributed',
  conversion_exports: 'distributed',
  conversions: 'distributed',
  credentials: 'reference',
  credit_daily: 'distributed',
  credits: 'distributed',
  customer_merges: 'distributed',
  customers: 'distributed',
  event_keys: 'distributed',
  event_queue: 'distributed',
  events: 'distributed',
  fx_rates: 'reference',
  goals: 'distributed',
  handoffs: 'local',
  idempotency_keys: 'local',
  identifiers: 'distributed',
  identity_links: 'distributed',
  identity_traits: 'distributed',
  invitations: 'reference',
  job_schedules: 'local',
  jobs: 'local',
  manual_stores: 'distributed',
  outbox_counters: 'distributed',
  outbox_events: 'distributed',
  payments: 'distributed',
  pending_selections: 'distributed',
  pii_access_log: 'distributed',
  profile_entitlements: 'reference',
  profile_members: 'reference',
  profiles: 'reference',
  provider_contacts: 'distributed',
  provider_leads: 'distributed',
  provider_webhooks: 'local',
  rate_buckets: 'local',
  recomputes: 'distributed',
  refunds: 'distributed',
  refunds_waiting: 'distributed',
  schema_migrations: 'local',
  search_queries: 'distributed',
  service_clock: 'local',
  service_secrets: 'local',
  session_activity: 'local',
  stage_mappings: 'distributed',
  touches: 'distributed',
  users: 'reference',
  workspace_branding: 'reference',
  workspace_members: 'reference',
  workspace_subscriptions: 'reference',
  workspaces: 'reference',
}

/**
 * Distributed tables whose rows outlive the purge of an archived profile, with the count of the
 * archive's answer that tells them.
 */
export const keptOnPurge: Record<
  string,
  'retained_conversion_exports' | 'retained_signal_audit_rows' | null
> = {
  pii_access_log: null,
}
