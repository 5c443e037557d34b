/** Generated from the migrated database by `npm run generate`. */
import type { ColumnType } from 'kysely'

export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
export type Json = ColumnType<unknown, string, string>
export type Timestamp = ColumnType<Date, Date | string, Date | string>

export interface AccountLinksTable {
  created_at: Timestamp
  email: string
  expires_at: Timestamp
  id: string
  purpose: string
  token_hash: Buffer
  user_id: string
}

export interface AdAttentionDaysTable {
  ad_id: string
  day: string
  link_clicks: number | null
  profile_id: string
  quality_ranking: number | null
  thruplays: number | null
  video_p100: number | null
  video_p25: number | null
  video_p50: number | null
  video_p75: number | null
  video_views: number | null
}

export interface AdClicksTable {
  ad_external_id: string | null
  ad_set_external_id: string | null
  campaign_external_id: string | null
  click_id: string
  click_id_kind: string
  connection_id: string
  day: string
  is_used: boolean
  profile_id: string
}

export interface AdCreativesTable {
  ad_id: string
  aspect_ratio_milli: number | null
  body: string | null
  card_count: number | null
  cta_type: string | null
  destination_url: string | null
  duration_ms: number | null
  format: string | null
  landing_host: string | null
  profile_id: string
  thumbnail_url: string | null
  title: string | null
  updated_at: Timestamp
  url_tags: string | null
  video_id: string | null
}

export interface AdDeliveryTable {
  clicks: number | null
  currency: string
  day: string
  entity_id: string
  impressions: number | null
  level: string
  messaging_started_7d: number | null
  platform_conversions_milli: number | null
  platform_value_minor: number | null
  profile_id: string
  reach: number | null
  report_platform_value_minor: number | null
  report_spend_minor: number | null
  source: string
  spend_minor: number
  updated_at: Timestamp
}

export interface AdEntitiesTable {
  ad_set_id: string | null
  campaign_id: string | null
  connection_id: string | null
  creative: Json | null
  currency: string | null
  daily_budget_minor: number | null
  external_id: string
  id: string
  level: string
  lifetime_budget_minor: number | null
  name: string | null
  objective: string | null
  profile_id: string
  source: string | null
  status: string | null
  updated_at: Timestamp
  written_at: Timestamp | null
}

export interface AdEntityVersionsTable {
  ad_set_id: string | null
  campaign_id: string | null
  connection_id: string | null
  currency: string | null
  daily_budget_minor: number | null
  entity_id: string
  name: string | null
  objective: string | null
  profile_id: string
  replaced_at: Timestamp
  source: string | null
  status: string | null
}

export interface AdFrequencyDaysTable {
  ad_id: string
  day: string
  frequency_milli: number
  profile_id: string
  reach: number | null
}

export interface AdPathsTable {
  ad_id: string | null
  ad_set_id: string | null
  campaign_id: string | null
  number: number
  platform: string | null
  profile_id: string
  source: string | null
}

export interface AdPeopleTable {
  customer_id: string
  profile_id: string
  reached: Json
}

export interface AdScoreDaysTable {
  ad_id: string
  audience_warmth: string
  channel: string
  daily_budget_minor: number | null
  day: string
  day_impressions: number
  day_link_clicks: number
  first_day: string | null
  format: string
  frequency_milli: number | null
  geo: string
  objective: string
  placement: string
  profile_id: string
  settled_cash: number
  settled_messaging: number
  settled_pipeline: number
  settled_spend_minor: number
  status: string | null
}

export interface AdScoreRunsTable {
  ads: number
  day: string
  finished_at: Timestamp | null
  lags: Json
  model: Json | null
  profile_id: string
  result_hash: string | null
  started_at: Timestamp
  state: string
  steps_done: number
  steps_total: number
}

export interface AdScoreWindowsTable {
  active_days: number
  ad_id: string
  cash_exposure_micro: number
  cash_outcomes: number
  clicks: number
  day: string
  impressions: number
  link_clicks: number
  messaging_outcomes: number
  messaging_started: number
  outcomes: number
  pipeline_exposure_micro: number
  pipeline_minor: number
  pipeline_outcomes: number
  platform_conversions_milli: number
  platform_value_minor: number
  profile_id: string
  ranked_days: number
  ranking_points: number
  revenue_minor: number
  score_window: string
  spend_minor: number
  thruplays: number
  video_impressions: number
  video_views: number
}

export interface AdScoresTable {
  above_median: number | null
  ad_id: string
  composite_score: number | null
  day: string
  facts: Json
  fatigue: string
  format: string
  has_video: boolean
  maturity_stage: string
  objective: string
  posterior_rate: number | null
  posterior_shape: number | null
  primary_outcome_kind: string
  profile_id: string
  score_window: string
  spend_minor: number
  truth_grade: string
}

export interface AdTargetingsTable {
  audience_warmth: string | null
  entity_id: string
  geo: string | null
  placement: string | null
  profile_id: string
  updated_at: Timestamp
}

export interface AdThumbnailsTable {
  ad_id: string
  bytes: Buffer | null
  content_type: string | null
  fetched_at: Timestamp
  profile_id: string
  source_hash: string
}

export interface AnnotationsTable {
  created_at: Timestamp
  day: string
  id: string
  profile_id: string
  text: string
  updated_at: Timestamp
}

export interface ApiUsageTable {
  credential_id: string
  day: string
  errors: number
  requests: number
  route: string
}

export interface AppAuthorizationsTable {
  allows_adoption: Generated<boolean>
  app_id: string
  created_at: Timestamp
  grant_name: string
  id: string
  profile_id: string
  revoked_at: Timestamp | null
  scopes: string[]
  user_id: string | null
  withdrawn_by_user_id: string | null
}

export interface AppDpaAcceptancesTable {
  accepted_at: Timestamp
  accepted_by_user_id: string
  app_id: string
  version: string
  withdrawn_at: Timestamp | null
  workspace_id: string
}

export interface AppointmentsTable {
  booked_at: Timestamp
  calendar_id: string | null
  cancelled_at: Timestamp | null
  check_at: Timestamp | null
  connection_id: string
  ends_at: Timestamp | null
  external_id: string
  identifier_id: string
  profile_id: string
  provider: string
  reported: Generated<string[]>
  seen_at: Timestamp
  starts_at: Timestamp
  state: string
}

export interface AppsTable {
  allowed_return_origins: string[]
  allowed_scopes: string[]
  client_id: string
  created_at: Timestamp
  dpa_accepted: Generated<boolean>
  id: string
  logo_url: string | null
  name: string
  redirect_uris: string[]
  updated_at: Timestamp
  workspace_id: string
}

export interface AttributionSettingsTable {
  applied_first_touch_lookback_days: number | null
  applied_half_life_days: number | null
  applied_lookback_days: number | null
  first_touch_lookback_days: number
  grace_hours: number | null
  half_life_days: number
  longest_grace_hours: number | null
  lookback_days: number
  profile_id: string
  updated_at: Timestamp
}

export interface AttributionStateTable {
  computed_through: Timestamp | null
  freshness: string
  profile_id: string
  updated_at: Timestamp
}

export interface AudienceExclusionsTable {
  added_at: Timestamp
  customer_id: string | null
  id: string
  person_hash: Buffer | null
  profile_id: string
  reason: string | null
}

export interface AudienceListsTable {
  authorization_id: string | null
  connection_id: string
  created_at: Timestamp
  ended_at: Timestamp | null
  external_id: string
  id: string
  name: string | null
  profile_id: string
}

export interface AudienceMembersTable {
  added_at: Timestamp
  identifier_id: string
  list_id: string
  profile_id: string
}

export interface AudienceRemovalsTable {
  attempts: number
  created_at: Timestamp
  id: string
  list_id: string
  members: Buffer
  profile_id: string
}

export interface AudienceRunsTable {
  created_at: Timestamp
  id: string
  list_id: string
  operation: string
  profile_id: string
  provider_request_id: string | null
  received: number
  removed: number
  sent: number
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

export interface BankLinksTable {
  apps: Json
  claim_id: string | null
  claimed_until: Timestamp | null
  connection_id: string | null
  finished_at: Timestamp | null
  profile_id: string
  refusal: string | null
  started_at: Timestamp
  token_hash: Buffer
}

export interface CalendarsTable {
  connection_id: string
  created_at: Timestamp
  external_id: string
  is_managed: Generated<boolean>
  is_primary: boolean
  name: string
  profile_id: string
  read_at: Timestamp | null
  sync_token: string | null
  timezone: string | null
  whole_read_at: Timestamp | null
}

export interface CampaignSettingsDaysTable {
  currency: string | null
  daily_budget_minor: number | null
  day: string
  entity_id: string
  profile_id: string
  status: string | null
}

export interface CampaignSettingsSeenTable {
  daily_budget_minor: number | null
  entity_id: string
  lifetime_budget_minor: number | null
  profile_id: string
  since: Timestamp
  status: string | null
}

export interface ChannelOverridesTable {
  channel: string
  kind: string
  position: number
  profile_id: string
  updated_at: Timestamp
  value: string
}

export interface ChatAccountsTable {
  account_id: string
  connection_id: string
  name: string
  profile_id: string
  synced_at: Timestamp
}

export interface ChatTemplatesTable {
  account_id: string
  category: string | null
  language: string
  name: string
  profile_id: string
  status: string | null
  template_id: string
  updated_at: Timestamp
}

export interface ClientReportMailsTable {
  id: string
  profile_id: string
  reason: string | null
  recipient: string
  report_id: string
  sent_at: Timestamp | null
  status: string
}

export interface ClientReportsTable {
  approved_by: string | null
  batch_id: string
  content: Buffer | null
  created_at: Timestamp
  created_by: string | null
  date_from: string
  date_to: string
  detail: string | null
  format: string
  headline: Json | null
  id: string
  language: string
  model: string
  needs_approval: boolean
  period: string
  profile_id: string
  ready_at: Timestamp | null
  reason: string | null
  result_hash: string | null
  scheduled_for: Timestamp | null
  sends: boolean
  sent_at: Timestamp | null
  status: string
}

export interface CompactedEventMonthsTable {
  compacted_at: Timestamp
  month: string
}

export interface ConnectionAccountsTable {
  claim_key: string
  connection_id: string
  created_at: Timestamp
  external_id: string
  profile_id: string
  provider: string
  workspace_id: string
}

export interface ConnectionGrantsTable {
  app_id: string
  authorization_id: string | null
  connection_id: string
  granted_at: Timestamp
  profile_id: string
  revoked_at: Timestamp | null
}

export interface ConnectionPagesTable {
  category: string | null
  connection_id: string
  created_at: Timestamp
  name: string
  page_id: string
  profile_id: string
}

export interface ConnectionSyncsTable {
  connection_id: string
  cursor: string | null
  first_success_at: Timestamp | null
  last_attempt_at: Timestamp | null
  last_error: string | null
  last_success_at: Timestamp | null
  next_run_at: Timestamp | null
  pages: number
  profile_id: string
  progress_done: number | null
  progress_total: number | null
  progress_unit: string | null
  since_day: string | null
  state: string
  until_day: string | null
  updated_at: Timestamp
}

export interface ConnectionsTable {
  authorized_at: Timestamp
  created_at: Timestamp
  currency: string | null
  dataset_id: string | null
  display_name: string
  external_id: string
  id: string
  pages_version: Generated<number>
  parent_id: string | null
  profile_id: string
  provider: string
  provider_subtype: string | null
  refresh_lease_id: string | null
  refresh_lease_until: Timestamp | null
  scopes: string[]
  status: string
  status_reason: string | null
  timezone: string | null
  token: Buffer | null
  token_expires_at: Timestamp | null
  token_issued_at: Timestamp | null
  token_refresh_at: Timestamp | null
  token_version: number
  updated_at: Timestamp
}

export interface ConversationMessagesTable {
  ad_id: string | null
  conversation_id: string
  id: string
  kind: string
  occurred_at: Timestamp
  profile_id: string
}

export interface ConversationRepliesTable {
  connection_id: string
  conversation_id: string
  created_at: Timestamp
  human_agent: boolean
  id: string
  kind: string
  profile_id: string
  provider_key: string | null
  reason: string | null
  request_hash: string | null
  request_key: string | null
  settled_at: Timestamp | null
  status: string
  template_language: string | null
  template_name: string | null
}

export interface ConversationsTable {
  account_id: string | null
  channel: string
  connection_id: string | null
  external_id: string
  first_message_id: string | null
  first_reply_at: Timestamp | null
  id: string
  identifier_id: string | null
  last_message_at: Timestamp | null
  lead_event_id: string | null
  messages: Generated<number>
  number_id: string | null
  profile_id: string
  referral: Json | null
  started_at: Timestamp
  started_event_id: string | null
}

export interface ConversionDailyTable {
  conversions: number
  day: string
  fx_missing: number
  outcome_type: string
  profile_id: string
  revenue_type: string
  value_minor: number
}

export interface ConversionExportsTable {
  adjustment: Generated<string>
  adjustment_no: Generated<number>
  attempts: Generated<number>
  conversion_id: string
  created_at: Timestamp
  currency: string | null
  destination_id: string
  detail: string | null
  event_id: string
  event_id_source: string | null
  event_name: string | null
  first_tried_at: Timestamp | null
  goal_id: string | null
  id: string
  payload_hash: Buffer | null
  profile_id: string
  reason: string | null
  request_id: string | null
  run_id: string | null
  settled_at: Timestamp | null
  status: string
  value_minor: number | null
}

export interface ConversionsTable {
  attribution_eligible: boolean
  currency: string | null
  day: string
  duplicate_of: string | null
  event_id: string
  external_id: string | null
  goal_id: string
  id: string
  identifier_id: string
  occurred_at: Timestamp
  outcome_type: string
  profile_id: string
  provider: string | null
  recorded_at: Timestamp
  report_value_minor: number | null
  revenue_type: string
  unconfirmed: Generated<boolean>
  value_minor: number | null
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

export interface CreditDailyTable {
  day: string
  entity_id: string
  first_touch_count: number
  first_touch_minor: number
  last_non_direct_count: number
  last_non_direct_minor: number
  last_touch_count: number
  last_touch_minor: number
  level: string
  linear_count: number
  linear_minor: number
  linear_share_high: Generated<number>
  linear_share_low: Generated<number>
  outcome_type: string
  profile_id: string
  revenue_type: string
  time_decay_count: number
  time_decay_minor: number
  time_decay_share_high: Generated<number>
  time_decay_share_low: Generated<number>
}

export interface CreditSpansTable {
  entity_id: string
  first_touch_count: number
  first_touch_minor: number
  last_non_direct_count: number
  last_non_direct_minor: number
  last_touch_count: number
  last_touch_minor: number
  level: string
  linear_count: number
  linear_minor: number
  linear_share_high: Generated<number>
  linear_share_low: Generated<number>
  outcome_type: string
  profile_id: string
  revenue_type: string
  span: number
  start: string
  time_decay_count: number
  time_decay_minor: number
  time_decay_share_high: Generated<number>
  time_decay_share_low: Generated<number>
}

export interface CreditsTable {
  conversion_id: string
  packed: Buffer
  profile_id: string
}

export interface CustomerMergesTable {
  from_customer_id: string
  id: string
  into_customer_id: string
  merged_at: Timestamp
  merged_by: string | null
  profile_id: string
  undone_at: Timestamp | null
  undone_by: string | null
}

export interface CustomerNamesTable {
  identifier_id: string
  profile_id: string
  tokens: number[]
}

export interface DeclaredAnswersTable {
  answer_key: string
  answer_text: string | null
  asked_at: Timestamp
  created_at: Timestamp
  id: string
  identifier_id: string | null
  order_ref: string | null
  profile_id: string
  source: string
}

export interface DeclaredVocabularyTable {
  channels: Generated<string[]>
  key: string
  label_en: string
  label_es: string
  position: number
  profile_id: string
}

export interface DeliveryDailyTable {
  clicks: number | null
  day: string
  entity_id: string
  fx_missing: number
  impressions: number | null
  level: string
  messaging_started_7d: number | null
  platform_conversions_milli: number | null
  platform_value_minor: number | null
  profile_id: string
  reach: number | null
  source: string
  spend_minor: number
}

export interface DeliverySpansTable {
  clicks: number | null
  entity_id: string
  fx_missing: number
  impressions: number | null
  level: string
  messaging_started_7d: number | null
  platform_conversions_milli: number | null
  platform_value_minor: number | null
  profile_id: string
  reach: number | null
  source: string
  span: number
  spend_minor: number
  start: string
}

export interface DoctorChecksTable {
  affected: number
  check_id: string
  checked_at: Timestamp
  examples: Json
  opened_at: Timestamp | null
  profile_id: string
  since: string | null
  status: string
  value_minor: number | null
}

export interface EnteredRatesTable {
  currency: string
  day: string
  profile_id: string
  rate: string
  target: string
  updated_at: Timestamp
}

export interface ErasedCustomersTable {
  erased_at: Timestamp
  id: string
  profile_id: string
}

export interface ErasuresTable {
  completed_at: Timestamp | null
  conversions: number
  customer_id: string | null
  erased_as: string
  events: number
  id: string
  identifier_ids: string[] | null
  identifiers: number
  payments: number
  profile_id: string
  requested_at: Timestamp
  selector_hash: Buffer
  state: string
  swept_at: Timestamp | null
  swept_id: string | null
  touches: number
}

export interface EventAgentsTable {
  cookies: Json | null
  event_id: string
  ip: string | null
  kept_at: Timestamp
  profile_id: string
  user_agent: string
}

export interface EventKeysTable {
  content_hash: Buffer
  erased_as: string | null
  event_id: string
  occurred_at: Timestamp
  profile_id: string
  retracted_at: Timestamp | null
}

export interface EventQuarantineTable {
  detail: string | null
  dropped_at: Timestamp | null
  event_id: string
  profile_id: string
  reason: string
  set_aside_at: Timestamp
}

export interface EventQueueTable {
  cause: string | null
  event_ids: string[]
  event_times: Timestamp[]
  id: string
  is_update: boolean
  profile_id: string
}

export interface EventsTable {
  anonymous_id: string | null
  body: Json
  external_id: string | null
  id: string
  is_bot: Generated<boolean>
  name: string
  occurred_at: Timestamp
  profile_id: string
  provider: string | null
  received_at: Timestamp
  session_id: string | null
  source: string
}

export interface ExperimentsTable {
  canceled_at: Timestamp | null
  cells: Json
  connection_id: string
  decision: Json | null
  ends_at: Timestamp | null
  external_id: string
  id: string
  kind: string
  name: string
  observation_ends_at: Timestamp | null
  platform_reading: Json | null
  profile_id: string
  provider: string
  starts_at: Timestamp | null
  updated_at: Timestamp
}

export interface ExportDestinationsTable {
  access_token: Buffer | null
  authorization_id: string | null
  connection_id: string | null
  created_at: Timestamp
  data_source: string | null
  destination_key: string
  display_name: string
  enabled: boolean
  enabled_at: Timestamp
  event_id_source: Generated<string>
  event_map: Json
  id: string
  is_owner_decision: Generated<boolean>
  kind: string
  profile_id: string
  retries: number
  retry_at: Timestamp | null
  status_reason: string | null
  target_id: string
  test_event_code: string | null
  updated_at: Timestamp
}

export interface ExportRequestsTable {
  checked_at: Timestamp | null
  counts: Json
  created_at: Timestamp
  destination_id: string
  events: number
  id: string
  polls: number
  profile_id: string
  provider_request_id: string | null
  row_ids: string[] | null
  run_id: string
  settled_at: Timestamp | null
  status: string | null
  target_id: string
}

export interface ExportRunsTable {
  destination_id: string
  failed: number
  finished_at: Timestamp | null
  id: string
  profile_id: string
  reason: string | null
  sent: number
  skipped: number
  started_at: Timestamp
  status: string
}

export interface ExportSettingsTable {
  agreement_signed_at: Timestamp | null
  agreement_signed_by: string | null
  clean_dataset_id: string | null
  conversions: Json | null
  healthcare_allowlist: string[]
  partner_customer_list: boolean
  profile_id: string
  target: string
  updated_at: Timestamp
}

export interface FxRatesTable {
  base: string
  currency: string
  day: string
  rate: string
}

export interface GoalsTable {
  attribution_eligible: boolean
  conversion_key: string
  created_at: Timestamp
  display_name: string
  first_attributed_at: Timestamp | null
  first_attributed_conversion_id: string | null
  id: string
  outcome_type: string
  profile_id: string
  revenue_type: string
  source_event_names: string[]
}

export interface HandoffsTable {
  claim_attempts: Generated<string[]>
  claim_id: string | null
  claim_until: Timestamp | null
  completed_at: Timestamp | null
  created_at: Timestamp
  deposit: Buffer | null
  detail: Json | null
  expires_at: Timestamp
  governing_app_id: string | null
  id: string
  kind: string
  minted_app_id: string | null
  minted_authorization_id: string | null
  profile_id: string | null
  provider: string | null
  result: Json | null
  return_url: string | null
  shop: string | null
  status: string
  workspace_id: string
}

export interface HeldDailyTable {
  day: string
  first_touch_count: number
  first_touch_minor: number
  holder: string
  last_non_direct_count: number
  last_non_direct_minor: number
  last_touch_count: number
  last_touch_minor: number
  level: string
  linear_count: number
  linear_minor: number
  linear_share_high: number
  linear_share_low: number
  outcome_type: string
  profile_id: string
  revenue_type: string
  time_decay_count: number
  time_decay_minor: number
  time_decay_share_high: number
  time_decay_share_low: number
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

export interface IdentifiersTable {
  customer_id: string
  id: string
  kind: number
  profile_id: string
}

export interface IdentityLinksTable {
  by_token: Generated<boolean>
  event_id: string
  observed_at: Timestamp
  profile_id: string
  strong_id: string
  weak_id: string
}

export interface IdentityTraitsTable {
  event_id: string
  identifier_id: string
  observed_at: Timestamp
  profile_id: string
  trait: string
  value: string
}

export interface InvitationsTable {
  accepted_at: Timestamp | null
  created_at: Timestamp
  email: string
  email_lower: string
  expires_at: Timestamp
  id: string
  invited_by_user_id: string | null
  link_hash: Buffer | null
  permissions: Generated<string[]>
  profile_id: string | null
  revoked_at: Timestamp | null
  role: string
  token_hash: Buffer
  workspace_id: string
}

export interface JobSchedulesTable {
  name: string
  next_run_at: Timestamp
  rule: string
}

export interface JobsTable {
  attempts: Generated<number>
  created_at: Timestamp
  dedupe_key: string | null
  died_at: Timestamp | null
  id: string
  lane: number
  last_error: string | null
  lease_id: string | null
  lease_until: Timestamp | null
  max_attempts: number
  name: string
  payload: Json
  profile_id: string
  run_at: Timestamp
  state: string
}

export interface KeyCopiesTable {
  app_id: string | null
  authorization_id: string | null
  created_at: Timestamp
  expires_at: Timestamp | null
  grant_name: string | null
  id: string
  kind: string
  lookup_hash: Buffer
  profile_id: string
  revoked_at: Timestamp | null
  scopes: string[]
  user_id: string | null
  workspace_id: string | null
}

export interface KeyHoldersTable {
  id: string
  key_ids: string[]
  seen_at: Timestamp
  started_at: Timestamp
}

export interface LinkDecisionsTable {
  decided_at: Timestamp
  decided_by: string | null
  decision: string
  profile_id: string
  strong_id: string
  weak_id: string
}

export interface MailMessagesTable {
  connection_id: string
  created_at: Timestamp
  id: string
  profile_id: string
  reason: string | null
  recipients: number
  request_hash: string
  request_key: string | null
  settled_at: Timestamp | null
  status: string
}

export interface ManualStoresTable {
  created_at: Timestamp
  id: string
  profile_id: string
  shop: string
  signing_id: Buffer | null
  updated_at: Timestamp
}

export interface McpSettingsTable {
  allowed_tools: string[] | null
  budget_step_percent: number
  enabled: boolean
  max_rows: number
  pii_mode: string
  require_confirmation: boolean
  updated_at: Timestamp
  updated_by: string | null
  workspace_id: string
  writeback_enabled: boolean
}

export interface McpWritebackAuditsTable {
  after: Json | null
  arguments: Json
  arguments_digest: Buffer
  before: Json | null
  client_id: string | null
  client_name: string | null
  confirmation: string
  confirmed_at: Timestamp | null
  credential_id: string
  error_code: string | null
  expires_at: Timestamp | null
  id: string
  idempotency_key: string | null
  mode: string
  occurred_at: Timestamp
  outcome: string
  profile_id: string
  request_id: string | null
  tool: string
  user_id: string | null
  workspace_id: string
}

export interface MergeProposalsTable {
  contradictions: Generated<string[]>
  created_at: Timestamp
  decided_at: Timestamp | null
  decided_by: string | null
  first_id: string
  id: string
  merge_id: string | null
  profile_id: string
  score: number
  second_id: string
  shared_kinds: number[]
  sides_at_merge: Json | null
  snoozed_until: Timestamp | null
  status: string
}

export interface NotificationReadsTable {
  profile_id: string
  read_through: Timestamp
  user_id: string
}

export interface OauthClientsTable {
  client_id: string
  created_at: Timestamp
  id: string
  name: string
  redirect_uris: string[]
}

export interface OperatorLogTable {
  action: string
  id: string
  kind: string
  occurred_at: Timestamp
  profile_id: string | null
  reason: string | null
  request_id: string | null
  subject: string
  user_id: string | null
}

export interface OrderEventsTable {
  duplicate_of: string | null
  event_id: string
  occurred_at: Timestamp
  order_ref: string
  profile_id: string
  revenue_type: string
  source: string
  source_rank: number
}

export interface OutboxCountersTable {
  last_number: number
  profile_id: string
}

export interface OutboxEventsTable {
  app_id: string | null
  connection_id: string | null
  customer_id: string | null
  data: Json
  delivered_at: Timestamp | null
  id: string
  number: number
  occurred_at: Timestamp
  profile_id: string
  provider: string
  recorded_at: Timestamp
  type: string
}

export interface PacingTargetsTable {
  budget_minor: number
  month: string
  profile_id: string
  provider: string
  updated_at: Timestamp
}

export interface PaidTouchDailyTable {
  day: string
  named_ad: boolean
  platform: string
  profile_id: string
  touches: number
}

export interface PaymentMarksTable {
  is_installment: boolean
  payer_identifier_id: string | null
  payment_id: string
  profile_id: string
}

export interface PaymentsTable {
  currency: string
  event_id: string
  external_id: string | null
  from_events: boolean
  id: string
  identifier_id: string
  is_first_balance: Generated<boolean>
  is_first_payment: boolean
  is_installment: boolean
  occurred_at: Timestamp
  order_id: string | null
  payer_identifier_id: string | null
  profile_id: string
  provider: string
  recorded_at: Timestamp
  status: string
  subject_ref: string | null
  value_minor: number
}

export interface PendingSelectionsTable {
  candidate_id: string | null
  candidates: Json
  connection_id: string | null
  created_at: Timestamp
  expires_at: Timestamp
  finalized_at: Timestamp | null
  id: string
  profile_id: string
  provider: string
  token: Buffer | null
}

export interface PerformerSnapshotsTable {
  captured_at: Timestamp
  content: Json
  expires_at: Timestamp
  id: string
  name: string
  password_hash: string | null
  profile_ids: string[]
  result_hash: string
  revoked_at: Timestamp | null
  score_window: string
  views: Generated<number>
  workspace_id: string
}

export interface PhoneRepairEventsTable {
  event_id: string
  profile_id: string
  repair_id: string
}

export interface PhoneRepairsTable {
  created_at: Timestamp
  created_by: string | null
  events: number
  finished_at: Timestamp | null
  id: string
  include_unresolved: boolean
  profile_id: string
  status: string
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

export interface PlatformDailyTable {
  conversions: number
  day: string
  level: string
  outcome_type: string
  platform: string
  profile_id: string
  revenue_type: string
}

export interface ProfileEntitlementsTable {
  enabled: boolean
  feature: string
  profile_id: string
  updated_at: Timestamp
}

export interface ProfileLocksTable {
  profile_id: string
}

export interface ProfileMembersTable {
  by_email: Generated<boolean>
  created_at: Timestamp
  id: string
  permissions: Generated<string[]>
  profile_id: string
  role: string
  user_id: string
}

export interface ProfilesTable {
  archived_at: Timestamp | null
  country: string | null
  created_at: Timestamp
  currency: string
  governing_authorization_id: string | null
  id: string
  is_demo: Generated<boolean>
  name: string
  privacy_mode: Generated<string>
  provisioned_by_app_id: string | null
  restatements_since: Generated<Timestamp | null>
  tags: Generated<string[]>
  timezone: string
  workspace_id: string
}

export interface ProviderLeadsTable {
  ad_id: string | null
  campaign_id: string | null
  connection_id: string
  field_data: Json
  form_id: string | null
  leadgen_id: string
  occurred_at: Timestamp
  page_id: string
  profile_id: string
  recorded_at: Timestamp
}

export interface ProviderWebhooksTable {
  body: Buffer
  connection_id: string | null
  digest: Buffer
  headers: Json
  id: string
  processed_at: Timestamp | null
  profile_id: string | null
  provider: string
  query: Json
  received_at: Timestamp
}

export interface RateBucketsTable {
  full_at_ms: number
  key: string
}

export interface RawEventWalksTable {
  dropped: number
  place_at: Timestamp | null
  place_id: string | null
  profile_id: string
  started_at: Timestamp
}

export interface ReachAdsTable {
  ad_external_id: string
  channel: string
  day: string
  origin: string
  people: number
  previous_day: string
  profile_id: string
  touches: number
}

export interface ReachDailyTable {
  channel: string
  day: string
  first_origin: string
  origin: string
  people: number
  previous_day: string
  profile_id: string
  touches: number
}

export interface ReachFirstTable {
  ad_external_id: string
  channel: string
  day: string
  origin: string
  people: number
  previous_day: string
  profile_id: string
}

export interface ReadinessProbeTable {
  filler: Buffer
  id: number
  probed_at: Timestamp
}

export interface RecommendationsTable {
  action: Json
  applied_at: Timestamp | null
  claimed_at: Timestamp | null
  closed_at: Timestamp | null
  confidence: number
  created_at: Timestamp
  evidence: Json
  expected_effect: Json | null
  expires_at: Timestamp
  id: string
  kind: string
  prediction: Json | null
  profile_id: string
  status: string
  subject: Json
  subject_id: string
  turned_out_right: boolean | null
  updated_at: Timestamp
}

export interface RecomputesTable {
  conversions: number | null
  error: string | null
  finished_at: Timestamp | null
  id: string
  profile_id: string
  requested_at: Timestamp
  scope: string
  settings_before: Json | null
  started_at: Timestamp | null
  state: string
}

export interface RefundsTable {
  amount_minor: number
  counted_minor: number | null
  currency: string
  day: string
  external_id: string | null
  id: string
  kind: string
  occurred_at: Timestamp
  payment_id: string
  profile_id: string
  reason: string | null
  recorded_at: Timestamp
  report_amount_minor: number | null
  told_minor: number | null
}

export interface RefundsWaitingTable {
  body: Json
  id: string
  payment_external_id: string
  profile_id: string
  provider: string
}

export interface RefusedEventsTable {
  code: string
  event_id: string | null
  event_name: string | null
  id: string
  message: string
  order_ref: string | null
  profile_id: string
  refused_at: Timestamp
  request_id: string
  status: number
}

export interface ReportSchedulesTable {
  approval: boolean
  cadence: string
  day: number
  enabled: boolean
  format: string
  language: string
  model: string
  next_run_at: Timestamp | null
  profile_id: string
  recipients: string[]
  time: string
  timezone: string | null
  updated_at: Timestamp
  weekday: number
}

export interface ReportUnsubscribesTable {
  profile_id: string
  recipient: string
  unsubscribed_at: Timestamp
}

export interface RestatementsTable {
  batch_id: string
  cause: string
  day: string
  entity: string
  fact_id: string | null
  fact_type: string | null
  level: string
  measures: number[]
  number: number
  outcome_type: string
  profile_id: string
  recorded_at: Timestamp
  revenue_type: string
  rollup: string
}

export interface SavedViewsTable {
  id: string
  name: string
  page: string
  profile_id: string
  shared: boolean
  updated_at: Timestamp
  user_id: string
  values: Json
}

export interface SchemaMigrationsTable {
  applied_at: Timestamp
  name: string
  runs_with: string | null
}

export interface SealingKeyTable {
  is_only: Generated<boolean>
  key_id: string
  since: Timestamp
}

export interface SearchQueriesTable {
  clicks: number
  connection_id: string
  day: string
  impressions: number
  page: string
  position_milli: number | null
  profile_id: string
  query: string
}

export interface SenderDomainsTable {
  checked_at: Timestamp | null
  checks: Generated<Json>
  created_at: Timestamp
  domain: string
  from_local: string
  from_name: string | null
  private_key: Buffer
  public_key: string
  selector: string
  status: string
  workspace_id: string
}

export interface ServiceClockTable {
  id: number
  offset_ms: number
}

export interface ServiceProcessesTable {
  build: string
  host: string
  id: string
  master_key_ids: string[]
  pid: number
  role: string
  runs_beside: string
  seen_at: Timestamp
  started_at: Timestamp
  stopped_at: Timestamp | null
  version: string
  worker_seen_at: Timestamp | null
}

export interface ServiceSecretsTable {
  created_at: Timestamp
  name: string
  sealed: Buffer
}

export interface SessionActivityTable {
  credential_id: string
  last_used_at: Timestamp
}

export interface SetAsideRecordsTable {
  connection_id: string
  external_id: string
  first_seen_at: Timestamp
  kind: string
  last_seen_at: Timestamp
  profile_id: string
  reason: string
}

export interface StageMappingsTable {
  connection_id: string
  outcome_type: string | null
  profile_id: string
  stage_id: string
  updated_at: Timestamp
}

export interface StoreOrdersTable {
  changed_at: Timestamp
  connection_id: string
  order_id: string
  profile_id: string
  status: string
}

export interface TabLooksTable {
  looked_at: Timestamp
  tab: string
  user_id: string
  workspace_id: string
}

export interface TouchSourcesTable {
  ad_external_id: string | null
  ad_set_external_id: string | null
  campaign_external_id: string | null
  id: string
  is_direct: boolean
  platform: string | null
  profile_id: string
  source: string | null
}

export interface TouchesTable {
  ad_external_id: string | null
  ad_set_external_id: string | null
  campaign_external_id: string | null
  channel: string
  click_id: string | null
  click_id_kind: string | null
  id: string
  identifier_id: string
  is_direct: boolean
  landing_path: string | null
  occurred_at: Timestamp
  origin: string
  platform: string | null
  profile_id: string
  recorded_at: Timestamp
  referrer_host: string | null
  reported_at: Timestamp | null
  source_id: string
  utm_campaign: string | null
  utm_medium: string | null
  utm_source: string | null
}

export interface TrackingDomainsTable {
  authorization_id: string | null
  checked_at: Timestamp | null
  created_at: Timestamp
  detail: string | null
  domain: string
  id: string
  profile_id: string
  status: string
}

export interface TrackingSettingsTable {
  allowed_domains: string[]
  browser_revenue: Generated<string>
  consent_mode: string
  enrich_country: boolean
  filter_bots: boolean
  forms: string
  profile_id: string
  session_minutes: number
  spa: string
  updated_at: Timestamp
}

export interface TrackingVerificationsTable {
  expires_at: Timestamp
  id: string
  profile_id: string
  seen_at: Timestamp | null
  seen_url: string | null
  started_at: Timestamp
  status: string
  token: string
  url: string
}

export interface UnassignedDailyTable {
  day: string
  first_touch_count: number
  first_touch_minor: number
  last_non_direct_count: number
  last_non_direct_minor: number
  last_touch_count: number
  last_touch_minor: number
  level: string
  linear_count: number
  linear_minor: number
  outcome_type: string
  platform: string
  profile_id: string
  revenue_type: string
  time_decay_count: number
  time_decay_minor: number
}

export interface UsersTable {
  created_at: Timestamp
  email: string
  email_lower: string
  email_verified_at: Timestamp | null
  id: string
  name: string
  password_hash: string | null
}

export interface UtmScansTable {
  profile_id: string
  result: Json
  scanned_at: Timestamp
}

export interface WebhookDeliveriesTable {
  attempt_count: Generated<number>
  attempts: Generated<Json>
  created_at: Timestamp
  event_id: string
  event_type: string
  id: string
  next_attempt_at: Timestamp | null
  number: number | null
  payload: string
  profile_id: string
  recorded_at: Timestamp
  settled_at: Timestamp | null
  status: string
  status_reason: string | null
  subscription_id: string
}

export interface WebhookFanoutsTable {
  profile_id: string
  through_number: number
}

export interface WebhookQueuesTable {
  due_at: Timestamp
  lease_id: string | null
  lease_until: Timestamp | null
  profile_id: string
  subscription_id: string
  wakes: number
}

export interface WebhookSubscriptionsTable {
  after_number: number
  app_id: string | null
  authorization_id: string | null
  consecutive_failures: Generated<number>
  created_at: Timestamp
  deleted_at: Timestamp | null
  events: string[]
  failing_since: Timestamp | null
  id: string
  last_delivery_at: Timestamp | null
  opens_contact: boolean
  previous_secret: Buffer | null
  previous_secret_expires_at: Timestamp | null
  profile_id: string
  providers: string[]
  secret: Buffer
  status: string
  status_reason: string | null
  updated_at: Timestamp
  url: string
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
  by_email: Generated<boolean>
  created_at: Timestamp
  role: string
  user_id: string
  workspace_id: string
}

export interface WorkspaceSubscriptionsTable {
  billing_customer: string | null
  billing_subscription: string | null
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
  archived_owner_ids: string[] | null
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
  account_links: AccountLinksTable
  ad_attention_days: AdAttentionDaysTable
  ad_clicks: AdClicksTable
  ad_creatives: AdCreativesTable
  ad_delivery: AdDeliveryTable
  ad_entities: AdEntitiesTable
  ad_entity_versions: AdEntityVersionsTable
  ad_frequency_days: AdFrequencyDaysTable
  ad_paths: AdPathsTable
  ad_people: AdPeopleTable
  ad_score_days: AdScoreDaysTable
  ad_score_runs: AdScoreRunsTable
  ad_score_windows: AdScoreWindowsTable
  ad_scores: AdScoresTable
  ad_targetings: AdTargetingsTable
  ad_thumbnails: AdThumbnailsTable
  annotations: AnnotationsTable
  api_usage: ApiUsageTable
  app_authorizations: AppAuthorizationsTable
  app_dpa_acceptances: AppDpaAcceptancesTable
  appointments: AppointmentsTable
  apps: AppsTable
  attribution_settings: AttributionSettingsTable
  attribution_state: AttributionStateTable
  audience_exclusions: AudienceExclusionsTable
  audience_lists: AudienceListsTable
  audience_members: AudienceMembersTable
  audience_removals: AudienceRemovalsTable
  audience_runs: AudienceRunsTable
  audit_log: AuditLogTable
  bank_links: BankLinksTable
  calendars: CalendarsTable
  campaign_settings_days: CampaignSettingsDaysTable
  campaign_settings_seen: CampaignSettingsSeenTable
  channel_overrides: ChannelOverridesTable
  chat_accounts: ChatAccountsTable
  chat_templates: ChatTemplatesTable
  client_report_mails: ClientReportMailsTable
  client_reports: ClientReportsTable
  compacted_event_months: CompactedEventMonthsTable
  connection_accounts: ConnectionAccountsTable
  connection_grants: ConnectionGrantsTable
  connection_pages: ConnectionPagesTable
  connection_syncs: ConnectionSyncsTable
  connections: ConnectionsTable
  conversation_messages: ConversationMessagesTable
  conversation_replies: ConversationRepliesTable
  conversations: ConversationsTable
  conversion_daily: ConversionDailyTable
  conversion_exports: ConversionExportsTable
  conversions: ConversionsTable
  credentials: CredentialsTable
  credit_daily: CreditDailyTable
  credit_spans: CreditSpansTable
  credits: CreditsTable
  customer_merges: CustomerMergesTable
  customer_names: CustomerNamesTable
  declared_answers: DeclaredAnswersTable
  declared_vocabulary: DeclaredVocabularyTable
  delivery_daily: DeliveryDailyTable
  delivery_spans: DeliverySpansTable
  doctor_checks: DoctorChecksTable
  entered_rates: EnteredRatesTable
  erased_customers: ErasedCustomersTable
  erasures: ErasuresTable
  event_agents: EventAgentsTable
  event_keys: EventKeysTable
  event_quarantine: EventQuarantineTable
  event_queue: EventQueueTable
  events: EventsTable
  experiments: ExperimentsTable
  export_destinations: ExportDestinationsTable
  export_requests: ExportRequestsTable
  export_runs: ExportRunsTable
  export_settings: ExportSettingsTable
  fx_rates: FxRatesTable
  goals: GoalsTable
  handoffs: HandoffsTable
  held_daily: HeldDailyTable
  idempotency_keys: IdempotencyKeysTable
  identifiers: IdentifiersTable
  identity_links: IdentityLinksTable
  identity_traits: IdentityTraitsTable
  invitations: InvitationsTable
  job_schedules: JobSchedulesTable
  jobs: JobsTable
  key_copies: KeyCopiesTable
  key_holders: KeyHoldersTable
  link_decisions: LinkDecisionsTable
  mail_messages: MailMessagesTable
  manual_stores: ManualStoresTable
  mcp_settings: McpSettingsTable
  mcp_writeback_audits: McpWritebackAuditsTable
  merge_proposals: MergeProposalsTable
  notification_reads: NotificationReadsTable
  oauth_clients: OauthClientsTable
  operator_log: OperatorLogTable
  order_events: OrderEventsTable
  outbox_counters: OutboxCountersTable
  outbox_events: OutboxEventsTable
  pacing_targets: PacingTargetsTable
  paid_touch_daily: PaidTouchDailyTable
  payment_marks: PaymentMarksTable
  payments: PaymentsTable
  pending_selections: PendingSelectionsTable
  performer_snapshots: PerformerSnapshotsTable
  phone_repair_events: PhoneRepairEventsTable
  phone_repairs: PhoneRepairsTable
  pii_access_log: PiiAccessLogTable
  platform_daily: PlatformDailyTable
  profile_entitlements: ProfileEntitlementsTable
  profile_locks: ProfileLocksTable
  profile_members: ProfileMembersTable
  profiles: ProfilesTable
  provider_leads: ProviderLeadsTable
  provider_webhooks: ProviderWebhooksTable
  rate_buckets: RateBucketsTable
  raw_event_walks: RawEventWalksTable
  reach_ads: ReachAdsTable
  reach_daily: ReachDailyTable
  reach_first: ReachFirstTable
  readiness_probe: ReadinessProbeTable
  recommendations: RecommendationsTable
  recomputes: RecomputesTable
  refunds: RefundsTable
  refunds_waiting: RefundsWaitingTable
  refused_events: RefusedEventsTable
  report_schedules: ReportSchedulesTable
  report_unsubscribes: ReportUnsubscribesTable
  restatements: RestatementsTable
  saved_views: SavedViewsTable
  schema_migrations: SchemaMigrationsTable
  sealing_key: SealingKeyTable
  search_queries: SearchQueriesTable
  sender_domains: SenderDomainsTable
  service_clock: ServiceClockTable
  service_processes: ServiceProcessesTable
  service_secrets: ServiceSecretsTable
  session_activity: SessionActivityTable
  set_aside_records: SetAsideRecordsTable
  stage_mappings: StageMappingsTable
  store_orders: StoreOrdersTable
  tab_looks: TabLooksTable
  touch_sources: TouchSourcesTable
  touches: TouchesTable
  tracking_domains: TrackingDomainsTable
  tracking_settings: TrackingSettingsTable
  tracking_verifications: TrackingVerificationsTable
  unassigned_daily: UnassignedDailyTable
  users: UsersTable
  utm_scans: UtmScansTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_fanouts: WebhookFanoutsTable
  webhook_queues: WebhookQueuesTable
  webhook_subscriptions: WebhookSubscriptionsTable
  workspace_branding: WorkspaceBrandingTable
  workspace_members: WorkspaceMembersTable
  workspace_subscriptions: WorkspaceSubscriptionsTable
  workspaces: WorkspacesTable
}
