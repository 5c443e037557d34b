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

export interface AlertEventsTable {
  batch_id: string
  created_at: Timestamp
  day: string
  figure: Json
  id: string
  is_muted: boolean
  kind: string
  profile_id: string
  rule: Json
  rule_id: string
}

export interface AlertRulesTable {
  calm_days: Generated<number>
  campaign_id: string | null
  check_id: string | null
  comparison: string | null
  created_at: Timestamp
  direction: string | null
  enabled: Generated<boolean>
  evaluated_through: string | null
  figure: Json | null
  fired_on: string | null
  held: string | null
  id: string
  kind: string
  metric: string | null
  min_conversions: number | null
  muted_until: Timestamp | null
  name: string
  profile_id: string
  state: Generated<string>
  threshold: number | null
  updated_at: Timestamp
  window_days: number | null
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

export interface BriefDeliveriesTable {
  created_at: Timestamp
  date_from: string | null
  date_to: string | null
  id: string
  occasion: string
  profile_id: string
  reason: string | null
  receiver_id: string
  sent_at: Timestamp | null
  status: string
}

export interface BriefReceiversTable {
  alerts: Generated<boolean>
  cadence: string
  created_at: Timestamp
  created_by: string
  host: string | null
  id: string
  kind: string
  language: string
  last_error: string | null
  last_sent_at: Timestamp | null
  name: string | null
  next_run_at: Timestamp | null
  profile_id: string
  time: string
  url: Buffer | null
  user_id: string | null
  weekday: number
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
  began_at: Timestamp | null
  complete_until: Timestamp | null
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
  consent_ends_at: Timestamp | null
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

export interface DataDrivenHistoryTable {
  computed_at: Timestamp
  learned_from: string
  learned_to: string
  paths_hash: string
  profile_id: string
  result: Json
  version: number
}

export interface DataDrivenModelsTable {
  computed_at: Timestamp
  learned_from: string
  learned_to: string
  paths: Json
  paths_hash: string
  profile_id: string
  result: Json
  version: number
}

export interface DataExportDestinationsTable {
  created_at: Timestamp
  enabled: boolean
  erasures_seen: number | null
  failures: Generated<number>
  id: string
  include_identifiers: boolean
  kind: string
  name: string
  next_run_at: Timestamp | null
  next_try_at: Timestamp | null
  profile_id: string
  schedule: string
  secret: Buffer | null
  tables: string[]
  target: Json
  updated_at: Timestamp
  written_state: string | null
}

export interface DataExportFilesTable {
  bytes: number
  created_at: Timestamp
  day: string | null
  destination_id: string
  fingerprint: string
  path: string
  profile_id: string
  replaced_at: Timestamp | null
  rows: number
  sha256: string
  state: string
  sums: Json
  table_name: string
}

export interface DataExportRunsTable {
  attempt_id: string | null
  created_at: Timestamp
  destination_id: string
  erasures: Generated<number>
  error: string | null
  finished_at: Timestamp | null
  id: string
  is_full: boolean
  profile_id: string
  started_at: Timestamp | null
  status: string
  tables: Json
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
  connection_id: string | null
  decision: Json | null
  design: Json | null
  ends_at: Timestamp | null
  external_id: string
  id: string
  kind: string
  name: string
  observation_ends_at: Timestamp | null
  own_reading: Json | null
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

export interface GoalTargetsTable {
  goal_id: string
  metric: string
  period: string
  profile_id: string
  target: number
  updated_at: Timestamp
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

export interface LiveLinksTable {
  created_at: Timestamp
  created_by: string
  expires_at: Timestamp
  for_healthcare: Generated<boolean>
  id: string
  language: string
  last_viewed_at: Timestamp | null
  model: string
  name: string
  password_hash: string | null
  period: string
  profile_id: string
  reports: string[]
  revoked_at: Timestamp | null
  views: Generated<number>
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

export interface ReportChangesTable {
  holds_lock: boolean
  number: number
  profile_id: string
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
  changes: string | null
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
  day: string | null
  external_id: string
  first_seen_at: Timestamp
  kind: string
  last_seen_at: Timestamp
  list: string | null
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

export interface UncreditedDailyTable {
  conversions: number
  day: string
  fx_missing: number
  outcome_type: string
  profile_id: string
  reason: string
  revenue_type: string
  value_minor: number
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
  cancels_at: Timestamp | null
  current_period_end: Timestamp | null
  current_period_start: Timestamp
  last_notice: string | null
  past_due_since: Timestamp | null
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
  store_install: string | null
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
  alert_events: AlertEventsTable
  alert_rules: AlertRulesTable
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
  brief_deliveries: BriefDeliveriesTable
  brief_receivers: BriefReceiversTable
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
  data_driven_history: DataDrivenHistoryTable
  data_driven_models: DataDrivenModelsTable
  data_export_destinations: DataExportDestinationsTable
  data_export_files: DataExportFilesTable
  data_export_runs: DataExportRunsTable
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
  goal_targets: GoalTargetsTable
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
  live_links: LiveLinksTable
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
  report_changes: ReportChangesTable
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
  uncredited_daily: UncreditedDailyTable
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

/** As PostgreSQL names them; `_` before a name: an array of it. */
export const columnTypes: { [Table in keyof DB]: Record<keyof DB[Table], string> } = {
  account_links: { created_at: 'timestamptz', email: 'text', expires_at: 'timestamptz', id: 'uuid', purpose: 'text', token_hash: 'bytea', user_id: 'uuid' },
  ad_attention_days: { ad_id: 'uuid', day: 'date', link_clicks: 'int8', profile_id: 'uuid', quality_ranking: 'int2', thruplays: 'int8', video_p100: 'int8', video_p25: 'int8', video_p50: 'int8', video_p75: 'int8', video_views: 'int8' },
  ad_clicks: { ad_external_id: 'text', ad_set_external_id: 'text', campaign_external_id: 'text', click_id: 'text', click_id_kind: 'text', connection_id: 'uuid', day: 'date', is_used: 'bool', profile_id: 'uuid' },
  ad_creatives: { ad_id: 'uuid', aspect_ratio_milli: 'int4', body: 'text', card_count: 'int4', cta_type: 'text', destination_url: 'text', duration_ms: 'int8', format: 'text', landing_host: 'text', profile_id: 'uuid', thumbnail_url: 'text', title: 'text', updated_at: 'timestamptz', url_tags: 'text', video_id: 'text' },
  ad_delivery: { clicks: 'int8', currency: 'text', day: 'date', entity_id: 'uuid', impressions: 'int8', level: 'text', messaging_started_7d: 'int8', platform_conversions_milli: 'int8', platform_value_minor: 'int8', profile_id: 'uuid', reach: 'int8', report_platform_value_minor: 'int8', report_spend_minor: 'int8', source: 'text', spend_minor: 'int8', updated_at: 'timestamptz' },
  ad_entities: { ad_set_id: 'uuid', campaign_id: 'uuid', connection_id: 'uuid', creative: 'jsonb', currency: 'text', daily_budget_minor: 'int8', external_id: 'text', id: 'uuid', level: 'text', lifetime_budget_minor: 'int8', name: 'text', objective: 'text', profile_id: 'uuid', source: 'text', status: 'text', updated_at: 'timestamptz', written_at: 'timestamptz' },
  ad_entity_versions: { ad_set_id: 'uuid', campaign_id: 'uuid', connection_id: 'uuid', currency: 'text', daily_budget_minor: 'int8', entity_id: 'uuid', name: 'text', objective: 'text', profile_id: 'uuid', replaced_at: 'timestamptz', source: 'text', status: 'text' },
  ad_frequency_days: { ad_id: 'uuid', day: 'date', frequency_milli: 'int8', profile_id: 'uuid', reach: 'int8' },
  ad_paths: { ad_id: 'uuid', ad_set_id: 'uuid', campaign_id: 'uuid', number: 'int4', platform: 'text', profile_id: 'uuid', source: 'text' },
  ad_people: { customer_id: 'uuid', profile_id: 'uuid', reached: 'jsonb' },
  ad_score_days: { ad_id: 'uuid', audience_warmth: 'text', channel: 'text', daily_budget_minor: 'int8', day: 'date', day_impressions: 'int8', day_link_clicks: 'int8', first_day: 'date', format: 'text', frequency_milli: 'int8', geo: 'text', objective: 'text', placement: 'text', profile_id: 'uuid', settled_cash: 'int8', settled_messaging: 'int8', settled_pipeline: 'int8', settled_spend_minor: 'int8', status: 'text' },
  ad_score_runs: { ads: 'int4', day: 'date', finished_at: 'timestamptz', lags: 'jsonb', model: 'jsonb', profile_id: 'uuid', result_hash: 'text', started_at: 'timestamptz', state: 'text', steps_done: 'int4', steps_total: 'int4' },
  ad_score_windows: { active_days: 'int8', ad_id: 'uuid', cash_exposure_micro: 'int8', cash_outcomes: 'int8', clicks: 'int8', day: 'date', impressions: 'int8', link_clicks: 'int8', messaging_outcomes: 'int8', messaging_started: 'int8', outcomes: 'int8', pipeline_exposure_micro: 'int8', pipeline_minor: 'int8', pipeline_outcomes: 'int8', platform_conversions_milli: 'int8', platform_value_minor: 'int8', profile_id: 'uuid', ranked_days: 'int8', ranking_points: 'int8', revenue_minor: 'int8', score_window: 'text', spend_minor: 'int8', thruplays: 'int8', video_impressions: 'int8', video_views: 'int8' },
  ad_scores: { above_median: 'float8', ad_id: 'uuid', composite_score: 'float8', day: 'date', facts: 'jsonb', fatigue: 'text', format: 'text', has_video: 'bool', maturity_stage: 'text', objective: 'text', posterior_rate: 'float8', posterior_shape: 'float8', primary_outcome_kind: 'text', profile_id: 'uuid', score_window: 'text', spend_minor: 'int8', truth_grade: 'text' },
  ad_targetings: { audience_warmth: 'text', entity_id: 'uuid', geo: 'text', placement: 'text', profile_id: 'uuid', updated_at: 'timestamptz' },
  ad_thumbnails: { ad_id: 'uuid', bytes: 'bytea', content_type: 'text', fetched_at: 'timestamptz', profile_id: 'uuid', source_hash: 'text' },
  alert_events: { batch_id: 'uuid', created_at: 'timestamptz', day: 'date', figure: 'jsonb', id: 'uuid', is_muted: 'bool', kind: 'text', profile_id: 'uuid', rule: 'jsonb', rule_id: 'uuid' },
  alert_rules: { calm_days: 'int2', campaign_id: 'uuid', check_id: 'text', comparison: 'text', created_at: 'timestamptz', direction: 'text', enabled: 'bool', evaluated_through: 'date', figure: 'jsonb', fired_on: 'date', held: 'text', id: 'uuid', kind: 'text', metric: 'text', min_conversions: 'int4', muted_until: 'timestamptz', name: 'text', profile_id: 'uuid', state: 'text', threshold: 'int8', updated_at: 'timestamptz', window_days: 'int2' },
  annotations: { created_at: 'timestamptz', day: 'date', id: 'uuid', profile_id: 'uuid', text: 'text', updated_at: 'timestamptz' },
  api_usage: { credential_id: 'uuid', day: 'date', errors: 'int8', requests: 'int8', route: 'text' },
  app_authorizations: { allows_adoption: 'bool', app_id: 'uuid', created_at: 'timestamptz', grant_name: 'text', id: 'uuid', profile_id: 'uuid', revoked_at: 'timestamptz', scopes: '_text', user_id: 'uuid', withdrawn_by_user_id: 'uuid' },
  app_dpa_acceptances: { accepted_at: 'timestamptz', accepted_by_user_id: 'uuid', app_id: 'uuid', version: 'text', withdrawn_at: 'timestamptz', workspace_id: 'uuid' },
  appointments: { booked_at: 'timestamptz', calendar_id: 'text', cancelled_at: 'timestamptz', check_at: 'timestamptz', connection_id: 'uuid', ends_at: 'timestamptz', external_id: 'text', identifier_id: 'uuid', profile_id: 'uuid', provider: 'text', reported: '_text', seen_at: 'timestamptz', starts_at: 'timestamptz', state: 'text' },
  apps: { allowed_return_origins: '_text', allowed_scopes: '_text', client_id: 'text', created_at: 'timestamptz', dpa_accepted: 'bool', id: 'uuid', logo_url: 'text', name: 'text', redirect_uris: '_text', updated_at: 'timestamptz', workspace_id: 'uuid' },
  attribution_settings: { applied_first_touch_lookback_days: 'int4', applied_half_life_days: 'int4', applied_lookback_days: 'int4', first_touch_lookback_days: 'int4', grace_hours: 'int4', half_life_days: 'int4', longest_grace_hours: 'int4', lookback_days: 'int4', profile_id: 'uuid', updated_at: 'timestamptz' },
  attribution_state: { computed_through: 'timestamptz', freshness: 'text', profile_id: 'uuid', updated_at: 'timestamptz' },
  audience_exclusions: { added_at: 'timestamptz', customer_id: 'uuid', id: 'uuid', person_hash: 'bytea', profile_id: 'uuid', reason: 'text' },
  audience_lists: { authorization_id: 'uuid', connection_id: 'uuid', created_at: 'timestamptz', ended_at: 'timestamptz', external_id: 'text', id: 'uuid', name: 'text', profile_id: 'uuid' },
  audience_members: { added_at: 'timestamptz', identifier_id: 'uuid', list_id: 'uuid', profile_id: 'uuid' },
  audience_removals: { attempts: 'int4', created_at: 'timestamptz', id: 'uuid', list_id: 'uuid', members: 'bytea', profile_id: 'uuid' },
  audience_runs: { created_at: 'timestamptz', id: 'uuid', list_id: 'uuid', operation: 'text', profile_id: 'uuid', provider_request_id: 'text', received: 'int8', removed: 'int8', sent: 'int8' },
  audit_log: { action: 'text', actor_id: 'uuid', actor_kind: 'text', detail: 'jsonb', id: 'uuid', occurred_at: 'timestamptz', profile_id: 'uuid', request_id: 'text', subject: 'text', workspace_id: 'uuid' },
  bank_links: { apps: 'jsonb', claim_id: 'uuid', claimed_until: 'timestamptz', connection_id: 'uuid', finished_at: 'timestamptz', profile_id: 'uuid', refusal: 'text', started_at: 'timestamptz', token_hash: 'bytea' },
  brief_deliveries: { created_at: 'timestamptz', date_from: 'date', date_to: 'date', id: 'uuid', occasion: 'text', profile_id: 'uuid', reason: 'text', receiver_id: 'uuid', sent_at: 'timestamptz', status: 'text' },
  brief_receivers: { alerts: 'bool', cadence: 'text', created_at: 'timestamptz', created_by: 'uuid', host: 'text', id: 'uuid', kind: 'text', language: 'text', last_error: 'text', last_sent_at: 'timestamptz', name: 'text', next_run_at: 'timestamptz', profile_id: 'uuid', time: 'text', url: 'bytea', user_id: 'uuid', weekday: 'int2' },
  calendars: { connection_id: 'uuid', created_at: 'timestamptz', external_id: 'text', is_managed: 'bool', is_primary: 'bool', name: 'text', profile_id: 'uuid', read_at: 'timestamptz', sync_token: 'text', timezone: 'text', whole_read_at: 'timestamptz' },
  campaign_settings_days: { currency: 'text', daily_budget_minor: 'int8', day: 'date', entity_id: 'uuid', profile_id: 'uuid', status: 'text' },
  campaign_settings_seen: { daily_budget_minor: 'int8', entity_id: 'uuid', lifetime_budget_minor: 'int8', profile_id: 'uuid', since: 'timestamptz', status: 'text' },
  channel_overrides: { channel: 'text', kind: 'text', position: 'int4', profile_id: 'uuid', updated_at: 'timestamptz', value: 'text' },
  chat_accounts: { account_id: 'text', connection_id: 'uuid', name: 'text', profile_id: 'uuid', synced_at: 'timestamptz' },
  chat_templates: { account_id: 'text', category: 'text', language: 'text', name: 'text', profile_id: 'uuid', status: 'text', template_id: 'text', updated_at: 'timestamptz' },
  client_report_mails: { id: 'uuid', profile_id: 'uuid', reason: 'text', recipient: 'text', report_id: 'uuid', sent_at: 'timestamptz', status: 'text' },
  client_reports: { approved_by: 'uuid', batch_id: 'uuid', content: 'bytea', created_at: 'timestamptz', created_by: 'uuid', date_from: 'date', date_to: 'date', detail: 'text', format: 'text', headline: 'jsonb', id: 'uuid', language: 'text', model: 'text', needs_approval: 'bool', period: 'text', profile_id: 'uuid', ready_at: 'timestamptz', reason: 'text', result_hash: 'text', scheduled_for: 'timestamptz', sends: 'bool', sent_at: 'timestamptz', status: 'text' },
  compacted_event_months: { compacted_at: 'timestamptz', month: 'date' },
  connection_accounts: { claim_key: 'text', connection_id: 'uuid', created_at: 'timestamptz', external_id: 'text', profile_id: 'uuid', provider: 'text', workspace_id: 'uuid' },
  connection_grants: { app_id: 'uuid', authorization_id: 'uuid', connection_id: 'uuid', granted_at: 'timestamptz', profile_id: 'uuid', revoked_at: 'timestamptz' },
  connection_pages: { category: 'text', connection_id: 'uuid', created_at: 'timestamptz', name: 'text', page_id: 'text', profile_id: 'uuid' },
  connection_syncs: { began_at: 'timestamptz', complete_until: 'timestamptz', connection_id: 'uuid', cursor: 'text', first_success_at: 'timestamptz', last_attempt_at: 'timestamptz', last_error: 'text', last_success_at: 'timestamptz', next_run_at: 'timestamptz', pages: 'int4', profile_id: 'uuid', progress_done: 'int8', progress_total: 'int8', progress_unit: 'text', since_day: 'date', state: 'text', until_day: 'date', updated_at: 'timestamptz' },
  connections: { authorized_at: 'timestamptz', consent_ends_at: 'timestamptz', created_at: 'timestamptz', currency: 'text', dataset_id: 'text', display_name: 'text', external_id: 'text', id: 'uuid', pages_version: 'int4', parent_id: 'uuid', profile_id: 'uuid', provider: 'text', provider_subtype: 'text', refresh_lease_id: 'uuid', refresh_lease_until: 'timestamptz', scopes: '_text', status: 'text', status_reason: 'text', timezone: 'text', token: 'bytea', token_expires_at: 'timestamptz', token_issued_at: 'timestamptz', token_refresh_at: 'timestamptz', token_version: 'int4', updated_at: 'timestamptz' },
  conversation_messages: { ad_id: 'text', conversation_id: 'uuid', id: 'uuid', kind: 'text', occurred_at: 'timestamptz', profile_id: 'uuid' },
  conversation_replies: { connection_id: 'uuid', conversation_id: 'uuid', created_at: 'timestamptz', human_agent: 'bool', id: 'uuid', kind: 'text', profile_id: 'uuid', provider_key: 'uuid', reason: 'text', request_hash: 'text', request_key: 'uuid', settled_at: 'timestamptz', status: 'text', template_language: 'text', template_name: 'text' },
  conversations: { account_id: 'text', channel: 'text', connection_id: 'uuid', external_id: 'text', first_message_id: 'uuid', first_reply_at: 'timestamptz', id: 'uuid', identifier_id: 'uuid', last_message_at: 'timestamptz', lead_event_id: 'uuid', messages: 'int8', number_id: 'text', profile_id: 'uuid', referral: 'jsonb', started_at: 'timestamptz', started_event_id: 'uuid' },
  conversion_daily: { conversions: 'int8', day: 'date', fx_missing: 'int8', outcome_type: 'text', profile_id: 'uuid', revenue_type: 'text', value_minor: 'int8' },
  conversion_exports: { adjustment: 'text', adjustment_no: 'int4', attempts: 'int4', conversion_id: 'uuid', created_at: 'timestamptz', currency: 'text', destination_id: 'uuid', detail: 'text', event_id: 'uuid', event_id_source: 'text', event_name: 'text', first_tried_at: 'timestamptz', goal_id: 'uuid', id: 'uuid', payload_hash: 'bytea', profile_id: 'uuid', reason: 'text', request_id: 'uuid', run_id: 'uuid', settled_at: 'timestamptz', status: 'text', value_minor: 'int8' },
  conversions: { attribution_eligible: 'bool', currency: 'text', day: 'date', duplicate_of: 'uuid', event_id: 'uuid', external_id: 'text', goal_id: 'uuid', id: 'uuid', identifier_id: 'uuid', occurred_at: 'timestamptz', outcome_type: 'text', profile_id: 'uuid', provider: 'text', recorded_at: 'timestamptz', report_value_minor: 'int8', revenue_type: 'text', unconfirmed: 'bool', value_minor: 'int8' },
  credentials: { app_id: 'uuid', authorization_id: 'uuid', created_at: 'timestamptz', detail: 'jsonb', expires_at: 'timestamptz', grant_name: 'text', hint: 'text', id: 'uuid', kind: 'text', lookup_hash: 'bytea', name: 'text', profile_id: 'uuid', revoked_at: 'timestamptz', scopes: '_text', user_id: 'uuid', workspace_id: 'uuid' },
  credit_daily: { day: 'date', entity_id: 'uuid', first_touch_count: 'int8', first_touch_minor: 'int8', last_non_direct_count: 'int8', last_non_direct_minor: 'int8', last_touch_count: 'int8', last_touch_minor: 'int8', level: 'text', linear_count: 'int8', linear_minor: 'int8', linear_share_high: 'int8', linear_share_low: 'int8', outcome_type: 'text', profile_id: 'uuid', revenue_type: 'text', time_decay_count: 'int8', time_decay_minor: 'int8', time_decay_share_high: 'int8', time_decay_share_low: 'int8' },
  credit_spans: { entity_id: 'uuid', first_touch_count: 'int8', first_touch_minor: 'int8', last_non_direct_count: 'int8', last_non_direct_minor: 'int8', last_touch_count: 'int8', last_touch_minor: 'int8', level: 'text', linear_count: 'int8', linear_minor: 'int8', linear_share_high: 'int8', linear_share_low: 'int8', outcome_type: 'text', profile_id: 'uuid', revenue_type: 'text', span: 'int2', start: 'date', time_decay_count: 'int8', time_decay_minor: 'int8', time_decay_share_high: 'int8', time_decay_share_low: 'int8' },
  credits: { conversion_id: 'uuid', packed: 'bytea', profile_id: 'uuid' },
  customer_merges: { from_customer_id: 'uuid', id: 'uuid', into_customer_id: 'uuid', merged_at: 'timestamptz', merged_by: 'uuid', profile_id: 'uuid', undone_at: 'timestamptz', undone_by: 'uuid' },
  customer_names: { identifier_id: 'uuid', profile_id: 'uuid', tokens: '_int8' },
  data_driven_history: { computed_at: 'timestamptz', learned_from: 'date', learned_to: 'date', paths_hash: 'text', profile_id: 'uuid', result: 'jsonb', version: 'int4' },
  data_driven_models: { computed_at: 'timestamptz', learned_from: 'date', learned_to: 'date', paths: 'jsonb', paths_hash: 'text', profile_id: 'uuid', result: 'jsonb', version: 'int4' },
  data_export_destinations: { created_at: 'timestamptz', enabled: 'bool', erasures_seen: 'int4', failures: 'int4', id: 'uuid', include_identifiers: 'bool', kind: 'text', name: 'text', next_run_at: 'timestamptz', next_try_at: 'timestamptz', profile_id: 'uuid', schedule: 'text', secret: 'bytea', tables: '_text', target: 'jsonb', updated_at: 'timestamptz', written_state: 'text' },
  data_export_files: { bytes: 'int8', created_at: 'timestamptz', day: 'date', destination_id: 'uuid', fingerprint: 'text', path: 'text', profile_id: 'uuid', replaced_at: 'timestamptz', rows: 'int8', sha256: 'text', state: 'text', sums: 'jsonb', table_name: 'text' },
  data_export_runs: { attempt_id: 'uuid', created_at: 'timestamptz', destination_id: 'uuid', erasures: 'int4', error: 'text', finished_at: 'timestamptz', id: 'uuid', is_full: 'bool', profile_id: 'uuid', started_at: 'timestamptz', status: 'text', tables: 'jsonb' },
  declared_answers: { answer_key: 'text', answer_text: 'text', asked_at: 'timestamptz', created_at: 'timestamptz', id: 'uuid', identifier_id: 'uuid', order_ref: 'uuid', profile_id: 'uuid', source: 'text' },
  declared_vocabulary: { channels: '_text', key: 'text', label_en: 'text', label_es: 'text', position: 'int4', profile_id: 'uuid' },
  delivery_daily: { clicks: 'int8', day: 'date', entity_id: 'uuid', fx_missing: 'int8', impressions: 'int8', level: 'text', messaging_started_7d: 'int8', platform_conversions_milli: 'int8', platform_value_minor: 'int8', profile_id: 'uuid', reach: 'int8', source: 'text', spend_minor: 'int8' },
  delivery_spans: { clicks: 'int8', entity_id: 'uuid', fx_missing: 'int8', impressions: 'int8', level: 'text', messaging_started_7d: 'int8', platform_conversions_milli: 'int8', platform_value_minor: 'int8', profile_id: 'uuid', reach: 'int8', source: 'text', span: 'int2', spend_minor: 'int8', start: 'date' },
  doctor_checks: { affected: 'int8', check_id: 'text', checked_at: 'timestamptz', examples: 'jsonb', opened_at: 'timestamptz', profile_id: 'uuid', since: 'date', status: 'text', value_minor: 'int8' },
  entered_rates: { currency: 'text', day: 'date', profile_id: 'uuid', rate: 'numeric', target: 'text', updated_at: 'timestamptz' },
  erased_customers: { erased_at: 'timestamptz', id: 'uuid', profile_id: 'uuid' },
  erasures: { completed_at: 'timestamptz', conversions: 'int8', customer_id: 'uuid', erased_as: 'uuid', events: 'int8', id: 'uuid', identifier_ids: '_uuid', identifiers: 'int8', payments: 'int8', profile_id: 'uuid', requested_at: 'timestamptz', selector_hash: 'bytea', state: 'text', swept_at: 'timestamptz', swept_id: 'uuid', touches: 'int8' },
  event_agents: { cookies: 'jsonb', event_id: 'uuid', ip: 'text', kept_at: 'timestamptz', profile_id: 'uuid', user_agent: 'text' },
  event_keys: { content_hash: 'bytea', erased_as: 'uuid', event_id: 'uuid', occurred_at: 'timestamptz', profile_id: 'uuid', retracted_at: 'timestamptz' },
  event_quarantine: { detail: 'text', dropped_at: 'timestamptz', event_id: 'uuid', profile_id: 'uuid', reason: 'text', set_aside_at: 'timestamptz' },
  event_queue: { cause: 'text', event_ids: '_uuid', event_times: '_timestamptz', id: 'uuid', is_update: 'bool', profile_id: 'uuid' },
  events: { anonymous_id: 'text', body: 'jsonb', external_id: 'text', id: 'uuid', is_bot: 'bool', name: 'text', occurred_at: 'timestamptz', profile_id: 'uuid', provider: 'text', received_at: 'timestamptz', session_id: 'text', source: 'text' },
  experiments: { canceled_at: 'timestamptz', cells: 'jsonb', connection_id: 'uuid', decision: 'jsonb', design: 'jsonb', ends_at: 'timestamptz', external_id: 'text', id: 'uuid', kind: 'text', name: 'text', observation_ends_at: 'timestamptz', own_reading: 'jsonb', platform_reading: 'jsonb', profile_id: 'uuid', provider: 'text', starts_at: 'timestamptz', updated_at: 'timestamptz' },
  export_destinations: { access_token: 'bytea', authorization_id: 'uuid', connection_id: 'uuid', created_at: 'timestamptz', data_source: 'text', destination_key: 'text', display_name: 'text', enabled: 'bool', enabled_at: 'timestamptz', event_id_source: 'text', event_map: 'jsonb', id: 'uuid', is_owner_decision: 'bool', kind: 'text', profile_id: 'uuid', retries: 'int4', retry_at: 'timestamptz', status_reason: 'text', target_id: 'text', test_event_code: 'text', updated_at: 'timestamptz' },
  export_requests: { checked_at: 'timestamptz', counts: 'jsonb', created_at: 'timestamptz', destination_id: 'uuid', events: 'int8', id: 'uuid', polls: 'int4', profile_id: 'uuid', provider_request_id: 'text', row_ids: '_uuid', run_id: 'uuid', settled_at: 'timestamptz', status: 'text', target_id: 'text' },
  export_runs: { destination_id: 'uuid', failed: 'int8', finished_at: 'timestamptz', id: 'uuid', profile_id: 'uuid', reason: 'text', sent: 'int8', skipped: 'int8', started_at: 'timestamptz', status: 'text' },
  export_settings: { agreement_signed_at: 'timestamptz', agreement_signed_by: 'text', clean_dataset_id: 'text', conversions: 'jsonb', healthcare_allowlist: '_text', partner_customer_list: 'bool', profile_id: 'uuid', target: 'text', updated_at: 'timestamptz' },
  fx_rates: { base: 'text', currency: 'text', day: 'date', rate: 'numeric' },
  goal_targets: { goal_id: 'uuid', metric: 'text', period: 'text', profile_id: 'uuid', target: 'int8', updated_at: 'timestamptz' },
  goals: { attribution_eligible: 'bool', conversion_key: 'text', created_at: 'timestamptz', display_name: 'text', first_attributed_at: 'timestamptz', first_attributed_conversion_id: 'uuid', id: 'uuid', outcome_type: 'text', profile_id: 'uuid', revenue_type: 'text', source_event_names: '_text' },
  handoffs: { claim_attempts: '_text', claim_id: 'uuid', claim_until: 'timestamptz', completed_at: 'timestamptz', created_at: 'timestamptz', deposit: 'bytea', detail: 'jsonb', expires_at: 'timestamptz', governing_app_id: 'uuid', id: 'uuid', kind: 'text', minted_app_id: 'uuid', minted_authorization_id: 'uuid', profile_id: 'uuid', provider: 'text', result: 'jsonb', return_url: 'text', shop: 'text', status: 'text', workspace_id: 'uuid' },
  held_daily: { day: 'date', first_touch_count: 'int8', first_touch_minor: 'int8', holder: 'text', last_non_direct_count: 'int8', last_non_direct_minor: 'int8', last_touch_count: 'int8', last_touch_minor: 'int8', level: 'text', linear_count: 'int8', linear_minor: 'int8', linear_share_high: 'int8', linear_share_low: 'int8', outcome_type: 'text', profile_id: 'uuid', revenue_type: 'text', time_decay_count: 'int8', time_decay_minor: 'int8', time_decay_share_high: 'int8', time_decay_share_low: 'int8' },
  idempotency_keys: { body: 'bytea', created_at: 'timestamptz', expires_at: 'timestamptz', fingerprint: 'bytea', key: 'text', method: 'text', path: 'text', scope: 'text', sealed: 'bool', status: 'int4' },
  identifiers: { customer_id: 'uuid', id: 'uuid', kind: 'int2', profile_id: 'uuid' },
  identity_links: { by_token: 'bool', event_id: 'uuid', observed_at: 'timestamptz', profile_id: 'uuid', strong_id: 'uuid', weak_id: 'uuid' },
  identity_traits: { event_id: 'uuid', identifier_id: 'uuid', observed_at: 'timestamptz', profile_id: 'uuid', trait: 'text', value: 'text' },
  invitations: { accepted_at: 'timestamptz', created_at: 'timestamptz', email: 'text', email_lower: 'text', expires_at: 'timestamptz', id: 'uuid', invited_by_user_id: 'uuid', link_hash: 'bytea', permissions: '_text', profile_id: 'uuid', revoked_at: 'timestamptz', role: 'text', token_hash: 'bytea', workspace_id: 'uuid' },
  job_schedules: { name: 'text', next_run_at: 'timestamptz', rule: 'text' },
  jobs: { attempts: 'int4', created_at: 'timestamptz', dedupe_key: 'text', died_at: 'timestamptz', id: 'uuid', lane: 'int2', last_error: 'text', lease_id: 'uuid', lease_until: 'timestamptz', max_attempts: 'int4', name: 'text', payload: 'jsonb', profile_id: 'uuid', run_at: 'timestamptz', state: 'text' },
  key_copies: { app_id: 'uuid', authorization_id: 'uuid', created_at: 'timestamptz', expires_at: 'timestamptz', grant_name: 'text', id: 'uuid', kind: 'text', lookup_hash: 'bytea', profile_id: 'uuid', revoked_at: 'timestamptz', scopes: '_text', user_id: 'uuid', workspace_id: 'uuid' },
  key_holders: { id: 'uuid', key_ids: '_text', seen_at: 'timestamptz', started_at: 'timestamptz' },
  link_decisions: { decided_at: 'timestamptz', decided_by: 'uuid', decision: 'text', profile_id: 'uuid', strong_id: 'uuid', weak_id: 'uuid' },
  live_links: { created_at: 'timestamptz', created_by: 'uuid', expires_at: 'timestamptz', for_healthcare: 'bool', id: 'uuid', language: 'text', last_viewed_at: 'timestamptz', model: 'text', name: 'text', password_hash: 'text', period: 'text', profile_id: 'uuid', reports: '_text', revoked_at: 'timestamptz', views: 'int8' },
  mail_messages: { connection_id: 'uuid', created_at: 'timestamptz', id: 'uuid', profile_id: 'uuid', reason: 'text', recipients: 'int4', request_hash: 'text', request_key: 'uuid', settled_at: 'timestamptz', status: 'text' },
  manual_stores: { created_at: 'timestamptz', id: 'uuid', profile_id: 'uuid', shop: 'text', signing_id: 'bytea', updated_at: 'timestamptz' },
  mcp_settings: { allowed_tools: '_text', budget_step_percent: 'int4', enabled: 'bool', max_rows: 'int4', pii_mode: 'text', require_confirmation: 'bool', updated_at: 'timestamptz', updated_by: 'uuid', workspace_id: 'uuid', writeback_enabled: 'bool' },
  mcp_writeback_audits: { after: 'jsonb', arguments: 'jsonb', arguments_digest: 'bytea', before: 'jsonb', client_id: 'text', client_name: 'text', confirmation: 'text', confirmed_at: 'timestamptz', credential_id: 'uuid', error_code: 'text', expires_at: 'timestamptz', id: 'uuid', idempotency_key: 'text', mode: 'text', occurred_at: 'timestamptz', outcome: 'text', profile_id: 'uuid', request_id: 'text', tool: 'text', user_id: 'uuid', workspace_id: 'uuid' },
  merge_proposals: { contradictions: '_text', created_at: 'timestamptz', decided_at: 'timestamptz', decided_by: 'uuid', first_id: 'uuid', id: 'uuid', merge_id: 'uuid', profile_id: 'uuid', score: 'int4', second_id: 'uuid', shared_kinds: '_int2', sides_at_merge: 'jsonb', snoozed_until: 'timestamptz', status: 'text' },
  notification_reads: { profile_id: 'uuid', read_through: 'timestamptz', user_id: 'uuid' },
  oauth_clients: { client_id: 'text', created_at: 'timestamptz', id: 'uuid', name: 'text', redirect_uris: '_text' },
  operator_log: { action: 'text', id: 'uuid', kind: 'text', occurred_at: 'timestamptz', profile_id: 'uuid', reason: 'text', request_id: 'text', subject: 'text', user_id: 'uuid' },
  order_events: { duplicate_of: 'uuid', event_id: 'uuid', occurred_at: 'timestamptz', order_ref: 'uuid', profile_id: 'uuid', revenue_type: 'text', source: 'text', source_rank: 'int2' },
  outbox_counters: { last_number: 'int8', profile_id: 'uuid' },
  outbox_events: { app_id: 'uuid', connection_id: 'uuid', customer_id: 'uuid', data: 'jsonb', delivered_at: 'timestamptz', id: 'text', number: 'int8', occurred_at: 'timestamptz', profile_id: 'uuid', provider: 'text', recorded_at: 'timestamptz', type: 'text' },
  pacing_targets: { budget_minor: 'int8', month: 'date', profile_id: 'uuid', provider: 'text', updated_at: 'timestamptz' },
  paid_touch_daily: { day: 'date', named_ad: 'bool', platform: 'text', profile_id: 'uuid', touches: 'int8' },
  payment_marks: { is_installment: 'bool', payer_identifier_id: 'uuid', payment_id: 'uuid', profile_id: 'uuid' },
  payments: { currency: 'text', event_id: 'uuid', external_id: 'text', from_events: 'bool', id: 'uuid', identifier_id: 'uuid', is_first_balance: 'bool', is_first_payment: 'bool', is_installment: 'bool', occurred_at: 'timestamptz', order_id: 'text', payer_identifier_id: 'uuid', profile_id: 'uuid', provider: 'text', recorded_at: 'timestamptz', status: 'text', subject_ref: 'text', value_minor: 'int8' },
  pending_selections: { candidate_id: 'text', candidates: 'jsonb', connection_id: 'uuid', created_at: 'timestamptz', expires_at: 'timestamptz', finalized_at: 'timestamptz', id: 'uuid', profile_id: 'uuid', provider: 'text', token: 'bytea' },
  performer_snapshots: { captured_at: 'timestamptz', content: 'jsonb', expires_at: 'timestamptz', id: 'uuid', name: 'text', password_hash: 'text', profile_ids: '_uuid', result_hash: 'text', revoked_at: 'timestamptz', score_window: 'text', views: 'int8', workspace_id: 'uuid' },
  phone_repair_events: { event_id: 'uuid', profile_id: 'uuid', repair_id: 'uuid' },
  phone_repairs: { created_at: 'timestamptz', created_by: 'uuid', events: 'int4', finished_at: 'timestamptz', id: 'uuid', include_unresolved: 'bool', profile_id: 'uuid', status: 'text' },
  pii_access_log: { actor_id: 'uuid', actor_kind: 'text', customer_ids: '_uuid', id: 'uuid', occurred_at: 'timestamptz', profile_id: 'uuid', request_id: 'text', route: 'text', row_count: 'int4', workspace_id: 'uuid' },
  platform_daily: { conversions: 'int8', day: 'date', level: 'text', outcome_type: 'text', platform: 'text', profile_id: 'uuid', revenue_type: 'text' },
  profile_entitlements: { enabled: 'bool', feature: 'text', profile_id: 'uuid', updated_at: 'timestamptz' },
  profile_locks: { profile_id: 'uuid' },
  profile_members: { by_email: 'bool', created_at: 'timestamptz', id: 'uuid', permissions: '_text', profile_id: 'uuid', role: 'text', user_id: 'uuid' },
  profiles: { archived_at: 'timestamptz', country: 'text', created_at: 'timestamptz', currency: 'text', governing_authorization_id: 'uuid', id: 'uuid', is_demo: 'bool', name: 'text', privacy_mode: 'text', provisioned_by_app_id: 'uuid', restatements_since: 'timestamptz', tags: '_text', timezone: 'text', workspace_id: 'uuid' },
  provider_leads: { ad_id: 'text', campaign_id: 'text', connection_id: 'uuid', field_data: 'jsonb', form_id: 'text', leadgen_id: 'text', occurred_at: 'timestamptz', page_id: 'text', profile_id: 'uuid', recorded_at: 'timestamptz' },
  provider_webhooks: { body: 'bytea', connection_id: 'uuid', digest: 'bytea', headers: 'jsonb', id: 'uuid', processed_at: 'timestamptz', profile_id: 'uuid', provider: 'text', query: 'jsonb', received_at: 'timestamptz' },
  rate_buckets: { full_at_ms: 'int8', key: 'text' },
  raw_event_walks: { dropped: 'int8', place_at: 'timestamptz', place_id: 'uuid', profile_id: 'uuid', started_at: 'timestamptz' },
  reach_ads: { ad_external_id: 'text', channel: 'text', day: 'date', origin: 'text', people: 'int8', previous_day: 'date', profile_id: 'uuid', touches: 'int8' },
  reach_daily: { channel: 'text', day: 'date', first_origin: 'text', origin: 'text', people: 'int8', previous_day: 'date', profile_id: 'uuid', touches: 'int8' },
  reach_first: { ad_external_id: 'text', channel: 'text', day: 'date', origin: 'text', people: 'int8', previous_day: 'date', profile_id: 'uuid' },
  readiness_probe: { filler: 'bytea', id: 'int2', probed_at: 'timestamptz' },
  recommendations: { action: 'jsonb', applied_at: 'timestamptz', claimed_at: 'timestamptz', closed_at: 'timestamptz', confidence: 'float8', created_at: 'timestamptz', evidence: 'jsonb', expected_effect: 'jsonb', expires_at: 'timestamptz', id: 'uuid', kind: 'text', prediction: 'jsonb', profile_id: 'uuid', status: 'text', subject: 'jsonb', subject_id: 'uuid', turned_out_right: 'bool', updated_at: 'timestamptz' },
  recomputes: { conversions: 'int8', error: 'text', finished_at: 'timestamptz', id: 'uuid', profile_id: 'uuid', requested_at: 'timestamptz', scope: 'text', settings_before: 'jsonb', started_at: 'timestamptz', state: 'text' },
  refunds: { amount_minor: 'int8', counted_minor: 'int8', currency: 'text', day: 'date', external_id: 'text', id: 'uuid', kind: 'text', occurred_at: 'timestamptz', payment_id: 'uuid', profile_id: 'uuid', reason: 'text', recorded_at: 'timestamptz', report_amount_minor: 'int8', told_minor: 'int8' },
  refunds_waiting: { body: 'jsonb', id: 'uuid', payment_external_id: 'text', profile_id: 'uuid', provider: 'text' },
  refused_events: { code: 'text', event_id: 'uuid', event_name: 'text', id: 'uuid', message: 'text', order_ref: 'uuid', profile_id: 'uuid', refused_at: 'timestamptz', request_id: 'text', status: 'int2' },
  report_changes: { holds_lock: 'bool', number: 'int8', profile_id: 'uuid' },
  report_schedules: { approval: 'bool', cadence: 'text', day: 'int2', enabled: 'bool', format: 'text', language: 'text', model: 'text', next_run_at: 'timestamptz', profile_id: 'uuid', recipients: '_text', time: 'text', timezone: 'text', updated_at: 'timestamptz', weekday: 'int2' },
  report_unsubscribes: { profile_id: 'uuid', recipient: 'text', unsubscribed_at: 'timestamptz' },
  restatements: { batch_id: 'uuid', cause: 'text', changes: 'text', day: 'date', entity: 'text', fact_id: 'text', fact_type: 'text', level: 'text', measures: '_int8', number: 'int4', outcome_type: 'text', profile_id: 'uuid', recorded_at: 'timestamptz', revenue_type: 'text', rollup: 'text' },
  saved_views: { id: 'uuid', name: 'text', page: 'text', profile_id: 'uuid', shared: 'bool', updated_at: 'timestamptz', user_id: 'uuid', values: 'jsonb' },
  schema_migrations: { applied_at: 'timestamptz', name: 'text', runs_with: 'text' },
  sealing_key: { is_only: 'bool', key_id: 'text', since: 'timestamptz' },
  search_queries: { clicks: 'int8', connection_id: 'uuid', day: 'date', impressions: 'int8', page: 'text', position_milli: 'int8', profile_id: 'uuid', query: 'text' },
  sender_domains: { checked_at: 'timestamptz', checks: 'jsonb', created_at: 'timestamptz', domain: 'text', from_local: 'text', from_name: 'text', private_key: 'bytea', public_key: 'text', selector: 'text', status: 'text', workspace_id: 'uuid' },
  service_clock: { id: 'int4', offset_ms: 'int8' },
  service_processes: { build: 'text', host: 'text', id: 'uuid', master_key_ids: '_text', pid: 'int4', role: 'text', runs_beside: 'text', seen_at: 'timestamptz', started_at: 'timestamptz', stopped_at: 'timestamptz', version: 'text', worker_seen_at: 'timestamptz' },
  service_secrets: { created_at: 'timestamptz', name: 'text', sealed: 'bytea' },
  session_activity: { credential_id: 'uuid', last_used_at: 'timestamptz' },
  set_aside_records: { connection_id: 'uuid', day: 'date', external_id: 'text', first_seen_at: 'timestamptz', kind: 'text', last_seen_at: 'timestamptz', list: 'text', profile_id: 'uuid', reason: 'text' },
  stage_mappings: { connection_id: 'uuid', outcome_type: 'text', profile_id: 'uuid', stage_id: 'text', updated_at: 'timestamptz' },
  store_orders: { changed_at: 'timestamptz', connection_id: 'uuid', order_id: 'text', profile_id: 'uuid', status: 'text' },
  tab_looks: { looked_at: 'timestamptz', tab: 'text', user_id: 'uuid', workspace_id: 'uuid' },
  touch_sources: { ad_external_id: 'text', ad_set_external_id: 'text', campaign_external_id: 'text', id: 'uuid', is_direct: 'bool', platform: 'text', profile_id: 'uuid', source: 'text' },
  touches: { ad_external_id: 'text', ad_set_external_id: 'text', campaign_external_id: 'text', channel: 'text', click_id: 'text', click_id_kind: 'text', id: 'uuid', identifier_id: 'uuid', is_direct: 'bool', landing_path: 'text', occurred_at: 'timestamptz', origin: 'text', platform: 'text', profile_id: 'uuid', recorded_at: 'timestamptz', referrer_host: 'text', reported_at: 'timestamptz', source_id: 'uuid', utm_campaign: 'text', utm_medium: 'text', utm_source: 'text' },
  tracking_domains: { authorization_id: 'uuid', checked_at: 'timestamptz', created_at: 'timestamptz', detail: 'text', domain: 'text', id: 'uuid', profile_id: 'uuid', status: 'text' },
  tracking_settings: { allowed_domains: '_text', browser_revenue: 'text', consent_mode: 'text', enrich_country: 'bool', filter_bots: 'bool', forms: 'text', profile_id: 'uuid', session_minutes: 'int4', spa: 'text', updated_at: 'timestamptz' },
  tracking_verifications: { expires_at: 'timestamptz', id: 'uuid', profile_id: 'uuid', seen_at: 'timestamptz', seen_url: 'text', started_at: 'timestamptz', status: 'text', token: 'text', url: 'text' },
  unassigned_daily: { day: 'date', first_touch_count: 'int8', first_touch_minor: 'int8', last_non_direct_count: 'int8', last_non_direct_minor: 'int8', last_touch_count: 'int8', last_touch_minor: 'int8', level: 'text', linear_count: 'int8', linear_minor: 'int8', outcome_type: 'text', platform: 'text', profile_id: 'uuid', revenue_type: 'text', time_decay_count: 'int8', time_decay_minor: 'int8' },
  uncredited_daily: { conversions: 'int8', day: 'date', fx_missing: 'int8', outcome_type: 'text', profile_id: 'uuid', reason: 'text', revenue_type: 'text', value_minor: 'int8' },
  users: { created_at: 'timestamptz', email: 'text', email_lower: 'text', email_verified_at: 'timestamptz', id: 'uuid', name: 'text', password_hash: 'text' },
  utm_scans: { profile_id: 'uuid', result: 'jsonb', scanned_at: 'timestamptz' },
  webhook_deliveries: { attempt_count: 'int4', attempts: 'jsonb', created_at: 'timestamptz', event_id: 'text', event_type: 'text', id: 'uuid', next_attempt_at: 'timestamptz', number: 'int8', payload: 'text', profile_id: 'uuid', recorded_at: 'timestamptz', settled_at: 'timestamptz', status: 'text', status_reason: 'text', subscription_id: 'uuid' },
  webhook_fanouts: { profile_id: 'uuid', through_number: 'int8' },
  webhook_queues: { due_at: 'timestamptz', lease_id: 'uuid', lease_until: 'timestamptz', profile_id: 'uuid', subscription_id: 'uuid', wakes: 'int8' },
  webhook_subscriptions: { after_number: 'int8', app_id: 'uuid', authorization_id: 'uuid', consecutive_failures: 'int4', created_at: 'timestamptz', deleted_at: 'timestamptz', events: '_text', failing_since: 'timestamptz', id: 'uuid', last_delivery_at: 'timestamptz', opens_contact: 'bool', previous_secret: 'bytea', previous_secret_expires_at: 'timestamptz', profile_id: 'uuid', providers: '_text', secret: 'bytea', status: 'text', status_reason: 'text', updated_at: 'timestamptz', url: 'text' },
  workspace_branding: { accent_color: 'text', display_name: 'text', logo: 'bytea', logo_etag: 'text', logo_type: 'text', primary_color: 'text', support_email: 'text', updated_at: 'timestamptz', website_url: 'text', workspace_id: 'uuid' },
  workspace_members: { by_email: 'bool', created_at: 'timestamptz', role: 'text', user_id: 'uuid', workspace_id: 'uuid' },
  workspace_subscriptions: { billing_customer: 'text', billing_subscription: 'text', cancels_at: 'timestamptz', current_period_end: 'timestamptz', current_period_start: 'timestamptz', last_notice: 'text', past_due_since: 'timestamptz', plan: 'text', status: 'text', trial_ends_at: 'timestamptz', updated_at: 'timestamptz', workspace_id: 'uuid' },
  workspaces: { acquisition_source: 'text', archived_at: 'timestamptz', archived_owner_ids: '_uuid', created_at: 'timestamptz', created_by_user_id: 'uuid', healthcare: 'bool', id: 'uuid', name: 'text', plan: 'text', provisioned_by_app_id: 'uuid', reporting_currency: 'text', store_install: 'text', timezone: 'text' },
}
