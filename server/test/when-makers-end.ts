/**
 * What happens to the rows of every table when the app, person or key that created them loses the permission.
 * `tables.test.ts` compares the list with the schema and performs the endings that have a condition.
 */
export type MakerRule = {
  /** All columns that name who created, owns or decided on the row. */
  by: readonly string[]
  app: Ending
  person: Ending
}
type Ending =
  /** SQL condition that holds for the row afterwards. */
  | { ends: string; how: string }
  /** The owners get a mail that names it. */
  | { passes: string }
  /** Nothing to end: why. */
  | { stays: string }

const noApp = { stays: 'apps cannot create it' } as const
const past = { stays: 'records what happened' } as const
const ownAccount = { stays: 'of the person’s own account; membership is checked separately' } as const
const madeBy = ['made_by_credential_id', 'made_by_user_id'] as const

export const whenMakersEnd: Record<string, MakerRule> = {
  account_links: {
    by: ['user_id'],
    app: noApp,
    person: { stays: 'a mailed link to the person’s own account, which expires' },
  },
  alert_rules: {
    by: ['authorization_id'],
    app: { ends: 'not enabled', how: 'disabled' },
    person: { stays: 'a setting of the profile; it notifies receivers that have rules of their own' },
  },
  api_usage: { by: ['credential_id'], app: past, person: past },
  app_authorizations: {
    by: ['app_id', 'user_id', 'withdrawn_by_user_id'],
    app: { ends: 'revoked_at is not null', how: 'revoked' },
    person: { passes: 'the owners decide whether the app keeps its access' },
  },
  app_dpa_acceptances: {
    by: ['accepted_by_user_id', 'app_id'],
    app: noApp,
    person: { stays: 'an agreement of the workspace, not of the person' },
  },
  audience_lists: {
    by: ['authorization_id'],
    app: { ends: 'ended_at is not null', how: 'accepts no further people' },
    person: { stays: 'each transfer is a request with its own credential' },
  },
  brief_receivers: {
    by: ['created_by', 'user_id'],
    app: noApp,
    person: { passes: 'webhooks pass; the person’s own mails need a membership at each delivery' },
  },
  client_reports: { by: ['approved_by', 'created_by'], app: noApp, person: past },
  connection_grants: {
    by: ['app_id', 'authorization_id'],
    app: { stays: 'shows the connection to keys of the app, which are revoked' },
    person: { stays: 'of apps only' },
  },
  connections: {
    by: ['authorization_id', ...madeBy],
    app: { ends: "status = 'revoked' and token is null", how: 'disconnected if no person confirmed it' },
    person: { passes: 'connections with a pasted secret; the business’s systems send to them' },
  },
  credentials: {
    by: ['app_id', 'authorization_id', 'made_by_user_id', 'user_id'],
    app: { ends: 'revoked_at is not null', how: 'revoked' },
    person: { passes: 'API keys and app secrets; user tokens need a membership at each request' },
  },
  customer_merges: { by: ['merged_by', 'undone_by'], app: past, person: past },
  data_export_destinations: {
    by: madeBy,
    app: noApp,
    person: { ends: 'not enabled and next_run_at is null', how: 'disabled' },
  },
  export_destinations: {
    by: ['authorization_id', ...madeBy],
    app: { ends: 'not enabled', how: 'disabled' },
    person: { ends: 'not enabled', how: 'disabled' },
  },
  export_settings: {
    by: ['agreement_signed_by'],
    app: { stays: 'a setting of the profile, in the audit log' },
    person: { stays: 'an agreement of the business' },
  },
  handoffs: {
    by: ['governing_app_id', 'minted_app_id', 'minted_authorization_id'],
    app: { ends: "status <> 'pending' or expires_at <= clock_timestamp()", how: 'expired' },
    person: { stays: 'expires within hours, and needs a consent at the provider' },
  },
  invitations: {
    by: ['invited_by_user_id'],
    app: noApp,
    person: { ends: 'revoked_at is not null', how: 'revoked' },
  },
  key_copies: {
    by: ['app_id', 'authorization_id', 'user_id'],
    app: { stays: 'a copy of a credential, updated with it' },
    person: { stays: 'a copy of a credential, updated with it' },
  },
  link_decisions: { by: ['decided_by'], app: past, person: past },
  live_links: {
    by: ['created_by'],
    app: noApp,
    person: { passes: 'clients use them; they show figures only and expire' },
  },
  mcp_settings: { by: ['updated_by'], app: noApp, person: { stays: 'a setting of the workspace' } },
  mcp_writeback_audits: { by: ['credential_id', 'user_id'], app: past, person: past },
  merge_proposals: { by: ['decided_by'], app: past, person: past },
  notification_reads: {
    by: ['user_id'],
    app: noApp,
    person: { stays: 'read markers of the person' },
  },
  operator_log: { by: ['user_id'], app: past, person: past },
  outbox_events: { by: ['app_id'], app: past, person: past },
  performer_snapshots: {
    by: ['made_by_user_id'],
    app: noApp,
    person: { passes: 'readers use them; frozen figures that expire' },
  },
  phone_repairs: { by: ['created_by'], app: past, person: past },
  profile_members: {
    by: ['user_id'],
    app: { stays: 'people stay members' },
    person: { stays: 'deleted with the member' },
  },
  profiles: {
    by: ['governing_authorization_id', 'provisioned_by_app_id'],
    app: { stays: 'withdrawAuthorization clears the governing authorization' },
    person: { stays: 'belongs to the workspace' },
  },
  saved_views: {
    by: ['user_id'],
    app: { stays: 'filters of a page; no figures' },
    person: { stays: 'filters of a page; no figures' },
  },
  recovery_codes: { by: ['user_id'], app: noApp, person: ownAccount },
  remembered_devices: { by: ['user_id'], app: noApp, person: ownAccount },
  session_activity: { by: ['credential_id'], app: past, person: past },
  session_details: { by: ['credential_id', 'user_id'], app: noApp, person: ownAccount },
  sign_in_challenges: { by: ['user_id'], app: noApp, person: ownAccount },
  user_factors: { by: ['credential_id', 'user_id'], app: noApp, person: ownAccount },
  tab_looks: { by: ['user_id'], app: noApp, person: { stays: 'read markers of the person' } },
  tracking_domains: {
    by: ['authorization_id'],
    app: { ends: "status = 'failed'", how: 'no longer the origin of the tracker' },
    person: { stays: 'an address of the business’s own site; data only comes in' },
  },
  webhook_subscriptions: {
    by: ['app_id', 'authorization_id', ...madeBy],
    app: { ends: "status = 'paused'", how: 'paused' },
    person: { ends: "status = 'paused'", how: 'paused' },
  },
  workspace_members: {
    by: ['user_id'],
    app: { stays: 'people stay members' },
    person: { stays: 'deleted with the member' },
  },
  workspaces: {
    by: ['created_by_user_id', 'provisioned_by_app_id'],
    app: { stays: 'belongs to its owners' },
    person: { stays: 'belongs to its owners' },
  },
}

/** Tables whose rows no person creates as an object of its own, by reason. */
export const withoutMakers: Record<string, readonly string[]> = {
  'what happened, and what is computed from it': [
    ...[
      'ad_attention_days',
      'ad_clicks',
      'ad_consents',
      'ad_creatives',
      'ad_delivery',
      'ad_entities',
      'ad_entity_versions',
    ],
    ...['ad_frequency_days', 'ad_paths', 'ad_people', 'ad_score_days', 'ad_score_runs', 'ad_score_windows'],
    ...['ad_scores', 'ad_targetings', 'ad_thumbnails', 'alert_events', 'appointments', 'attribution_state'],
    ...['brief_deliveries', 'campaign_settings_days', 'campaign_settings_seen', 'conversation_messages'],
    ...['chat_codes', 'short_link_days', 'short_link_versions'],
    ...[
      'conversations',
      'consent_daily',
      'conversion_daily',
      'conversions',
      'credit_daily',
      'credit_spans',
      'credits',
    ],
    ...['customer_data_export_parts', 'customer_data_exports'],
    ...['customer_names', 'data_driven_history', 'data_driven_models', 'declared_answers', 'delivery_daily'],
    ...['delivery_spans', 'doctor_checks', 'erased_customers', 'erasures', 'event_agents', 'event_keys'],
    ...[
      'event_quarantine',
      'event_queue',
      'events',
      'excluded_daily',
      'fx_rates',
      'held_daily',
      'identifiers',
    ],
    ...[
      'identity_links',
      'identity_traits',
      'order_events',
      'outbox_counters',
      'paid_touch_daily',
      'payments',
    ],
    ...['phone_repair_events', 'platform_daily', 'provider_leads', 'raw_event_walks', 'reach_ads'],
    ...['reach_daily', 'reach_first', 'recommendations', 'recomputes', 'refunds', 'refunds_waiting'],
    ...['refused_events', 'report_changes', 'reported_refunds', 'restatements', 'search_queries'],
    ...[
      'set_aside_records',
      'store_orders',
      'touch_sources',
      'touches',
      'unassigned_daily',
      'used_visit_tokens',
      'uncredited_daily',
      'utm_scans',
    ],
  ],
  'settings of a profile or workspace, changed in place; the audit log names who': [
    ...['annotations', 'attribution_settings', 'audience_exclusions', 'channel_overrides'],
    ...['declared_vocabulary', 'entered_rates', 'experiments', 'goal_targets', 'goals', 'pacing_targets'],
    ...[
      'short_links',
      'payment_marks',
      'profile_entitlements',
      'sender_domains',
      'stage_mappings',
      'tracking_settings',
    ],
    ...['workspace_branding', 'workspace_subscriptions'],
  ],
  'mailed to addresses; the address of a removed member is taken off': ['report_schedules'],
  'part of an object that ends as a whole': [
    ...['apps', 'audience_members', 'audience_removals', 'audience_runs', 'bank_links', 'calendars'],
    ...['chat_accounts', 'chat_templates', 'client_report_mails', 'connection_accounts', 'connection_pages'],
    ...['connection_syncs', 'conversion_exports', 'data_export_files', 'data_export_runs'],
    ...['export_requests', 'export_runs', 'manual_stores', 'pending_selections', 'webhook_deliveries'],
    ...['webhook_fanouts', 'webhook_queues', 'oauth_clients'],
  ],
  'one request, finished within minutes': [
    ...['conversation_replies', 'idempotency_keys', 'mail_messages', 'tracking_verifications'],
  ],
  logs: ['audit_log', 'pii_access_log', 'report_unsubscribes', 'provider_webhooks'],
  'the service itself': [
    ...[
      'compacted_event_months',
      'job_schedules',
      'jobs',
      'key_holders',
      'last_backup',
      'profile_locks',
      'rate_buckets',
    ],
    ...['readiness_probe', 'schema_migrations', 'sealing_key', 'service_clock', 'service_processes'],
    ...['service_secrets', 'users'],
  ],
}
