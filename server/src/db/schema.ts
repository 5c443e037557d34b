/** Generated from the migrated database by `npm run generate`. */
import type { ColumnType } from 'kysely'

export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
export type Json = ColumnType<unknown, string, string>
export type Timestamp = ColumnType<Date, Date | string, Date | string>

export interface ApiUsageTable {
  credential_id: string
  day: string
  errors: number
  requests: number
  route: string
}

export interface AppAuthorizationsTable {
  app_id: string
  created_at: Timestamp
  grant_name: string
  id: string
  profile_id: string
  revoked_at: Timestamp | null
  scopes: string[]
  user_id: string | null
}

export interface AppDpaAcceptancesTable {
  accepted_at: Timestamp
  accepted_by_user_id: string
  app_id: string
  version: string
  withdrawn_at: Timestamp | null
  workspace_id: string
}

export interface AppsTable {
  allowed_return_origins: string[]
  allowed_scopes: string[]
  client_id: string
  created_at: Timestamp
  id: string
  logo_url: string | null
  name: string
  redirect_uris: string[]
  updated_at: Timestamp
  workspace_id: string
}

export interface AuditLogTable {
  action: string
  actor_id: string | null
  actor_kind: string
  detail: Json
  id: string
  occurred_at: Timestamp
  profile_id: string | null
  request_id: string | null
  subject: string | null
  workspace_id: string
}

export interface CredentialsTable {
  app_id: string | null
  authorization_id: string | null
  created_at: Timestamp
  detail: Json | null
  expires_at: Timestamp | null
  grant_name: string | null
  hint: string
  id: string
  kind: string
  lookup_hash: Buffer
  name: string | null
  profile_id: string | null
  revoked_at: Timestamp | null
  scopes: Generated<string[]>
  user_id: string | null
  workspace_id: string | null
}

export interface IdempotencyKeysTable {
  body: Buffer | null
  created_at: Timestamp
  expires_at: Timestamp
  fingerprint: Buffer
  key: string
  method: string
  path: string
  scope: string
  sealed: boolean
  status: number
}

export interface InvitationsTable {
  accepted_at: Timestamp | null
  created_at: Timestamp
  email: string
  email_lower: string
  expires_at: Timestamp
  id: string
  invited_by_user_id: string | null
  permissions: Generated<string[]>
  profile_id: string | null
  revoked_at: Timestamp | null
  role: string
  token_hash: Buffer
  workspace_id: string
}

export interface PiiAccessLogTable {
  actor_id: string | null
  actor_kind: string
  customer_ids: string[]
  id: string
  occurred_at: Timestamp
  profile_id: string
  request_id: string | null
  route: string
  row_count: number
  workspace_id: string
}

export interface ProfileEntitlementsTable {
  enabled: boolean
  feature: string
  profile_id: string
  updated_at: Timestamp
}

export interface ProfileMembersTable {
  created_at: Timestamp
  id: string
  permissions: Generated<string[]>
  profile_id: string
  role: string
  user_id: string
}

export interface ProfilesTable {
  archived_at: Timestamp | null
  created_at: Timestamp
  currency: string
  id: string
  is_demo: Generated<boolean>
  name: string
  privacy_mode: Generated<string>
  provisioned_by_app_id: string | null
  timezone: string
  workspace_id: string
}

export interface RateBucketsTable {
  full_at_ms: number
  key: string
}

export interface SchemaMigrationsTable {
  applied_at: Timestamp
  name: string
}

export interface ServiceClockTable {
  id: number
  offset_ms: number
}

export interface SessionActivityTable {
  credential_id: string
  last_used_at: Timestamp
}

export interface UsersTable {
  created_at: Timestamp
  email: string
  email_lower: string
  id: string
  name: string
  password_hash: string | null
}

export interface WorkspaceBrandingTable {
  accent_color: string | null
  display_name: string | null
  logo: Buffer | null
  logo_etag: string | null
  logo_type: string | null
  primary_color: string | null
  support_email: string | null
  updated_at: Timestamp
  website_url: string | null
  workspace_id: string
}

export interface WorkspaceMembersTable {
  created_at: Timestamp
  role: string
  user_id: string
  workspace_id: string
}

export interface WorkspaceSubscriptionsTable {
  current_period_end: Timestamp | null
  current_period_start: Timestamp
  plan: string
  status: string
  trial_ends_at: Timestamp | null
  updated_at: Timestamp
  workspace_id: string
}

export interface WorkspacesTable {
  acquisition_source: string
  archived_at: Timestamp | null
  created_at: Timestamp
  created_by_user_id: string | null
  healthcare: Generated<boolean>
  id: string
  name: string
  plan: string
  provisioned_by_app_id: string | null
  reporting_currency: string | null
  timezone: string
}

export interface DB {
  api_usage: ApiUsageTable
  app_authorizations: AppAuthorizationsTable
  app_dpa_acceptances: AppDpaAcceptancesTable
  apps: AppsTable
  audit_log: AuditLogTable
  credentials: CredentialsTable
  idempotency_keys: IdempotencyKeysTable
  invitations: InvitationsTable
  pii_access_log: PiiAccessLogTable
  profile_entitlements: ProfileEntitlementsTable
  profile_members: ProfileMembersTable
  profiles: ProfilesTable
  rate_buckets: RateBucketsTable
  schema_migrations: SchemaMigrationsTable
  service_clock: ServiceClockTable
  session_activity: SessionActivityTable
  users: UsersTable
  workspace_branding: WorkspaceBrandingTable
  workspace_members: WorkspaceMembersTable
  workspace_subscriptions: WorkspaceSubscriptionsTable
  workspaces: WorkspacesTable
}
