// Generated from openapi.json by npm run generate.

export type ErrorBody = {
  /** What was refused, and how to fix it */
  error: {
    /** Stable: branch on it */
    code: "unauthorized" | "forbidden" | "insufficient_scope" | "not_found" | "invalid_parameter" | "invalid_request" | "validation_error" | "invalid_content" | "invalid_date_range" | "entitlement_required" | "healthcare_scope_forbidden" | "invalid_state" | "rate_limit_exceeded" | "connection_not_ready" | "connection_revoked" | "provider_error" | "account_suspended" | "auth_revoked" | "mailbox_disabled" | "quota_exceeded" | "recipient_rejected" | "service_unavailable" | "api_key_required" | "customer_not_found" | "account_connected_elsewhere" | "conversion_not_found" | "event_not_found" | "event_already_exported" | "event_linked_to_conversation" | "erasure_not_found" | "link_tokens_disabled" | "feature_retired" | "not_implemented" | "internal_error" | "calendar_scope_required" | "calendar_unsupported" | "provider_not_configured" | "invalid_window" | "media_expired" | "chatapp_register_limit" | "chatapp_payment_required" | "messaging_window_closed" | "pagechat_feature_not_approved" | "chatapp_otp_relay_unavailable" | "audit_timeout" | "database_unavailable" | "weak_password" | "compromised_password" | "current_password_required" | "current_password_invalid" | "plan_upgrade_required" | "chatapp_service_window_expired" | "payload_too_large" | "profile_limit_reached" | "idempotency_key_conflict" | "idempotency_key_in_flight" | "demo_purge_blocked" | "workspace_archived" | "app_provisioned_workspace" | "audience_tos_required" | "platform_safe_audiences_disabled" | "customer_not_in_profile" | "platform_safe_required" | "social_write_permission_missing" | "campaign_not_found" | "template_not_found" | "insights_enabling" | "insights_unsupported" | "social_unavailable" | "campaign_not_pausable" | "campaign_not_resumable" | "campaign_not_editable" | "adset_not_editable" | "budget_change_out_of_bounds" | "clean_dataset_has_live_ad_sets" | "social_connection_required" | "consent_required" | "amount_invalid" | "manual_refund_exists" | "payment_assignment_incomplete" | "payment_ref_invalid" | "status_invalid" | "range_invalid" | "unknown_answer_key" | "unknown_customer_ref" | "chatapp_connection_required" | "photoapp_connection_required" | "photoapp_facebook_login_required" | "destination_conflict" | "unknown_ad"
    /** Human-readable. Starts with the field name, if a field is invalid. */
    message: string
    /** The invalid field or parameter. */
    field?: string
    /** The problem with the field: the message without the field name. */
    problem?: string
    /** The contract rule that the field violates, such as required, uuid or too_big. */
    rule?: string
    /** How an API caller can fix it. */
    hint?: string
    /** The HTTP status */
    status: number
    /** Id of the request, also in the header X-Request-Id */
    request_id: string
    /** Page that explains the error */
    docs_url: string
    /** Scopes that the operation needs */
    required_scopes?: Array<string>
    /** What exactly was refused, for programs */
    reason?: string
    /** A person must connect the account again */
    reconnect_required?: boolean
    /** Link for a person to reconnect */
    reconnect_url?: string
  }
}

export type AcceptDpaReply = {
  /** Whether the data-processing agreement is signed */
  status: "not_accepted" | "accepted" | "withdrawn"
  /** Version of the agreement that was signed; null if none was */
  version: string | null
  /** When it was accepted; null until then */
  accepted_at: string | null
  /** When it was withdrawn; null if it was not */
  withdrawn_at: string | null
  /** Id of the partner app */
  app_id: string
}

export type AcceptDpaRequest = Record<string, unknown>

export type AcceptInvitationReply = {
  /** Id of the workspace */
  workspace_id: string
  /** Id of the profile that the invitation is for; null if it is for the workspace */
  profile_id: string | null
  /** Id of the profile membership; null for an invitation to the workspace */
  membership_id: string | null
  /** Role in the workspace */
  role: "owner" | "admin" | "editor" | "viewer"
}

export type AcceptInvitationRequest = {
  /** Token from the link in the mail */
  token: string
}

export type ActivateWebPixelReply = {
  /** Whether the pixel is active in the store */
  status: string
  /** The store’s id of the pixel */
  web_pixel_id: string
}

/** Level of the ad structure */
export type AdLevel = "campaign" | "ad_set" | "ad"

export type AdSetSwap = {
  /** The platform’s id of the ad set */
  id: string
  /** Id of the ad set that replaced it */
  replaced_by: string
}

export type AddFactorReply = {
  /** Id of the second factor */
  id: string
  /** For the authenticator app; returned once; null for a passkey */
  secret: string | null
  /** The key as a QR code contains it; null for a passkey */
  otpauth_url: string | null
  /** For the browser, which creates the passkey; null for an authenticator app */
  options: Record<string, unknown> | null
}

export type AddFactorRequest = {
  /** Authenticator app or passkey */
  kind: "totp" | "passkey"
  /** Name of the device */
  name: string
}

export type AdoptProfileReply = {
  /** Id of the profile */
  profile_id: string
  /** Id of the workspace */
  workspace_id: string
  /** Whether the app has adopted the profile */
  adopted: boolean
  /** The API key, shown once */
  api_key?: string
  /** API key that can only connect accounts, shown once */
  connections_key?: string
}

export type AdoptProfileRequest = {
  /** Scopes of the credential */
  scopes?: Array<string>
}

export type Alert = {
  /** Id of the alert */
  id: string
  /** Name of the alert, as people see it */
  name: string
  /** Condition of the alert */
  condition: ThresholdCondition | FindingCondition
  /** Name of the campaign that it watches; null if it watches all */
  campaign_name: string | null
  /** Whether it is enabled */
  enabled: boolean
  /** Until when the alert is silent; null if it is not */
  muted_until: string | null
  /** Whether the condition holds now */
  state: "ok" | "firing"
  /** The most recent day on which it fired; null if it never did */
  fired_on: string | null
  /** The most recent evaluated day; null before the first */
  evaluated_through: string | null
  /** Why the last closed day is not evaluated yet; null if it is */
  held: string | null
  /** The figure of the most recent evaluated day; null if there is none */
  figure: AlertFigure | null
}

export type AlertFigure = {
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** The figure that the rule watches, in its own unit; null if data is missing */
  value: number | null
  /** The figure of the days that it is compared with; null without a comparison */
  before: number | null
  /** Change from the previous window in percent; null without one */
  change_percent: number | null
  /** Payments in the days */
  conversions: number
  /** Conversions in the previous window */
  conversions_before: number
  /** breach: past the threshold. clear: back past the recovery margin. between: past the threshold but a usual change for this profile, or back but within the margin. unknown: not enough data, see reason */
  verdict: "breach" | "clear" | "between" | "unknown"
  /** Why the figure could not be compared, or did not fire the rule; null if there is nothing to explain */
  reason: "too_few_conversions" | "no_spend" | "exchange_rate_missing" | "nothing_to_compare" | "too_little_history" | "usual_change" | "no_more_data" | null
  /** Checks with open findings; empty for a threshold */
  check_ids: Array<string>
}

export type AlertFiredEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "alert.fired"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the alert */
    alert_id: string
    /** Name of the alert, as people see it */
    name: string
    /** Whether it watches a figure or findings of the checks */
    kind: "threshold" | "finding"
    /** The closed day that was evaluated */
    day: string
    /** Figure that the rule watches; null for findings */
    metric: string | null
    /** Id of the campaign that it watches; null for the whole profile */
    campaign_id: string | null
    /** Whether it fires above or below the threshold; null for findings */
    direction: string | null
    /** Whether the figure itself or its change is compared; null for findings */
    comparison: string | null
    /** Value that the figure is compared with, in its own unit; null for findings */
    threshold: number | null
    /** Number of closed days that are summed; null for findings */
    window_days: number | null
    /** The figure, in its own unit; null if data is missing */
    value: number | null
    /** The figure of the days that it is compared with; null without a comparison */
    before: number | null
    /** Change from those days in percent; null without a comparison */
    change_percent: number | null
    /** Payments in the days */
    conversions: number
    /** ISO 4217 code of the currency */
    currency: string
    /** Ids of the checks with open findings; empty for a threshold */
    check_ids: Array<string>
  }
}

export type AlertLogEntry = {
  /** Id of the entry */
  id: string
  /** Id of the alert */
  alert_id: string
  /** Whether the alert fired or recovered */
  kind: "fired" | "recovered"
  /** Day, YYYY-MM-DD, in the time zone of the profile */
  day: string
  /** Name of the alert */
  name: string
  /** Condition of the alert */
  condition: ThresholdCondition | FindingCondition
  /** Name of the campaign; null if the alert watches all campaigns */
  campaign_name: string | null
  /** Value of the monitored figure at that time */
  figure: AlertFigure
  /** For kind fired: the day it recovered; null while it is firing */
  recovered_on: string | null
  /** True if it was not sent */
  is_muted: boolean
  /** When it was created */
  created_at: string
}

export type AlertRecoveredEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "alert.recovered"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the alert */
    alert_id: string
    /** Name of the alert, as people see it */
    name: string
    /** Whether it watches a figure or findings of the checks */
    kind: "threshold" | "finding"
    /** The closed day that was evaluated */
    day: string
    /** Figure that the rule watches; null for findings */
    metric: string | null
    /** Id of the campaign that it watches; null for the whole profile */
    campaign_id: string | null
    /** Whether it fires above or below the threshold; null for findings */
    direction: string | null
    /** Whether the figure itself or its change is compared; null for findings */
    comparison: string | null
    /** Value that the figure is compared with, in its own unit; null for findings */
    threshold: number | null
    /** Number of closed days that are summed; null for findings */
    window_days: number | null
    /** The figure, in its own unit; null if data is missing */
    value: number | null
    /** The figure of the days that it is compared with; null without a comparison */
    before: number | null
    /** Change from those days in percent; null without a comparison */
    change_percent: number | null
    /** Payments in the days */
    conversions: number
    /** ISO 4217 code of the currency */
    currency: string
    /** Ids of the checks with open findings; empty for a threshold */
    check_ids: Array<string>
  }
}

export type Annotation = {
  /** Id of the annotation */
  id: string
  /** Day, YYYY-MM-DD, in the time zone of the profile */
  day: string
  /** Text of the note */
  text: string
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}

export type AnswerShare = {
  /** Key of the answer in the vocabulary */
  answer_key: string
  /** Customers with this answer; fractional under models that divide credit */
  credit: number
  /** Share of the customers who answered, 0 to 1; null without answers */
  share: number | null
  /** Lower bound of the 95 % interval (Wilson); null without answers */
  share_low: number | null
  /** Upper bound of the 95 % interval; null without answers */
  share_high: number | null
}

export type ApiKey = {
  /** Id of the API key */
  id: string
  /** First and last characters, to recognise it */
  hint: string
  /** Name of the API key; null if it has none */
  name: string | null
  /** Id of the profile */
  profile_id: string
  /** Scopes of the credential */
  scopes: Array<string>
  /** The partner app that the key was issued to; null if it was not issued to an app */
  app_id: string | null
  /** When it was created */
  created_at: string
  /** When it expires; null if it does not */
  expires_at: string | null
  /** When it stops working, in the future while a rotated key still works; null if it is not revoked */
  revoked_at: string | null
  /** Last day of use; null if there was none */
  last_used_on: string | null
}

/** Context of the response */
export type AppMeta = {
  /** Public id of the app */
  client_id: string
}

export type AppliedConsent = {
  /** Consent to send data of the person to ad platforms */
  ad_user_data: "granted" | "denied" | "unspecified"
  /** Consent to personalised ads */
  ad_personalization: "granted" | "denied" | "unspecified"
  /** What stated it; null if nothing did */
  source: "gpc" | "page" | "tcf" | "consent_mode" | "shopify" | "wp" | "attribute" | "tracker" | "api" | "integration" | "import" | "default" | null
  /** When it was stated; null if nothing was */
  stated_at: string | null
}

export type ApproveReportRequest = Record<string, unknown>

export type ArchiveCounts = {
  /** Number of archived profiles */
  profiles_archived: number
  /** Number of removed memberships */
  memberships_removed: number
  /** Number of revoked invitations */
  invitations_revoked: number
  /** Number of revoked API keys */
  api_keys_revoked: number
  /** Number of paused webhook subscriptions */
  webhook_subscriptions_paused: number
  /** Number of sent conversions retained as evidence */
  retained_conversion_exports: number
  /** Number of audit log rows retained as evidence */
  retained_signal_audit_rows: number
}

export type ArchiveProfileReply = {
  /** Id of the profile */
  profile_id: string
  /** Whether it is archived */
  archived: boolean
  /** When it was archived */
  archived_at: string
}

/** Context of the response */
export type ArchiveWorkspaceMeta = {
  /** Id of the workspace */
  workspace_id: string
}

export type ArchiveWorkspaceReply = {
  /** Id of the workspace */
  workspace_id: string
  /** Whether it is archived */
  archived: boolean
  /** When it was archived */
  archived_at: string
  /** Count per kind */
  counts: ArchiveCounts
  /** Number of deleted profiles */
  profiles_purged: number
}

export type AttributionSettings = {
  /** Lookback window in days: visits within it can get credit */
  lookback_days: number
  /** Lookback window in days for the model first_touch */
  first_touch_lookback_days: number
  /** For the model time_decay: the weight of a visit halves every this many days */
  half_life_days: number
  /** Hours that a day stays open for late events after it ends */
  grace_hours: number
  /** When it was last changed; null if it never was */
  updated_at: string | null
}

export type Branding = {
  /** Business name on hand-off pages and in mails; null if it is not set */
  display_name: string | null
  /** Color of buttons and links, such as `#1a2b3c`; null if it is not set */
  primary_color: string | null
  /** Accent color of pages and mails, such as `#1a2b3c`; null if it is not set */
  accent_color: string | null
  /** Email address to which customers may write; null if it is not set */
  support_email: string | null
  /** URL of the business’s website; null if there is none */
  website_url: string | null
  /** Public address of the logo; null without a logo */
  logo_url: string | null
  /** When it was last changed; null if it never was */
  updated_at: string | null
}

export type BriefSentence = {
  /** Topic of the sentence */
  kind: "stale" | "empty" | "revenue" | "mover" | "spend" | "data_problem" | "goal" | "pacing" | "restated"
  /** Whether the news is good or bad; neutral for a change of a size that the profile often shows */
  tone: "good" | "bad" | "neutral"
  /** The complete sentence */
  text: string
  /** The same text, split at figures that link to their report */
  parts: Array<{
    /** Text of this part of the sentence */
    text: string
    /** Page of the figure; null for plain text */
    link: {
      /** Page of the console */
      page: "overview" | "campaigns" | "unattributed" | "connections" | "data-health" | "pacing" | "goals"
      /** Id of the campaign to open; null for other pages */
      campaign_id: string | null
      /** First day of the range to open; null for pages without a range */
      date_from: string | null
      /** Last day of the range to open, inclusive; null for pages without a range */
      date_to: string | null
      /** API request that returns the figure */
      api: string
    } | null
  }>
}

export type BriefSubscription = {
  /** Id of the profile */
  profile_id: string
  /** When briefs are sent. daily: covers yesterday; weekly: covers the last 7 days; never: alerts only */
  cadence: "daily" | "weekly" | "never"
  /** For weekly briefs; 1 is Monday */
  weekday: number
  /** Wall-clock time in the profile’s time zone, such as 08:00 */
  time: string
  /** Language of the text */
  language: "en" | "es"
  /** Whether alerts are sent to this receiver too; default: true unless cadence is never */
  alerts: boolean
  /** When the next brief is due; null for never */
  next_run_at: string | null
}

export type BriefWebhook = {
  /** Id of the brief webhook */
  id: string
  /** Id of the profile */
  profile_id: string
  /** When briefs are sent. daily: covers yesterday; weekly: covers the last 7 days; never: alerts only */
  cadence: "daily" | "weekly" | "never"
  /** For weekly briefs; 1 is Monday */
  weekday: number
  /** Wall-clock time in the profile’s time zone, such as 08:00 */
  time: string
  /** Language of the text */
  language: "en" | "es"
  /** Whether alerts are sent to this receiver too; default: true unless cadence is never */
  alerts: boolean
  /** When the next brief is due; null for never */
  next_run_at: string | null
  /** Chat service that receives the message */
  kind: "slack" | "teams"
  /** Display name of the channel */
  name: string
  /** Host of the address; the address itself is a secret and is not returned */
  host: string
  /** When the most recent message was delivered; null if none was */
  last_sent_at: string | null
  /** Why the most recent message was not delivered; null if it was */
  last_error: string | null
}

export type Budget = {
  /** Budget per day in the currency of the account */
  daily_budget?: number | string
  /** Budget for the whole run in the currency of the account */
  lifetime_budget?: number | string
}

export type BudgetChange = {
  /** The platform’s id */
  platform_id: string
  /** Whether the platform made the change */
  outcome: "changed" | "no_change"
  /** daily or lifetime */
  budget_type: "daily" | "lifetime"
  /** Budget before the change; null if there was none */
  previous_budget: number | null
  /** Budget in the currency of the account */
  budget: number
  /** ISO 4217 code of the currency */
  currency: string
}

export type Calendar = {
  /** The platform’s id */
  id: string
  /** Id of the connection */
  connection_id: string
  /** Provider of the account, for example social_ads */
  provider: "engine_calendar" | "external_calendar"
  /** Name of the calendar */
  name: string
  /** IANA time zone; null if the provider does not report it */
  timezone: string | null
  /** Whether it is the main calendar of the account */
  is_primary: boolean
  /** Created by `POST /calendars` */
  is_managed: boolean
}

export type CalendarEvent = {
  /** Id of the appointment at the provider */
  id: string
  /** Null if no guest is a customer */
  title: string | null
  /** When the appointment starts */
  starts_at: string
  /** When the appointment ends */
  ends_at: string
  /** Whether it is an all-day event */
  is_all_day: boolean
  /** Whether it repeats */
  is_recurring: boolean
  /** When the appointment was booked; null if the calendar does not report it */
  booked_at: string | null
  /** The guests who are invited */
  guests: Array<{
    /** Email address of the guest */
    email: string
    /** Name of the guest; null if the calendar does not report it */
    name: string | null
    /** Response of the guest */
    reply: "accepted" | "declined" | "open"
    /** Id of the customer */
    customer_id: string
  }>
  /** Number of guests who are not customers */
  other_guests: number
}

export type Calibration = {
  /** The study, as in GET …/experiments */
  experiment_id: string
  /** Kind of study that the factor comes from */
  kind: "lift" | "geo"
  /** Name of the study */
  name: string
  /** When the study ended */
  ends_at: string
  /** Confidence level of the intervals, such as 0.95 */
  level: number
  /** Incremental over credited outcomes in the days of the study; null for a study that counts buyers */
  factor: number | null
  /** Lower bound of the interval of `factor`; null without an interval */
  factor_low: number | null
  /** Upper bound of the interval of `factor`; null without an interval */
  factor_high: number | null
  /** `outcome_value` times `factor`; null without a study */
  incremental_value: number | null
  /** Lower bound of the interval of `incremental_value`; null without an interval */
  incremental_low: number | null
  /** Upper bound of the interval of `incremental_value`; null without an interval */
  incremental_high: number | null
  /** For a lift study that counts buyers: people who would not have bought without the ads, in the days of the study; null for other studies */
  buyers: {
    /** Incremental buyers according to the study */
    incremental: number
    /** Lower bound of the interval */
    incremental_low: number
    /** Upper bound of the interval */
    incremental_high: number
    /** Distinct customers with a payment credited to these ads in those days */
    credited: number
  } | null
}

/** Total of all rows, on all pages; a payment shared by several rows counts once. With parent_id, the figures of the parent. */
export type CampaignTotal = {
  /** Payments in which the row has a part */
  outcome_count: number
  /** The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments */
  outcome_credit: number
  /** Credited cash less refunds; null if no exchange rate is known */
  outcome_value: number | null
  /** Conversions of all types that the row has credit for */
  attributed_outcome_count: number
  /** `attributed_outcome_count` by `outcome_type` */
  attributed_outcomes_by_type: OutcomesByType
  /** Amounts left out because their exchange rate is missing */
  fx_missing: number
  /** Null if no exchange rate is known */
  spend: number | null
  /** `outcome_value` divided by `spend`; null without spend */
  roas: number | null
  /** `spend` divided by `outcome_count`; null without payments or spend */
  cac: number | null
  /** First payments in which the row has a part; a deposit and its balance within 7 days count as one */
  new_customer_count: number
  /** Cash of these payments less refunds; null if an exchange rate is missing */
  new_customer_value: number | null
  /** `spend` divided by `new_customer_count`; null without new customers or spend */
  new_customer_cac: number | null
  /** `new_customer_value` divided by `spend`; null without spend */
  new_customer_roas: number | null
  /** Impressions, as the platform reports them */
  impressions: number
  /** Clicks, as the platform reports them */
  clicks: number
  /** Unique accounts as reported by the platform for the range; null otherwise, because reach of days or ads does not add up */
  reach: number | null
  /** Clicks per 100 impressions; null without impressions */
  ctr: number | null
  /** Spend per 1,000 impressions; null without impressions */
  avg_cpm: number | null
  /** Spend per click; null without clicks */
  avg_cpc: number | null
  /** Conversations started within 7 days of a click, as the platform reports them; null if it does not */
  messaging_conversations_started_7d: number | null
  /** roas and cac use credited money and payments, not all of the profile’s */
  ratios_over: "credited"
}

export type Candidate = {
  /** Id of the account, to pass as `candidate_id` */
  id: string
  /** Name of the account at the provider */
  name: string
  /** What kind of account it is at the provider */
  kind: "ad_account" | "property" | "location" | "account" | "store"
  /** ISO 4217 code of the account’s currency; null if the provider does not report it */
  currency: string | null
  /** IANA time zone; null if the provider does not report it */
  timezone: string | null
}

export type CatalogConversion = {
  /** Key of the goal, unique in the profile */
  conversion_key: string
  /** Whether it is enabled */
  enabled: boolean
  /** Whether the amount is sent to the platform */
  send_value: boolean
  /** Consent of events without `properties.consent` */
  consent_default: "granted" | "denied" | "unspecified"
}

export type CatalogUpdatedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "catalog.updated"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Provider of the account, for example social_ads */
    provider: string
    /** Id of the connection */
    connection_id: string
    /** The account’s id at the provider */
    account_id: string
    /** The store’s id of the product */
    product_id: string
    /** What happened to the product */
    change: "created" | "updated" | "deleted"
  }
}

export type ChangeEmailRequest = {
  /** Email address of the account */
  email: string
  /** The current password */
  current_password?: string
}

export type ChangePasswordRequest = {
  /** The current password */
  current_password?: string
  /** The new password */
  new_password: string
}

export type ChangedFigures = {
  /** Number of payments that have credit */
  outcome_count: number
  /** Conversions of all types that have credit */
  attributed_outcome_count: number
  /** Cash less refunds; amounts without an exchange rate are not included */
  outcome_value: number
  /** Ad spend in the reporting currency */
  spend: number
}

export type Channel = "social_ads" | "engine_ads" | "engine_search_console" | "engine_calendar" | "external_calendar" | "microsoft_ads" | "crmsuite" | "cardpay" | "regionalpay" | "storefront" | "woocommerce" | "hubspot" | "linkedin_ads" | "tiktok_ads" | "banklink" | "chatbot" | "pagechat" | "photoapp" | "chatapp" | "mailbox"

export type ChannelHealthUpdatedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "channel.health.updated"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Provider of the account, for example social_ads */
    provider: string
    /** Id of the connection */
    connection_id: string
    /** Status of the connection after the change */
    status: string
    /** Why the status changed; null if the provider gives no reason */
    reason: string | null
  }
}

export type ChannelOverride = {
  /** `host`: a site and its subdomains; `source`: a complete utm_source */
  kind: "host" | "source"
  /** The host, or the complete utm_source, in lower case */
  value: string
  /** Channel of the visits that the rule matches */
  channel: OverrideChannel
}

export type ChannelOverrideInput = {
  /** `host`: a site and its subdomains; `source`: a complete utm_source */
  kind: "host" | "source"
  /** The host, or the complete utm_source, in lower case */
  value: string
  /** Channel of the visits that the rule matches */
  channel: OverrideChannel
}

export type ChannelRow = {
  /** paid_search, paid_social, paid_other, organic_search, email, direct …; `unknown` is revenue without a touch */
  channel: string
  /** Payments in which the row has a part */
  outcome_count: number
  /** The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments */
  outcome_credit: number
  /** Credited cash less refunds; null if no exchange rate is known */
  outcome_value: number | null
  /** Conversions of all types that the row has credit for */
  attributed_outcome_count: number
  /** `attributed_outcome_count` by `outcome_type` */
  attributed_outcomes_by_type: OutcomesByType
  /** Amounts left out because their exchange rate is missing */
  fx_missing: number
  /** Null if no exchange rate is known */
  spend: number | null
  /** `outcome_value` divided by `spend`; null without spend */
  roas: number | null
  /** `spend` divided by `outcome_count`; null without payments or spend */
  cac: number | null
  /** First payments in which the row has a part; a deposit and its balance within 7 days count as one */
  new_customer_count: number
  /** Cash of these payments less refunds; null if an exchange rate is missing */
  new_customer_value: number | null
  /** `spend` divided by `new_customer_count`; null without new customers or spend */
  new_customer_cac: number | null
  /** `new_customer_value` divided by `spend`; null without spend */
  new_customer_roas: number | null
  /** By outcome_value, highest first */
  sources: Array<ChannelSource>
  /** With `by_day`: every day of the range; the days add up to outcome_value */
  days?: Array<{
    /** Day, YYYY-MM-DD, in the time zone of the profile */
    date: string
    /** Revenue of the day */
    value: number
  }>
}

export type ChannelSource = {
  /** The ad platform, utm_source or site; null if unknown */
  source: string | null
  /** Known ads, paid clicks without an ad, or visits without a paid click */
  kind: "ads" | "clicks_without_ad" | "visits"
  /** Payments in which the row has a part */
  outcome_count: number
  /** The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments */
  outcome_credit: number
  /** Credited cash less refunds; null if no exchange rate is known */
  outcome_value: number | null
  /** Conversions of all types that the row has credit for */
  attributed_outcome_count: number
  /** `attributed_outcome_count` by `outcome_type` */
  attributed_outcomes_by_type: OutcomesByType
  /** Amounts left out because their exchange rate is missing */
  fx_missing: number
  /** Null if no exchange rate is known */
  spend: number | null
  /** `outcome_value` divided by `spend`; null without spend */
  roas: number | null
  /** `spend` divided by `outcome_count`; null without payments or spend */
  cac: number | null
  /** First payments in which the row has a part; a deposit and its balance within 7 days count as one */
  new_customer_count: number
  /** Cash of these payments less refunds; null if an exchange rate is missing */
  new_customer_value: number | null
  /** `spend` divided by `new_customer_count`; null without new customers or spend */
  new_customer_cac: number | null
  /** `new_customer_value` divided by `spend`; null without spend */
  new_customer_roas: number | null
}

export type ChatNumber = {
  /** The platform’s id of the phone number */
  id: string
  /** The phone number, as the platform shows it; null if it reports none */
  number: string | null
  /** Verification status at the platform; null if it reports none */
  verification: string | null
  /** Status of the number at the platform; null if it reports none */
  status: string | null
}

export type ChatTemplate = {
  /** The platform’s id of the template */
  id: string
  /** The account’s id at the provider */
  account_id: string
  /** Name of the chat template */
  name: string
  /** Language of the text, for example en */
  language: string
  /** Status of the template at the platform; null if it reports none */
  status: string | null
  /** The page’s category at the platform; null if the platform reports none */
  category: string | null
  /** When it was last changed */
  updated_at: string
  /** By UTC day, oldest first; null if not requested */
  insights: Array<{
    /** Day, YYYY-MM-DD, in the time zone of the profile */
    day: string
    /** Number of messages that were sent; null if the platform reports no figures */
    sent: number | null
    /** Number of messages that were delivered; null if the platform reports no figures */
    delivered: number | null
    /** Number of messages that were read; null if the platform reports no figures */
    read: number | null
    /** Number of people who clicked; null if the platform reports no figures */
    clicked: number | null
  }> | null
}

export type ClientReport = {
  /** Id of the client report */
  id: string
  /** Shared by the reports of one request */
  batch_id: string
  /** Id of the profile */
  profile_id: string
  /** Name of the profile */
  profile_name: string
  /** Days that the report covers */
  period: "last_7_days" | "last_28_days" | "last_30_days" | "last_month" | "custom"
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** Attribution model that splits the credit */
  model: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
  /** File format of the report */
  format: "pdf" | "html" | "csv"
  /** Language of the report */
  language: "en" | "es"
  /** queued: being built, or held while data is missing; ready: built, and being mailed if it has recipients; awaiting_approval: mailed once a member approves it; skipped: not built or not mailed, see reason */
  status: "queued" | "ready" | "awaiting_approval" | "sent" | "failed" | "skipped"
  /** no_mail_server: with the status sent, the mail was only written to the data folder. Null if there is nothing to explain */
  reason: "data_stale" | "no_data" | "build_failed" | "mail_failed" | "some_mails_failed" | "all_unsubscribed" | "not_allowed" | "no_mail_server" | null
  /** The reason as a sentence; null without a reason */
  detail: string | null
  /** True if a schedule created it */
  is_scheduled: boolean
  /** Email addresses that receive the report */
  recipients: {
    /** Number of recipients */
    total: number
    /** Number of recipients who were mailed */
    sent: number
    /** Number of unsubscribed addresses */
    unsubscribed: number
    /** Number of recipients whose mail failed */
    failed: number
  }
  /** URL of the file; valid for a short time; null until the report is built */
  download_url: string | null
  /** Equals the result_hash of GET /reports/overview over the same days and model while the data is the same; null until the report is built */
  result_hash: string | null
  /** When it was created */
  created_at: string
  /** When it was sent; null until then */
  sent_at: string | null
}

export type Cohort = {
  /** The month (YYYY-MM), campaign_id or channel; null for customers without a campaign */
  key: string | null
  /** Name of the group; null for customers without one */
  name: string | null
  /** Customers whose first payment is in the range and is credited to the cohort, at least in part */
  size: number
  /** Spend in the range; null if no exchange rate is known */
  spend: number | null
  /** Cumulative payments of these customers less refunds at the end of each month; index 0 is the month of the first payment */
  cumulative_revenue: Array<number | null>
  /** Number of them who paid in that month */
  paying_customers: Array<number | null>
  /** First index at which cumulative revenue reaches spend; null if it has not, and without spend */
  payback_month: number | null
}

export type CohortBy = "month" | "campaign" | "channel"

export type CohortTotal = {
  /** Customers whose first payment is in the range, each once; rows that share a customer add up to more */
  size: number
  /** Spend in the range; null if no exchange rate is known */
  spend: number | null
  /** Cumulative payments of these customers less refunds at the end of each month; index 0 is the month of the first payment */
  cumulative_revenue: Array<number | null>
  /** Number of them who paid in that month */
  paying_customers: Array<number | null>
  /** First index at which cumulative revenue reaches spend; null if it has not, and without spend */
  payback_month: number | null
}

export type ComparePlatformsReply = {
  /** Figures of each ad platform */
  platforms: Array<{
    /** Ad platform, for example social_ads */
    platform: string
    /** Ad spend; null if the exchange rate is missing */
    spend: number | null
    /** Conversions that the platform reports; null if it reports none */
    platform_conversions: number | null
    /** Value of the conversions that the platform reports; null if it reports none */
    platform_conversion_value: string | null
    /** Conversions credited here */
    atribu_conversions: number
    /** Payments credited here */
    atribu_cash_conversions: number
    /** Cash credited here, less refunds; null if the exchange rate is missing */
    atribu_cash_revenue: string | null
    /** Conversions credited here minus those that the platform reports; null if the platform reports none */
    conversion_gap: number | null
    /** The gap in per cent of the conversions that the platform reports; null if it reports none */
    conversion_gap_pct: number | null
    /** Cash credited here minus the value that the platform reports; null if it reports none */
    value_gap: string | null
    /** Return on ad spend as the platform reports it; null without spend or if it reports no value */
    platform_roas: number | null
    /** Return on ad spend from the credit here; null without spend */
    atribu_roas: number | null
    /** Totals of the entities of the level for which the platform reports conversions. Revenue, values and ROAS of both sides cover only the valued_entities, for which the platform also reports a value, if there are any. Null without such entities, and under linear and time_decay, where rows share conversions */
    compared: {
      /** Campaigns, ad sets or ads with figures from both sides */
      entities: number
      /** Entities for which the platform reports a value */
      valued_entities: number
      /** Ad spend; null if the exchange rate is missing */
      spend: number | null
      /** Conversions that the platform reports; null if it reports none */
      platform_conversions: number | null
      /** Value of the conversions that the platform reports; null if it reports none */
      platform_conversion_value: string | null
      /** Conversions credited here */
      atribu_conversions: number
      /** Payments credited here */
      atribu_cash_conversions: number
      /** Cash credited here, less refunds; null if the exchange rate is missing */
      atribu_cash_revenue: string | null
      /** Conversions credited here minus those that the platform reports; null if the platform reports none */
      conversion_gap: number | null
      /** The gap in per cent of the conversions that the platform reports; null if it reports none */
      conversion_gap_pct: number | null
      /** Cash credited here minus the value that the platform reports; null if it reports none */
      value_gap: string | null
      /** Return on ad spend as the platform reports it; null without spend or if it reports no value */
      platform_roas: number | null
      /** Return on ad spend from the credit here; null without spend */
      atribu_roas: number | null
    } | null
    /** How the platform assigns a conversion to a day */
    reported_basis: string
    /** Whether the platform delivered ads in the range */
    has_delivery: boolean
    /** Last day with data from the platform; null if there is none */
    delivery_through: string | null
    /** Conversions credited to the platform but to none of its rows */
    unassigned_conversions: number
    /** Cash credited to the platform but to none of its rows; null if an exchange rate is missing */
    unassigned_cash_revenue: string | null
  }>
  /** Figures of each campaign, ad set or ad */
  rows: Array<{
    /** Whether the row is an entity or the part without one */
    kind: "entity" | "not_assigned"
    /** Id of the campaign, ad set or ad; null for the part without one */
    entity_id: string | null
    /** campaign, ad_set or ad */
    entity_level: AdLevel
    /** Ad platform, for example social_ads */
    platform: string
    /** The platform’s id of the campaign, ad set or ad; null for the part without one */
    platform_id: string | null
    /** Name of the campaign, ad set or ad; null if the platform has not reported it */
    name: string | null
    /** Ad spend; null if the exchange rate is missing */
    spend: number | null
    /** Conversions that the platform reports; null if it reports none */
    platform_conversions: number | null
    /** Value of the conversions that the platform reports; null if it reports none */
    platform_conversion_value: string | null
    /** Conversions credited here */
    atribu_conversions: number
    /** Payments credited here */
    atribu_cash_conversions: number
    /** Cash credited here, less refunds; null if the exchange rate is missing */
    atribu_cash_revenue: string | null
    /** Conversions credited here minus those that the platform reports; null if the platform reports none */
    conversion_gap: number | null
    /** The gap in per cent of the conversions that the platform reports; null if it reports none */
    conversion_gap_pct: number | null
    /** Cash credited here minus the value that the platform reports; null if it reports none */
    value_gap: string | null
    /** Return on ad spend as the platform reports it; null without spend or if it reports no value */
    platform_roas: number | null
    /** Return on ad spend from the credit here; null without spend */
    atribu_roas: number | null
  }>
}

export type ComplianceOverview = {
  /** True if the workspace is a healthcare agency; all its profiles are then healthcare profiles */
  healthcare: boolean
  /** The profiles of the workspace */
  profiles: Array<{
    /** Id of the profile */
    profile_id: string
    /** Name of the profile */
    name: string
    /** What data about people may be sent to ad platforms */
    privacy_mode: "standard" | "platform_safe" | "hipaa"
    /** Profile with health data: stricter rules for people and exports */
    is_healthcare: boolean
    /** When the agreement for health data was signed; null if it is not signed */
    hipaa_agreement_signed_at: string | null
    /** Number of enabled export destinations */
    export_destinations: number
    /** Id of the partner app that created the profile; null if a person did */
    provisioned_by_app_id: string | null
    /** Number of apps with a valid authorization */
    partner_apps: number
    /** Partner apps with access to people */
    partner_apps_reading_people: number
  }>
}

export type ConfirmAddressRequest = {
  /** Token from the link in the mail */
  token: string
}

export type ConfirmFactorReply = {
  /** Returned once, with the first second factor; null with further ones */
  recovery_codes: Array<string> | null
}

export type ConfirmFactorRequest = {
  /** Six digits that the authenticator app shows */
  code?: string
  /** What the browser’s `navigator.credentials.create` returned, as `toJSON()` writes it */
  registration?: {
    /** Id of the passkey */
    id: string
    [name: string]: unknown
  }
}

export type ConnectBankLinkRequest = {
  /** Token of the bank link */
  link_token?: string
  /** Token that the bank link returned */
  public_token?: string
}

export type Connection = {
  /** Id of the connection */
  id: string
  /** Messaging channel of the connection */
  channel: Channel
  /** State of the connection */
  status: "connected" | "needs_action" | "reconnect_required" | "revoked" | "error"
  /** Name of the connection */
  display_name: string
  /** The provider’s id of the connected account */
  external_id: string
  /** Kind of account at the provider; null if there is only one */
  provider_subtype: string | null
  /** The platform’s id of the dataset; null if there is none */
  dataset_id: string | null
  /** When a person authorized it */
  authorized_at: string
  /** When the consent expires and has to be renewed by a person; null if the provider sets no end */
  consent_ends_at: string | null
  /** When it was created */
  created_at: string
  /** State of the data synchronisation */
  sync: SyncState
  /** What this connection lacks because the app, the plan or the consent does not cover it; found by the last sync. Not an error: everything else is read */
  missing_abilities: Array<{
    /** What the connection lacks */
    ability: "leads" | "form_submissions" | "conversions" | "ad_texts" | "reservation_spend"
    /** What is not read or sent, and what changes that */
    reason: string
  }>
}

export type ConnectionConnectedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "connection.connected"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Provider of the account, for example social_ads */
    provider: string
    /** Id of the connection */
    connection_id: string
    /** Status of the connection after the change */
    status: string
    /** Why the status changed; null if the provider gives no reason */
    reason: string | null
  }
}

export type ConnectionReconnectRequiredEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "connection.reconnect_required"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Provider of the account, for example social_ads */
    provider: string
    /** Id of the connection */
    connection_id: string
    /** Status of the connection after the change */
    status: string
    /** Why the status changed; null if the provider gives no reason */
    reason: string | null
  }
}

export type ConnectionRevokedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "connection.revoked"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Provider of the account, for example social_ads */
    provider: string
    /** Id of the connection */
    connection_id: string
    /** Status of the connection after the change */
    status: string
    /** Why the status changed; null if the provider gives no reason */
    reason: string | null
  }
}

export type Contact = {
  /** First name of the person; null if it is not known */
  first_name: string | null
  /** Last name of the person; null if it is not known */
  last_name: string | null
  /** Email address of the person; null if it is not known */
  email: string | null
  /** Phone number with country code; null if it is not known */
  phone: string | null
}

export type Conversation = {
  /** Id of the conversation */
  id: string
  /** Messaging channel of the conversation */
  channel: "chatapp" | "photoapp" | "pagechat"
  /** The page, photo account or chat account that received the messages; null if it is not known */
  account_id: string | null
  /** Id of the customer; null after an erasure, or if no customer is known */
  customer_id: string | null
  /** Null if no contact data is stored */
  contact: Contact | null
  /** When it started */
  started_at: string
  /** Time of the last message; null without one */
  last_message_at: string | null
  /** First reply of the business; null without one, or if the platform does not report it */
  first_reply_at: string | null
  /** Number of messages from the person; messages of the business are not counted */
  messages: number
  /** Source of the first message: `ads` or `ad`, a post or a link; null if it had none */
  referral: {
    /** Source of the data */
    source: string
    /** Id of the ad; null if it is not known */
    ad_id: string | null
    /** Name of the ad; null if the platform does not report it */
    ad_name: string | null
  } | null
  /** What opened it: an ad, a link of a page with a chat code, a short link, another link or post. `unknown` also if the person removed the code */
  origin: "ad" | "chat_code" | "short_link" | "link" | "unknown"
  /** State of the connected account that received the message; null if it is no longer connected */
  account_status: string | null
  /** How long a reply is still allowed; null if none is */
  reply_window: {
    /** Whether a reply is still allowed now */
    open: boolean
    /** When replies are no longer allowed */
    closes_at: string
    /** When replies by a human agent are no longer allowed; null if the channel has no such window */
    human_agent_closes_at: string | null
  } | null
  /** The `dm_started` event; null if there is none */
  started_event_id: string | null
  /** The event recorded as lead of this conversation; null if none was */
  lead_event_id: string | null
}

export type ConversionAttributedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "conversion.attributed"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the goal */
    goal_id: string
    /** Key of the goal, unique in the profile */
    conversion_key: string
    /** Id of the conversion */
    conversion_id: string
  }
}

export type ConversionCreditedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "conversion.credited"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Present if it happened more than two days before it was recorded */
  historical?: true
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the conversion */
    conversion_id: string
    /** Id of the goal */
    goal_id: string
    /** Type of the outcome, for example payment_received or lead_created */
    outcome_type: string
    /** Only cash counts for revenue, ROAS and CAC */
    revenue_type: string
    /** When the conversion happened */
    converted_at: string
    /** In `currency`; null without an amount or exchange rate */
    value: number | null
    /** The currency of the profile */
    currency: string
    /** Visits and clicks that share the credit */
    touches: number
  }
}

export type ConversionDataSource = {
  /** Where its conversions come from */
  kind: "website" | "crm" | "chatapp" | "photoapp" | "clean_dataset"
  /** Whether it is available */
  available: boolean
  /** The platform’s id of the dataset that receives its conversions; null if there is none */
  dataset_id: string | null
  /** True if its conversions are sent to a destination */
  is_target: boolean
  /** Why it cannot be used; null if it can */
  reason_code: "chatapp_not_connected" | "photoapp_not_connected" | "photoapp_facebook_login_required" | null
}

export type ConversionSyncCatalog = {
  privacy_mode: PrivacyMode
  /** Goals to send, with their settings */
  conversions: Array<CatalogConversion>
  /** Goals that may be sent in the mode hipaa */
  healthcare_export_allowlist: Array<string>
  /** Acceptance of the agreement for health data, without which nothing is sent in the mode hipaa; null if it is not accepted */
  hipaa_agreement: HipaaAgreement | null
  /** True if customer lists may be sent in the mode platform_safe */
  partner_customer_list: boolean
  /** When it was last changed; null if it never was */
  updated_at: string | null
}

export type CreateAlertRequest = {
  /** Name of the alert, as people see it */
  name: string
  /** Condition of the alert */
  condition: ThresholdConditionInput | FindingConditionInput
}

export type CreateAnnotationRequest = {
  /** Day, YYYY-MM-DD, in the time zone of the profile */
  day: string
  /** Text of the note */
  text: string
}

export type CreateApiKeyRequest = {
  /** Id of the profile */
  profile_id: string
  /** Name of the API key */
  name: string
  /** Default: analytics:read campaigns:read conversions:read realtime:read */
  scopes?: Array<KeyScope>
}

export type CreateAudienceReply = {
  /** Id of the audience at the platform; null until the platform has created it */
  audience_id: string | null
  /** Number of people matched */
  matched: number
  /** People excluded because they refused consent */
  consent_refused: number
  /** Number of people on the exclusion list */
  excluded: number
  /** Customers without an email, phone or id to match by */
  no_match_keys: number
  /** Number of people that wait to be sent */
  queued: number
}

export type CreateAudienceRequest = {
  /** Id of the connection */
  connection_id: string
  /** Name of the audience at the platform */
  name: string
  /** Filter for customers */
  filter: {
    /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
    date_from: string
    /** Last day of the range, inclusive, YYYY-MM-DD */
    date_to: string
    /** Customers with a conversion of this type on these days; default: any conversion */
    outcome_type?: string
    /** Minimum cash revenue of these days, less refunds, in the reporting currency */
    revenue_min?: string
    /** Maximum revenue of the customer */
    revenue_max?: string
    /** Only customers without a conversion after date_to */
    none_since?: boolean
  }
  consent: ListConsent
  /** True if a user of the ad account accepted the platform’s terms for customer lists */
  terms_accepted?: boolean
  /** Count only; nothing is sent */
  dry_run?: boolean
}

export type CreateBillingPortalSessionReply = {
  /** Page on which the person manages the subscription */
  url: string
}

export type CreateBillingPortalSessionRequest = Record<string, unknown>

export type CreateBriefWebhookRequest = {
  /** Id of the profile */
  profile_id: string
  /** For weekly briefs; 1 is Monday */
  weekday?: number
  /** Wall-clock time in the profile’s time zone, such as 08:00 */
  time?: string
  /** Language of the text */
  language?: "en" | "es"
  /** Whether alerts are sent to this receiver too; default: true unless cadence is never */
  alerts?: boolean
  /** When briefs are sent. daily: covers yesterday; weekly: covers the last 7 days; never: alerts only */
  cadence?: "daily" | "weekly" | "never"
  /** Chat service that receives the message */
  kind: "slack" | "teams"
  /** Display name of the channel */
  name: string
  /** Address of the incoming webhook */
  url: string
}

export type CreateCalendarRequest = {
  /** Name of the calendar */
  name: string
  /** IANA time zone, for example Europe/Madrid */
  timezone: string
  /** Id of the connection */
  connection_id?: string
}

export type CreateChatTemplateRequest = {
  /** Name of the template */
  name: string
  /** Language of the text, for example en */
  language: string
  /** The platform’s category */
  category: "authentication" | "marketing" | "utility"
  /** Parts of the message, as the platform defines them */
  components: Array<Record<string, unknown>>
  /** Media file in the message header */
  header_media?: {
    /** Id of the uploaded file */
    media_id: string
  }
}

export type CreateCheckoutSessionReply = {
  /** Id of the checkout session */
  id: string
  /** Page on which the person pays */
  url: string
  /** When it expires */
  expires_at: string
}

export type CreateCheckoutSessionRequest = {
  /** Plan of the workspace */
  plan: "growth" | "agency"
}

export type CreateDemoProfileReply = {
  /** Id of the profile */
  profile_id: string
  /** Id of the workspace */
  workspace_id: string
  /** Whether it is new */
  created: boolean
}

export type CreateDemoProfileRequest = {
  /** Id of the workspace */
  workspace_id: string
}

export type CreateGeoExperimentReply = {
  /** Id of the study */
  id: string
  /** Name of the study */
  name: string
  /** First day of the study, YYYY-MM-DD */
  starts_on: string
  /** Last day of the study */
  ends_on: string
  /** Figure that the study measures */
  metric: "payments" | "conversions"
  /** Minimum detectable effect at this power, as a share */
  detectable_effect: number
  /** Share of simulated effects detected in earlier weeks */
  power: number
  /** Whether the regions were assigned at random */
  by_lot: boolean
}

export type CreateGeoExperimentRequest = {
  /** Name of the study */
  name: string
  /** Figure that the study measures */
  metric: "payments" | "conversions"
  /** Length of the study in days */
  days: 14 | 21 | 28 | 42
  /** First day of the study, YYYY-MM-DD */
  starts_on: string
  /** Regions in which the ads change */
  treated: Array<string>
  /** Regions without a change, which serve as comparison */
  control: Array<string>
}

export type CreateGoalRequest = {
  /** Name of the goal, as people see it */
  display_name: string
  /** Key of the goal, unique in the profile */
  conversion_key: string
  /** Events with these names are conversions of the goal */
  source_event_names: Array<string>
  /** Type of the outcome, for example payment_received or lead_created */
  outcome_type: string
  revenue_type: RevenueType
  /** Whether conversions of this goal get credit */
  attribution_eligible?: boolean
}

export type CreateLinkTokenReply = {
  /** Token that identifies the customer in links of mails */
  token: string
  /** `url` with the token as parameter `whence_link`; null without a url */
  url: string | null
  /** When it expires */
  expires_at: string
}

export type CreateLinkTokenRequest = {
  /** Id of the customer */
  customer_id?: string
  /** The external_id of the customer */
  external_ref?: string
  /** The URL to add the token to */
  url?: string
  /** Seconds until it expires */
  expires_in_seconds?: number
}

export type CreateManualStoreRequest = {
  /** Name or domain of the store */
  shop: string
}

export type CreateOAuthAppReply = {
  /** Id of the partner app */
  id: string
  /** Public id of the app */
  client_id: string
  /** Name of the partner app */
  name: string
  /** URL of the app’s logo; null if it has none */
  logo_url: string | null
  /** Allowed redirect URIs after consent */
  redirect_uris: Array<string>
  /** Origins that a hand-off may return to */
  allowed_return_origins: Array<string>
  /** Scopes that the app may request */
  allowed_scopes: Array<string>
  /** The data-processing agreement */
  dpa: {
    /** Whether the data-processing agreement is signed */
    status: "not_accepted" | "accepted" | "withdrawn"
    /** Version of the agreement that was signed; null if none was */
    version: string | null
    /** When it was accepted; null until then */
    accepted_at: string | null
    /** When it was withdrawn; null if it was not */
    withdrawn_at: string | null
  }
  /** Valid secrets, at most two */
  secrets: Array<{
    /** First and last characters, to recognise it */
    hint: string
    /** When it was created */
    created_at: string
    /** When it expires; null if it does not */
    expires_at: string | null
  }>
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** Secret of the app; returned only once */
  client_secret: string
}

export type CreateOAuthAppRequest = {
  /** Name, as people see it */
  name: string
  /** URL of the app’s logo; null or absent: none */
  logo_url?: string | null
  /** Allowed redirect URIs after consent */
  redirect_uris?: Array<string>
  /** Origins that a hand-off may return to */
  allowed_return_origins?: Array<string>
  /** Grants and scopes that the app may request */
  allowed_scopes?: Array<"connections" | "analytics" | "analytics_pii" | "attribution" | "attribution_write" | "adoption" | "analytics:read" | "campaigns:apply" | "campaigns:read" | "connections:read" | "connections:write" | "conversions:read" | "customers:read" | "events:write" | "exports:read" | "exports:write" | "identity:read" | "identity:write" | "mcp:read" | "mcp:read_pii" | "mcp:write" | "messages:write" | "payments:read" | "payments:write" | "realtime:read" | "tracking:read" | "tracking:write" | "visitors:read" | "webhooks:read" | "webhooks:write">
}

export type CreateOwnBrowserLinkReply = {
  /** The page, with a token of this profile */
  url: string
  /** When the link stops working */
  expires_at: string
}

export type CreateOwnBrowserLinkRequest = {
  /** A page with the tracker */
  url: string
  /** True to exclude the browser, false to count it again */
  is_own: boolean
}

export type CreateProfileReply = {
  /** Id of the profile */
  id?: string
  /** Id of the workspace */
  workspace_id: string
  /** Name of the profile */
  name?: string
  /** IANA time zone, for example Europe/Madrid */
  timezone?: string
  /** ISO 4217 code of the currency */
  currency?: string
  /** ISO 3166 code of the country assumed for phone numbers without a country code. Null: such numbers identify no one. */
  country?: string | null
  /** What data about people may be sent to ad platforms */
  privacy_mode?: "standard" | "platform_safe" | "hipaa"
  /** Id of the partner app that created the profile; null if a person did */
  provisioned_by_app_id?: string | null
  /** True for sample data */
  is_demo?: boolean
  /** When it was created */
  created_at?: string
  /** When it was archived; null if it is not */
  archived_at?: string | null
  /** Id of the profile */
  profile_id: string
  /** App only, shown once */
  api_key?: string
  /** App only: a second key, if the connections grant was requested in addition to data grants */
  connections_key?: string
}

export type CreateProfileRequest = {
  /** Required for a person */
  workspace_id?: string
  /** Name of the profile */
  name: string
  /** Default: the workspace's */
  timezone?: string
  /** Default: the workspace's reporting currency, else USD */
  currency?: string
  /** ISO 3166 code of its country; null or absent: the country of the time zone, or else of the currency */
  country?: string | null
  /** App only: the person who gets the profile */
  user?: {
    /** Email address of the person who will own the profile */
    email: string
    /** Name of the person */
    name?: string
  }
  /** App only: grants of the key; default: all grants that the app is registered for */
  scopes?: Array<string>
}

export type CreateRecoveryCodesReply = {
  /** Ten codes; returned once */
  codes: Array<string>
}

export type CreateShortLinkRequest = {
  /** Last part of the address; `api` and `share` are reserved */
  slug: string
  /** An https address on a domain of the tracking settings (`allowed_domains`), or of a chat */
  target_url?: string
  /** Opens a chat with a code, so that the conversation has its source */
  chat?: {
    /** Messaging channel that the link opens */
    app: "chatapp" | "pagechat" | "photoapp"
    /** Number with country code (chatapp), page name (pagechat) or user name (photoapp) */
    account: string
    /** First message; the person may change it */
    text?: string
  }
  /** Name of the link, as people see it */
  title?: string
  /** Campaign parameters of the link, for example `utm_source` */
  utm?: {
    /** Value of `utm_source` */
    source?: string
    /** Such as `flyer`; some values decide the channel, see the guide on channels */
    medium?: string
    /** Value of `utm_campaign` */
    campaign?: string
    /** Only added to the address */
    term?: string
    /** Only added to the address */
    content?: string
  }
  /** The ad that the link is printed in or used by */
  ad?: {
    /** Id of the campaign */
    campaign_id?: string
    /** Id of the ad set */
    ad_set_id?: string
    /** The platform’s id of the ad */
    ad_id?: string
  }
  /** Whether the link works */
  enabled?: boolean
}

export type CreateTrackingDomainRequest = {
  /** Domain that serves the tracker’s script */
  domain: string
}

export type CreateUserTokenReply = {
  /** Id of the user token */
  id: string
  /** First and last characters, to recognise it */
  hint: string
  /** Name of the user token */
  name: string
  /** Scopes of the credential */
  scopes: Array<string>
  /** When it was created */
  created_at: string
  /** When it expires; null if it does not */
  expires_at: string | null
  /** The user token; returned only once */
  token: string
}

export type CreateUserTokenRequest = {
  /** Name of the token, to recognise it */
  name: string
  /** What the token may do; default: mcp:read */
  scopes?: Array<"analytics:read" | "campaigns:apply" | "campaigns:read" | "connections:read" | "connections:write" | "conversions:read" | "customers:read" | "events:write" | "exports:read" | "exports:write" | "identity:read" | "identity:write" | "mcp:read" | "mcp:read_pii" | "mcp:write" | "messages:write" | "payments:read" | "payments:write" | "realtime:read" | "tracking:read" | "tracking:write" | "visitors:read" | "webhooks:read" | "webhooks:write" | "workspaces:write">
}

export type CreateWebhookSubscriptionRequest = {
  /** https, public, without a user name */
  url: string
  /** Types of events to send */
  events: SubscribedEvents
  /** Providers whose events are sent; `platform` for events of the service itself */
  providers: SubscribedProviders
  /** False leaves out events with `historical`: they happened more than two days before they were recorded, mostly in the first sync of a connection */
  include_history?: boolean
}

export type CreateWorkspaceReply = {
  /** Id of the workspace */
  workspace_id: string
  /** Name of the workspace */
  name: string
  /** Whether it is new */
  created: boolean
  /** Checkout page for the plan; null if no payment is needed */
  checkout: {
    /** Id of the checkout session */
    id: string
    /** Page on which the person pays */
    url: string
    /** When it expires */
    expires_at: string
  } | null
  /** Probable mistakes in the request */
  warnings?: Array<{
    /** Code of the warning, for programs */
    code: string
    /** What is probably wrong */
    message: string
  }>
}

export type CreateWorkspaceRequest = {
  /** Required for a person; for an app the default is the address */
  name?: string
  /** IANA time zone, for example Europe/Madrid */
  timezone?: string
  plan?: Plan
  /** App only: the person who owns the workspace */
  email?: string
  /** Person only: the signed query string with which the store platform opened the app; the store then bills the workspace */
  store_install?: string
}

/** The partner app that created it; it stops when the authorization of the app ends. Null if a person or a direct key created it */
export type CreatingApp = {
  /** Id of the partner app */
  id: string
  /** Name of the partner app */
  name: string
} | null

export type CreativeArchetype = {
  /** Name of the archetype */
  archetype: string
  /** Rule that defines the archetype */
  definition: string
  /** Ads of this archetype */
  ads: number
  /** Up to 100 ads by spend, highest first; with several currencies, alternating between them */
  ad_ids: Array<string>
  /** Share of its ads that are better than their peer group’s median with a probability of 0.9 */
  win_rate: number
  /** Lower bound of the share of winners */
  win_rate_low: number
  /** Upper bound of the share of winners */
  win_rate_high: number
  /** Ids of some ads of this archetype */
  sample_ad_ids: Array<string>
}

export type CreativeDimension = {
  /** Up to 100 ads by spend, highest first; with several currencies, alternating between them */
  ad_ids: Array<string>
  /** Ads with the trait, in campaigns that also have ads without it */
  ads: number
  /** Number of profiles with such ads */
  profiles: number
  /** Null if the profiles report in different currencies */
  spend: number | null
  /** ISO 4217 code of `spend`; null if the profiles report in different currencies */
  currency: string | null
  /** 1.2: ads with the trait perform 1.2 times as well as the others of their campaign; an association, not a cause */
  lift: number
  /** Lower bound of the 95 % interval */
  lift_low: number
  /** Upper bound of the lift */
  lift_high: number
  /** Share of random permutations with an equal or larger difference; never 0 or 1 */
  p_value: number
  /** False discovery rate; up to 0.10 the verdict is winning or losing */
  q_value: number
  /** Conclusion from the figures */
  verdict: "winning" | "losing" | "unclear"
  /** Traits that almost always occur together with it: their effects are not separable */
  confounded_with: Array<string>
  /** Grouping dimension of the ads */
  dimension: string
  /** Value of the trait, for example `question` */
  value: string
}

export type CreativeOfAd = {
  /** Id of the ad */
  campaign_id: string
  /** Name of the creative; null if the platform does not report it */
  name: string | null
  /** Format of the file, or of the ad; null if the platform does not report it */
  format: string | null
  /** Headline of the ad; null if it has none */
  title: string | null
  /** Text of the ad; null if it has none */
  body: string | null
  /** The platform’s call-to-action type; null if the ad has none */
  cta_type: string | null
  /** URL of the preview image; null if there is none */
  thumbnail_url: string | null
}

export type CreativePattern = {
  /** Up to 100 ads by spend, highest first; with several currencies, alternating between them */
  ad_ids: Array<string>
  /** Ads with the trait, in campaigns that also have ads without it */
  ads: number
  /** Number of profiles with such ads */
  profiles: number
  /** Null if the profiles report in different currencies */
  spend: number | null
  /** ISO 4217 code of `spend`; null if the profiles report in different currencies */
  currency: string | null
  /** 1.2: ads with the trait perform 1.2 times as well as the others of their campaign; an association, not a cause */
  lift: number
  /** Lower bound of the 95 % interval */
  lift_low: number
  /** Upper bound of the lift */
  lift_high: number
  /** Share of random permutations with an equal or larger difference; never 0 or 1 */
  p_value: number
  /** False discovery rate; up to 0.10 the verdict is winning or losing */
  q_value: number
  /** Conclusion from the figures */
  verdict: "winning" | "losing" | "unclear"
  /** Traits that almost always occur together with it: their effects are not separable */
  confounded_with: Array<string>
  /** Common traits of the ads */
  traits: Array<{
    /** Grouping dimension of the ads */
    dimension: string
    /** Value of the trait, for example `question` */
    value: string
  }>
  /** Profiles whose own ads show a difference in the same direction */
  profiles_agreeing: number
}

export type CreditedConversion = {
  /** Whether the row is a conversion or a refund */
  kind: "conversion" | "refund"
  /** Id of the conversion */
  conversion_id: string
  /** Set on a refund; conversion_id is the refunded conversion; null otherwise */
  refund_id: string | null
  /** Id of the event of the conversion */
  outcome_event_id: string
  /** Type of the outcome, for example payment_received or lead_created */
  outcome_type: string
  revenue_type: RevenueType
  /** When it happened */
  occurred_at: string
  /** Value of the conversion in `currency`; null if it has none */
  value: number | null
  /** ISO 4217 code of the currency; null if there is no amount */
  currency: string | null
  /** The share of the conversion that was credited, from 0 to 1, exact to 1e-9 */
  credit: number
  /** Value of the credit, less refunds; null if it is excluded or the exchange rate is missing */
  credited_value: number | null
}

export type Customer = {
  /** Id of the customer */
  customer_id: string
  /** Strongest first; one entry per identifier */
  identifier_kinds: Array<"external_id" | "crm_contact_id" | "national_id" | "email" | "phone" | "provider_customer_id" | "anonymous_id">
  /** Name, email and phone; null if the caller may not see people */
  contact: Contact | null
  /** Time of the first visit; null without a visit */
  first_seen_at: string | null
  /** Channel of the first visit, before applying the profile’s channel rules; null without a visit */
  first_channel: string | null
  /** Time of the last visit; null without a visit */
  last_seen_at: string | null
  /** Conversions counted in reports: without duplicates and unconfirmed money, with cash of every goal */
  conversions: number
  /** Payments, without failed and pending ones */
  payments: number
  /** Cash less refunds in the reporting currency, without amounts that lack an exchange rate; null if all lack one */
  revenue: number | null
  /** Payments and refunds not included in revenue for lack of an exchange rate */
  fx_missing: number
  /** Time of the last conversion; null without one */
  last_conversion_at: string | null
}

export type CustomerDataExport = {
  /** Id of the request, its receipt and its file */
  data_export_id: string
  /** Id of the profile */
  profile_id: string
  /** awaiting_identity: how the person was identified is not stated yet. cancelled: also by an erasure */
  status: "awaiting_identity" | "pending" | "ready" | "expired" | "failed" | "cancelled"
  /** The law that the person refers to */
  law: "gdpr" | "lgpd" | "chile" | "ccpa" | "other"
  /** Day on which the person asked */
  requested_on: string
  /** Last day to answer, by the law */
  due_on: string
  /** The due day has passed, and no file was downloaded */
  is_overdue: boolean
  /** How the person was or will be identified; null until it is stated */
  identity_method: "account" | "reply_from_address" | "in_person" | "other" | "mail_code" | null
  /** When it was created */
  created_at: string
  /** When the file was complete; null before */
  ready_at: string | null
  /** When the file is deleted, or the request ends without an identity check */
  expires_at: string
  /** Parts of the file */
  sections: Array<{
    /** Name of the section, and of its file in the archive */
    name: string
    /** Number of records in the section */
    records: number
  }>
  /** SHA-256 of the file, hexadecimal; null until it is ready */
  sha256: string | null
  /** Size of the file; null until it is ready */
  bytes: number | null
  /** How often the file was downloaded */
  downloads: number
}

export type CustomerListMember = {
  /** Id of the customer */
  customer_id: string
} | {
  /** Email address of the person */
  email?: string
  /** Phone number with country code */
  phone?: string
  /** ISO 3166 code of the country of `phone`; default: the profile's country */
  country?: string
  /** The sender’s own id of the customer */
  external_id?: string
}

export type CustomerSort = "last_conversion" | "revenue" | "last_seen" | "first_channel"

export type DataDestination = {
  /** Id of the destination */
  id: string
  /** Storage service that receives the files */
  kind: "file" | "s3"
  /** Name of the destination, as people see it */
  name: string
  /** Without the access keys */
  target: {
    /** Folder in which the files are written */
    folder: string
  } | {
    /** Address of the store, such as https://s3.eu-west-1.amazonaws.com */
    endpoint: string
    /** Region that requests are signed for */
    region: string
    /** Name of the bucket */
    bucket: string
    /** Path inside the bucket; empty for its root */
    prefix: string
    /** Put the bucket in the path instead of the host name */
    path_style: boolean
    /** Encryption header sent with every file; null: none */
    server_side_encryption: "AES256" | "aws:kms" | null
  }
  /** Empty: every table */
  tables: Array<"events" | "customers" | "identities" | "touches" | "conversions" | "payments" | "refunds" | "credits" | "paths" | "campaigns" | "ad_sets" | "ads" | "ad_versions" | "creatives" | "delivery" | "rates" | "daily">
  /** Include SHA-256 hashes of email addresses and phone numbers in `identities` */
  include_identifiers: boolean
  /** How often the tables are written */
  schedule: "hourly" | "daily" | "on_demand"
  /** Whether it is enabled */
  enabled: boolean
  /** Null if runs are only started on demand */
  next_run_at: string | null
  /** End of the last run that completed; null if none did */
  last_completed_at: string | null
  /** Why the last run failed; null if it succeeded */
  last_error: string | null
  /** Number of files in the manifest */
  files: number
  /** Total size of these files */
  bytes: number
  /** People erased since the last completed run; files may still contain them */
  erasures_waiting: number
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}

export type DataDrivenModel = {
  /** Whether the model is used in reports */
  served: boolean
  /** Why no figures are shown; null if `served` */
  reason: DataDrivenReason | null
  /** When it was computed; null before the first run */
  computed_at: string | null
  /** Training data of the model; null before the first run */
  learned: {
    /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
    date_from: string
    /** Last day of the range, inclusive, YYYY-MM-DD */
    date_to: string
    /** Number of visits */
    visits: number
    /** Visits followed by a payment */
    payments: number
    /** Number of distinct paths */
    paths: number
    /** Hash of the journeys that the model was trained on */
    paths_hash: string
    /** Version of the method */
    version: number
  } | null
  /** Comparison with last touch on later days than the training data; null before the first run */
  against_last_touch: {
    /** Reduction of the squared error per payment on the test days */
    gain: number
    /** `gain` in standard errors; figures are shown from 2 on */
    sigmas: number
  } | null
  /** Comparison with one rate for all paths, on the same days; null before the first run */
  against_one_rate: {
    /** Reduction of the squared error per payment on the test days */
    gain: number
    /** `gain` in standard errors; figures are shown from 2 on */
    sigmas: number
  } | null
  /** By value, highest first; they add up to `total`. Empty unless `served` */
  channels: Array<{
    /** Channel, for example paid_social */
    channel: string
    /** Payments credited to the channel; a payment counts in parts */
    outcome_credit: number
    /** Credited cash, less refunds */
    outcome_value: number
    /** Lower bound of a 95 % bootstrap interval over people: it shows the sampling error only and seldom contains the true share */
    outcome_value_low: number
    /** Upper bound of the value */
    outcome_value_high: number
    /** Value of the same payments under last touch */
    last_touch_value: number
  }>
  /** Payments of the last 90 days eligible for attribution, less refunds; null unless `served` */
  total: {
    /** Number of payments */
    payments: number
    /** Credited cash, less refunds */
    outcome_value: number
    /** Number of days or rows excluded because the exchange rate is missing */
    fx_missing: number
  } | null
}

export type DataDrivenReason = "too_few_payments" | "too_few_visits_without_payment" | "one_channel_per_path" | "not_better_than_chance" | "not_better_than_last_touch" | "channel_follows_buyers" | "not_computed" | "too_much_data"

export type DataExportCompletedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "data_export.completed"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the run */
    run_id: string
    /** Id of the destination */
    destination_id: string
    /** Number of files that were written */
    files: number
    /** Number of rows that were written */
    rows: number
  }
}

export type DataExportFailedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "data_export.failed"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the run */
    run_id: string
    /** Id of the destination */
    destination_id: string
    /** Number of files that were written */
    files: number
    /** Number of rows that were written */
    rows: number
  }
}

export type DataRun = {
  /** Id of the run */
  id: string
  /** Id of the export destination */
  destination_id: string
  /** True if all days were written, not only changed ones */
  full: boolean
  /** A failed run leaves the last manifest in place */
  status: "queued" | "running" | "completed" | "failed"
  /** Tables that were written; unchanged tables are absent */
  tables: Array<{
    /** Name of the table */
    table: "events" | "customers" | "identities" | "touches" | "conversions" | "payments" | "refunds" | "credits" | "paths" | "campaigns" | "ad_sets" | "ads" | "ad_versions" | "creatives" | "delivery" | "rates" | "daily"
    /** Number of rows written */
    rows: number
    /** Size of the files in bytes */
    bytes: number
    /** Files that were written */
    files: number
    /** Days written, at most 400; empty for tables without days */
    days: Array<string>
    /** Number of days with new files */
    days_written: number
    /** Number of days that no longer have rows */
    days_removed: number
  }>
  /** People erased since the previous run; if any, replaced files were removed immediately */
  erasures: number
  /** Why the run failed; null if it did not */
  error: string | null
  /** When it was created */
  created_at: string
  /** When it started; null until then */
  started_at: string | null
  /** When it ended; null until then */
  finished_at: string | null
}

export type DataSourceKind = "website" | "crm" | "chatapp" | "photoapp"

export type DecideIdentityLinkRequest = {
  /** Decision of the person */
  decision: "accept" | "reject"
}

export type DecideMergeProposalRequest = {
  /** Decision of the person */
  decision: "merge" | "dismiss" | "snooze"
  /** The customer to keep; default: the first side */
  into_customer_id?: string
  /** Days until the proposal is shown again */
  snooze_days?: number
}

export type DeclareSourceReply = {
  /** Id of the answer */
  id: string
}

export type DeclareSourceRequest = {
  /** Key of the answer in the vocabulary */
  answer_key: string
  /** Required with the key `other` */
  answer_text?: string
  /** The customer who answered, by at least one identifier */
  customer?: {
    /** The external_id of the customer */
    external_ref?: string
    /** Email address of the person */
    email?: string
    /** Phone number with country code */
    phone?: string
  }
  /** The shop’s order number */
  order_id?: string
  /** When the customer answered the question */
  asked_at: string
  /** An event with the same key updates the stored event instead of adding one */
  idempotency_key: string
}

export type DeclaredReport = {
  /** Customers who paid in the range */
  customers: number
  /** Those of them who answered */
  answered: number
  /** Share of paying customers who answered, 0 to 1; null without paying customers */
  response_rate: number | null
  /** Lower bound of its 95 % interval; null without paying customers */
  response_rate_low: number | null
  /** Upper bound of its 95 % interval; null without paying customers */
  response_rate_high: number | null
  /** Answers with their counts */
  answers: Array<{
    /** Key of the answer in the vocabulary */
    answer_key: string
    /** Null for a key that was removed from the vocabulary */
    label_en: string | null
    /** Display label in Spanish; null for a key that was removed from the vocabulary */
    label_es: string | null
    /** Number of people who gave the answer */
    count: number
    /** Share of the customers who answered, 0 to 1; null without answers */
    share: number | null
    /** Lower bound of the 95 % interval (Wilson); null without answers */
    share_low: number | null
    /** Upper bound of the 95 % interval; null without answers */
    share_high: number | null
    /** Share of the same customers credited to the channels of the answer; null for an answer without channels */
    credited_share: number | null
  }>
  /** Answers by channel, next to the credit of the channel */
  channels: Array<{
    /** Channel of the answers */
    channel: string
    /** Share of the conversion, 0 to 1 */
    credit: number
    /** Most frequent first */
    answers: Array<AnswerShare>
  }>
  /** Campaigns with their figures */
  campaigns: Array<{
    /** Id of the campaign */
    campaign_id: string
    /** The platform’s id of the campaign; null if it is not known */
    platform_id: string | null
    /** Name of the campaign; null if the platform has not reported it */
    campaign_name: string | null
    /** Share of the conversion, 0 to 1 */
    credit: number
    /** Most frequent first */
    answers: Array<AnswerShare>
  }>
  /** Free-text answers in lower case; only texts that at least three customers wrote */
  texts: Array<{
    /** Answer in the customer’s own words */
    text: string
    /** Number of people who gave the answer */
    count: number
  }>
}

export type Delivery = {
  /** Id of the delivery */
  id: string
  /** Id of the webhook subscription */
  subscription_id: string
  /** Id of the stored event */
  event_id: string
  /** Alias of `event_name` */
  event_type: string
  /** State of the delivery */
  status: "pending" | "delivered" | "failed" | "cancelled"
  /** Reason for the status; null if there is no problem */
  status_reason: string | null
  /** Attempts so far */
  attempt_count: number
  /** Time of the next attempt; null if there is none */
  next_attempt_at: string | null
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  settled_at: string | null
}

export type DetailedRow = {
  /** Id of the campaign */
  campaign_id: string
  /** The platform’s id */
  platform_id: string
  /** Name of the campaign; null if the platform has not reported it */
  campaign_name: string | null
  /** Payments in which the row has a part */
  outcome_count: number
  /** The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments */
  outcome_credit: number
  /** Credited cash less refunds; null if no exchange rate is known */
  outcome_value: number | null
  /** Conversions of all types that the row has credit for */
  attributed_outcome_count: number
  /** `attributed_outcome_count` by `outcome_type` */
  attributed_outcomes_by_type: OutcomesByType
  /** Amounts left out because their exchange rate is missing */
  fx_missing: number
  /** Null if no exchange rate is known */
  spend: number | null
  /** `outcome_value` divided by `spend`; null without spend */
  roas: number | null
  /** Impressions, as the platform reports them */
  impressions: number
  /** Clicks, as the platform reports them */
  clicks: number
  /** Unique accounts as reported by the platform for the range; null otherwise, because reach of days or ads does not add up */
  reach: number | null
  /** Clicks per 100 impressions; null without impressions */
  ctr: number | null
  /** Spend per 1,000 impressions; null without impressions */
  avg_cpm: number | null
  /** Spend per click; null without clicks */
  avg_cpc: number | null
  /** Conversations started within 7 days of a click, as the platform reports them; null if it does not */
  messaging_conversations_started_7d: number | null
  /** campaign, ad_set or ad */
  entity_level: AdLevel
  /** Name of the parent campaign or ad set; null for campaigns */
  parent_name: string | null
  /** `spend` divided by `outcome_count`; null without payments or spend */
  cac: number | null
  /** First payments in which the row has a part; a deposit and its balance within 7 days count as one */
  new_customer_count: number
  /** Cash of these payments less refunds; null if an exchange rate is missing */
  new_customer_value: number | null
  /** `spend` divided by `new_customer_count`; null without new customers or spend */
  new_customer_cac: number | null
  /** `new_customer_value` divided by `spend`; null without spend */
  new_customer_roas: number | null
  /** Status of the campaign, ad set or ad at the platform; null if it does not report one */
  status: string | null
  /** Goal of the campaign, as the platform names it; null if it does not report one */
  objective: string | null
  /** Budget per day in the currency of the account; null if there is none */
  daily_budget: number | null
  /** Changes that the connected platform currently accepts; empty for imported entities */
  platform_actions: Array<"pause" | "resume" | "budget">
  /** The platform’s id of the campaign; null if it is not known */
  campaign_external_id: string | null
  /** The platform’s id of the ad set; null if it is not known */
  ad_set_external_id: string | null
}

export type DoctorFindingOpenedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "doctor.finding.opened"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the check */
    check_id: string
    /** Result of the check */
    status: "ok" | "warning" | "problem" | "not_applicable"
    /** Number of affected clicks, sales, events, customers or connections */
    count: number
    /** Affected revenue or spend; null if no amount is known */
    value: number | null
    /** First day within the last 28 days on which it was detected; null without a finding */
    since: string | null
  }
}

export type DoctorFindingResolvedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "doctor.finding.resolved"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the check */
    check_id: string
    /** Result of the check */
    status: "ok" | "warning" | "problem" | "not_applicable"
    /** Number of affected clicks, sales, events, customers or connections */
    count: number
    /** Affected revenue or spend; null if no amount is known */
    value: number | null
    /** First day within the last 28 days on which it was detected; null without a finding */
    since: string | null
  }
}

export type DropProblemReply = {
  /** Id of the problem */
  id: string
  /** What became of the problem */
  state: "dropped"
}

export type DropProblemRequest = {
  /** Why the operator does it, for the audit log */
  reason: string
}

export type EraseCustomerRequest = {
  /** Id of the customer */
  customer_id?: string
  /** Email address of the customer */
  email?: string
  /** Phone number with country code */
  phone?: string
  /** The sender’s own id of the customer */
  external_id?: string
  /** The visitor’s id in the browser or app */
  anonymous_id?: string
}

export type EraseWorkspaceCustomerRequest = {
  /** Id of the profile */
  profile_id: string
  /** Id of the customer */
  customer_id?: string
  /** Email address of the customer */
  email?: string
  /** Phone number with country code */
  phone?: string
  /** The sender’s own id of the customer */
  external_id?: string
  /** The visitor’s id in the browser or app */
  anonymous_id?: string
}

export type ErasureReceipt = {
  /** Id of the erasure */
  erasure_id: string
  /** Id of the profile */
  profile_id: string
  /** How far the erasure is */
  status: "pending" | "completed"
  /** When it was requested */
  requested_at: string
  /** When it ended; null until then */
  completed_at: string | null
  /** Count per kind */
  counts: {
    /** Number of anonymised records; report totals do not change */
    identifiers: number
    /** Number of anonymised records; report totals do not change */
    events: number
    /** Number of anonymised records; report totals do not change */
    touches: number
    /** Number of anonymised records; report totals do not change */
    conversions: number
    /** Number of anonymised records; report totals do not change */
    payments: number
  }
}

export type EventInput = {
  /** Required. Every profile counts these as conversions: payment_received (cash), order_placed (gross), lead_created, dm_started, appointment_booked, appointment_attended, quote_presented and closed_won (pipeline). page_view, visit, identify, session_start, form_submit, click and ad_referral create visits and identities. refund reduces the payments of its order_id by its value, or without a value by all that is left. Events with any other name are stored; a goal (POST /goals) counts them as conversions. */
  event_name?: string
  /** Alias of `event_name` */
  event_type?: string
  /** The visitor’s id in the browser or app; null if none was sent */
  anonymous_id?: string | null
  /** Id of the visit; null if none was sent */
  session_id?: string | null
  /** When it happened, with a time zone; default: now */
  timestamp?: string
  /** Alias of timestamp, under the name of responses */
  occurred_at?: string
  /** Properties of the event; `value`, `currency`, `order_id` and `subject_ref` have a defined meaning */
  properties?: {
    /** Value of the event, a decimal in `currency`; null if it has none */
    value?: number | string | null
    /** ISO 4217 code of the currency; null if there is no amount */
    currency?: string | null
    /** The shop’s order number; null if there is none */
    order_id?: string | number | null
    /** The sender’s reference of the purchased item, without personal data; null if there is none */
    subject_ref?: string | null
    [name: string]: unknown
  }
  /** Traits of the person */
  user_traits?: UserTraits
  /** Campaign parameters of the link, for example `utm_source` */
  utm?: Record<string, string>
  /** Click ids of ad platforms by their parameter, for example `gclid` */
  click_ids?: Record<string, string>
  /** The ad that led to the event, if the sender knows it */
  ad?: {
    /** Id of the ad; null if it is not known */
    ad_id?: string | null
    /** Id of the ad set; null if it is not known */
    ad_set_id?: string | null
    /** Id of the campaign; null if it is not known */
    campaign_id?: string | null
  }
  /** The visited page. Its referrer creates organic and referral touches. Null or absent: no page */
  page?: {
    /** URL of the visited page */
    url: string
    /** Address of the page that linked here; null if there is none */
    referrer?: string | null
    /** Title of the page; null if there is none */
    title?: string | null
  } | null
  /** True for the first event of a visit. A visit without any source is direct. Null or absent: not known */
  session_start?: boolean | null
  /** An event with the same key updates the stored event instead of adding one */
  idempotency_key?: string
  /** User agent of the visitor’s browser, for website events that a server reports. With `page`, the conversion is sent to the ad platforms as a website event. Stored for 7 days, and only while a destination sends this event. Null or absent: not known */
  user_agent?: string | null
  /** IP address of the visitor; stored and sent like `user_agent`. Null or absent: not known */
  ip?: string | null
}

/** Goals to send, each with its event name at the platform. Other goals are not sent */
export type EventMap = Array<{
  /** Key of the goal, unique in the profile */
  conversion_key: string
  /** Name of the event; goals select events by it */
  event_name: string
}>

/** Goals to send, each with its event name at the platform. Other goals are not sent */
export type EventMapInput = Array<{
  /** Key of the goal, unique in the profile */
  conversion_key: string
  /** Name of the event; goals select events by it */
  event_name: string
}>

export type EventResult = {
  /** Id of the stored event */
  event_id: string
  /** Whether the event was stored, updated, unchanged or rejected */
  status: "accepted" | "updated" | "unchanged"
  /** The goals that currently count this event name. Processing may still exclude the event as a duplicate or as unconfirmed money. */
  counts_as: Array<{
    /** Key of the goal, unique in the profile */
    conversion_key: string
    /** Type of the outcome, for example payment_received or lead_created */
    outcome_type: string
    revenue_type: RevenueType
  }>
  /** Probable mistakes; the event is stored nevertheless */
  warnings: Array<{
    /** Code of the warning, for programs */
    code: "unknown_event_name" | "money_not_counted" | "value_missing" | "no_identity"
    /** Explanation for people */
    message: string
  }>
}

export type ExchangeRate = {
  /** ISO 4217 code of the currency */
  currency: string
  /** First day on which the rate applies */
  day: string
  /** Reporting currency that the rate was entered for */
  target: string
  /** Units of `target` for one unit of `currency` */
  rate: string
  /** When it was last changed */
  updated_at: string
}

export type Experiment = {
  /** Id of the study */
  id: string
  /** Id of the profile */
  profile_id: string
  /** Provider of the account, for example social_ads */
  provider: string
  /** Kind of study: of lift, of split audiences or of regions */
  kind: "lift" | "split" | "geo"
  /** Name of the study */
  name: string
  /** observing: ended, but conversions are still arriving */
  status: "planned" | "running" | "observing" | "complete" | "canceled"
  /** When the study starts; null if the platform does not report it */
  starts_at: string | null
  /** When the study ends; null if the platform does not report it */
  ends_at: string | null
  /** Earliest time of a verdict; null if the end is not known */
  readable_from: string | null
  /** Groups of the experiment */
  cells: Array<{
    /** Name of the group in the study */
    name: string
    /** Whether it is the control group */
    is_control: boolean
    /** Share of the group in percent; null if the platform does not report it */
    percentage: number | null
    /** People in the group; null if the platform does not report it */
    population: number | null
    /** Ids of its campaigns at the platform */
    campaigns: Array<string>
    /** Ids of its ad sets at the platform */
    ad_sets: Array<string>
    /** Only for studies created through POST /experiments */
    regions: Array<string>
  }>
  /** The design of a study created through POST /experiments; null for studies of the platforms */
  design: {
    /** Figure that the study measures */
    metric: string
    /** Length of the study in days */
    days: number
    /** Minimum detectable effect at this power, as a share */
    detectable_effect: number
    /** Share of simulated effects detected in earlier weeks */
    power: number
    /** Whether the regions were assigned at random */
    by_lot: boolean
  } | null
  /** What the platform reports for the experiment; null until it does */
  platform_reading: ExperimentReading | null
  /** Computed by us from the spend and credited conversions of the cells; null until it can be computed */
  own_reading: ExperimentReading | null
  /** Tests of whether the study can be trusted */
  checks: {
    /** p-value of the sample ratio test; below 0.001 the split is broken. Null without enough data for the test */
    sample_ratio_p: number | null
    /** Whether the groups behaved alike before the start; null without enough data for the test */
    pre_period_ok: boolean | null
    /** True if the platform’s delivery to the cells differs far from the planned shares; null without enough data for the test */
    divergent_delivery: boolean | null
    /** For a geo study: the change at its start relative to the changes at earlier placebo starts. Above 1 it exceeds 95 % of the changes without an experiment; null with too few earlier days */
    placebo_ratio: number | null
    /** For a geo study: the same change relative to the changes of its control regions at the same time. Above 1 it exceeds 97 % of them; null with fewer than 4 control campaigns or ad sets that ran throughout */
    region_placebo_ratio: number | null
  }
  /** Conclusion from the figures; null until there is one */
  verdict: "positive" | "negative" | "inconclusive" | "invalid" | null
  /** For a lift study whose interval excludes zero, and a geo study with both placebo ratios above 1; a split test does not prove causality. Null for all others */
  truth_grade: "lift" | null
  /** When the verdict was reached or last changed; null without a verdict */
  decided_at: string | null
  /** Reason for the verdict, or what it is waiting for; after a change also the previous verdict */
  reason: string
}

export type ExperimentReading = {
  /** Figure that the study measures */
  metric: string
  /** Relative to the control: 0.1 is ten percent more */
  effect: number
  /** Lower bound of the interval of `effect` */
  low: number
  /** Upper bound of the interval of `effect` */
  high: number
  /** Confidence level of the interval, such as 0.95 */
  level: number
}

/** Context of the response */
export type ExplainConversionMeta = {
  /** Id of the profile */
  profile_id: string
  /** ISO 4217 code of the currency */
  currency: string
}

export type ExplainConversionReply = {
  /** Id of the conversion */
  conversion_id: string
  /** Id of the event of the conversion */
  outcome_event_id: string
  /** Type of the outcome, for example payment_received or lead_created */
  outcome_type: string
  revenue_type: RevenueType
  /** When it happened */
  occurred_at: string
  /** Value of the conversion in `currency`; null if it has none */
  value: number | null
  /** ISO 4217 code of the currency; null if there is no amount */
  currency: string | null
  /** Value in the profile’s currency; null if the exchange rate is missing */
  report_value: number | null
  /** Refunds of the payment. Each counts on its own day, not on the day of the conversion */
  refunds: Array<ExplainedRefund>
  /** Whether conversions of this goal get credit */
  attribution_eligible: boolean
  /** True after the person was erased */
  erased: boolean
  /** Id of the conversion that counts instead; null if this one counts */
  duplicate_of: string | null
  /** True until the payment is confirmed */
  unconfirmed: boolean
  /** Data that the profile’s privacy mode withholds from the ad platforms; `conversion` if the whole conversion is withheld. Null in the mode standard. Credit is the same in every mode */
  privacy_mode: {
    /** Privacy mode of the profile */
    mode: "platform_safe" | "hipaa"
    /** What was withheld, and why */
    withheld: Array<string>
  } | null
  /** Consent to the use for ads: the stricter of what the event and the customer stated. Null if the person was erased */
  consent: AppliedConsent | null
  /** The customer’s latest answer to "How did you hear about us?"; null without one. It never changes credit */
  declared_source: {
    /** Key of the answer in the vocabulary */
    answer_key: string
    /** When the customer answered the question */
    asked_at: string
  } | null
  /** The last 50 earlier outcomes of the customer and, with customers:read, replies of the business in their conversations, oldest first. They get no credit */
  steps: Array<{
    /** What the step does */
    kind: "outcome" | "reply"
    /** Null for a reply */
    outcome_type: string | null
    /** When it happened */
    occurred_at: string
  }>
  /** Credit by each model */
  models: Array<{
    /** Attribution model of this split */
    model: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
    /** Lookback window in days: visits within it can get credit */
    lookback_days: number
    /** Before refunds; null if the exchange rate is missing */
    credited_value: number | null
    /** Visits and clicks before the conversion */
    touches: Array<ExplainedTouch>
  }>
}

export type ExplainPlatformGapReply = {
  /** Ad platform, for example social_ads */
  platform: string
  /** How the platform assigns a conversion to a day */
  reported_basis: string
  /** The platform’s click-through attribution window in days */
  click_window_days: number
  /** Number of compared entities */
  entities: number
  /** Those whose money is compared */
  valued_entities: number
  /** Null if the platform reports no conversions */
  reported: GapSide
  /** Cash that is credited to a campaign, ad set or ad */
  credited: GapSide
  /** Difference between the platform’s figure and the credit here */
  gap: GapSide
  /** The parts of the gap, which add up to it */
  steps: Array<{
    /** Reason that the step measures or infers */
    kind: GapKind
    /** measured: from facts; inferred: by a rule */
    label: "measured" | "inferred"
    /** Difference added to the platform’s count; mostly negative */
    conversions: number
    /** Value of the conversion, in the profile’s currency */
    value: number
    /** Sales behind the step; for an inferred step, candidate sales */
    sales: number
    /** A few examples */
    examples: Array<{
      /** Id of the conversion */
      conversion_id: string
      /** When it happened */
      occurred_at: string
      /** Value of the conversion, in the profile’s currency; null if the exchange rate is missing */
      value: number | null
    }>
  }>
}

export type ExplainedRefund = {
  /** Id of the refund */
  refund_id: string
  /** When it happened */
  occurred_at: string
  /** Negative, in the refund’s `currency` */
  value: number
  /** ISO 4217 code of the currency */
  currency: string
  /** In the reporting currency; null if the exchange rate is missing */
  report_value: number | null
}

export type ExplainedTouch = {
  /** Id of the visit or click */
  touch_id: string
  /** When it happened */
  occurred_at: string
  /** Channel, for example paid_social */
  channel: string
  /** How the visit was recorded, for example web or conversation_referral */
  origin: string
  /** Ad platform, for example social_ads; null if it is none */
  platform: string | null
  /** A visit without ad, campaign link or referrer */
  is_direct: boolean
  /** Whether the provider reported it */
  reported: boolean
  /** Campaign of the touch; null if it is not known */
  campaign: NamedEntity | null
  /** Ad set of the touch; null if it is not known */
  ad_set: NamedEntity | null
  /** Ad of the touch; null if it is not known */
  ad: NamedEntity | null
  /** Whether the touch has credit */
  status: "credited" | "excluded"
  /** Share of the conversion that the visit gets, 0 to 1; null if it is excluded */
  weight: number | null
  /** Value of the credit, less refunds; null if it is excluded or the exchange rate is missing */
  credited_value: number | null
  /** Amount that each refund subtracts from this touch, negative; empty if excluded */
  refunds: Array<{
    /** Id of the refund */
    refund_id: string
    /** Value of the credit, less refunds; null if it is excluded or the exchange rate is missing */
    credited_value: number | null
  }>
  /** Why the touch got no credit; null if it got some */
  reason: "after_conversion" | "outside_lookback" | "direct_skipped_by_model" | "not_first" | "not_last" | "superseded_by_merge" | null
}

export type ExportCompletedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "export.completed"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the export run */
    run_id: string
    /** Id of the export destination */
    destination_id: string
    /** Number of conversions that were sent */
    sent: number
    /** Number of conversions that failed */
    failed: number
    /** Number of conversions that were skipped */
    skipped: number
  }
}

export type ExportDestination = {
  /** Id of the export destination */
  id: string
  /** Ad platform that receives the conversions */
  kind: ExportKind
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Id of the pixel at the platform; null for other kinds */
  social_pixel_id: string | null
  /** Google’s id of the conversion action; null for other kinds */
  engine_conversion_action: string | null
  /** TikTok pixel code; null for other kinds */
  shortvideo_pixel_code: string | null
  /** The UET tag; null for other kinds */
  microsoft_uet_tag_id: string | null
  /** The conversion rule; null for other kinds */
  linkedin_conversion_id: string | null
  /** Name of the export destination */
  display_name: string
  /** Whether it is enabled */
  enabled: boolean
  /** Send only conversions of this source; null: all */
  data_source: DataSourceKind | null
  event_map: EventMap
  /** The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id */
  event_id_source: string
  /** The platform’s code for test events; null if there is none */
  test_event_code: string | null
  /** State of the export destination */
  status: "active" | "disabled" | "needs_action"
  /** Why sending is stopped until a person acts; null if it is not */
  status_reason: string | null
  /** `pixel_counts_too`: the platform’s pixel ran in the browser of these conversions, and they were sent with our id, which the pixel does not know. If the pixel also reports them, the platform counts each twice; choose an `event_id_source` that both use */
  warnings: Array<{
    /** Kind of warning, for programs */
    code: "pixel_counts_too"
    /** Affected conversions of the last 7 days */
    conversions: number
  }>
  /** Number of queued conversions */
  waiting: number
  /** The last run; null before the first */
  last_run: {
    /** Id of the export run */
    run_id: string
    /** How the run ended */
    status: "queued" | "sent" | "failed" | "skipped"
    /** Number of conversions that were sent */
    sent: number
    /** Number of conversions that failed */
    failed: number
    /** Number of conversions that were skipped */
    skipped: number
    /** The platform’s diagnostics of accepted conversions; null if it reports none */
    provider_status: ProviderStatus | null
  } | null
  created_by_app: CreatingApp
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}

export type ExportFailedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "export.failed"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the export run */
    run_id: string
    /** Id of the export destination */
    destination_id: string
    /** Number of conversions that were sent */
    sent: number
    /** Number of conversions that failed */
    failed: number
    /** Number of conversions that were skipped */
    skipped: number
  }
}

export type ExportKind = "social" | "engine" | "shortvideo" | "linkedin" | "microsoft"

export type ExportLedgerRow = {
  /** Id of the row in the ledger */
  id: string
  /** Id of the conversion */
  conversion_id: string
  /** Id of the export destination */
  destination_id: string
  /** Id of the export run; null until a run takes it */
  run_id: string | null
  /** Id of the conversion at the platform */
  event_key: string
  /** Name of the event at the platform; null if nothing was sent */
  event_name: string | null
  /** Whether the conversion was sent */
  status: "queued" | "sent" | "failed" | "skipped"
  /** Why it was skipped or failed, or why the platform later refused its whole request; null otherwise */
  reason: string | null
  /** Message of the platform; null if it sent none */
  message: string | null
  /** Attempts so far */
  attempts: number
  /** Keyed hash of what was sent, for comparison; null if nothing was sent */
  payload_hash: string | null
  /** Value that was sent, in `currency`; null if none was */
  value: number | null
  /** ISO 4217 code of the currency; null if there is no amount */
  currency: string | null
  /** The provider’s request id, for its support; null if it sent none */
  provider_request_id: string | null
  /** The platform’s diagnostics of accepted conversions; null if it reports none */
  provider_status: ProviderStatus | null
  /** Result of a refund, update or merge after it was sent; `unsupported` if the platform accepts no adjustments */
  adjustment: "none" | "restate" | "retract" | "unsupported"
  /** Number of the correction that was sent; 0 is the conversion itself */
  adjustment_no: number
  /** The consent that decided when the row was sent or withheld; null before, and if another rule decided */
  consent: AppliedConsent | null
  /** When it was queued */
  queued_at: string
  /** When it was sent; null until then */
  sent_at: string | null
}

export type ExportPreview = {
  /** The JSON that would be sent now; people are hashed as the platform requires */
  bodies: Array<Record<string, unknown>>
  /** What was withheld, and why */
  withheld: Array<{
    /** Id of the conversion */
    conversion_id: string
    /** Why it would not be sent */
    reason: string
  }>
}

export type ExportRun = {
  /** Id of the export run */
  run_id: string
  /** Id of the export destination */
  destination_id: string
  /** How far the run is */
  status: "queued" | "sent" | "failed" | "skipped"
  /** Number of conversions that were sent */
  sent: number
  /** Number of conversions that failed */
  failed: number
  /** Number of conversions that were skipped */
  skipped: number
  /** Why the run was skipped or failed; null if it was not */
  reason: string | null
  /** The platform’s diagnostics of accepted conversions; null if it reports none */
  provider_status: ProviderStatus | null
  /** Number of requests */
  requests: number
  /** Number of conversions per reason; the platform does not report which ones */
  diagnostics: Array<{
    /** The platform’s reason, for programs */
    reason: string
    /** Number of conversions with this diagnosis */
    count: number
  }>
  /** When it started */
  started_at: string
  /** When it ended; null until then */
  finished_at: string | null
}

export type FinalizeConnectionReply = {
  /** Provider of the account, for example social_ads */
  provider: string
  /** Id of the connection */
  connection_id: string
  /** True if an earlier request already chose the account */
  already_finalized: boolean
}

export type FinalizeConnectionRequest = {
  /** Id of the chosen account */
  candidate_id: string
}

export type FindingCondition = {
  /** The rule fires on a finding of the checks */
  kind: "finding"
  /** Id of a doctor check; null: any check */
  check_id: string | null
}

export type FindingConditionInput = {
  /** The rule fires on a finding of the checks */
  kind: "finding"
  /** Id of a doctor check; null: any check */
  check_id: string | null
}

export type FinishSignInRequest = {
  /** From the response that asks for this proof */
  challenge: string
  /** Six digits that the authenticator app shows */
  code?: string
  /** What the browser’s `navigator.credentials.get` returned, as `toJSON()` writes it */
  assertion?: {
    /** Id of the passkey */
    id: string
    [name: string]: unknown
  }
  /** Used up by a correct use */
  recovery_code?: string
  /** True: this browser signs in without the second factor for 30 days */
  remember_device?: boolean
}

export type GapKind = "not_seen" | "untagged_click" | "platform_modelled_or_delayed" | "unexplained" | "not_comparable" | "different_day" | "outside_our_lookback" | "claimed_by_two_platforms" | "credited_elsewhere" | "outside_platform_window" | "refunded" | "currency"

export type GapSide = {
  /** Number of conversions on this side; null if the platform reports none */
  conversions: number | null
  /** Value of the conversions, in the profile’s currency; null if the platform reports none */
  value: number | null
}

export type GenerateReportsReply = {
  /** Id of the batch that creates the reports */
  batch_id: string
  /** The reports that were queued */
  reports: Array<{
    /** Id of the profile */
    profile_id: string
    /** Id of the report */
    report_id: string
    /** Whether the report was queued */
    status: "queued"
  }>
}

export type GenerateReportsRequest = {
  /** Default: every profile that you can open */
  profile_ids?: Array<string>
  /** Days that the report covers */
  period?: "last_7_days" | "last_28_days" | "last_30_days" | "last_month"
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from?: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to?: string
  /** Attribution model that splits the credit */
  model?: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
  /** File format of the report */
  format?: "pdf" | "html" | "csv"
  /** Language of the report */
  language?: "en" | "es"
  /** True to send it to the recipients immediately */
  send?: boolean
  /** Email addresses that receive the report */
  recipients?: Array<string>
}

export type GeoDesign = {
  /** Whether the profile’s history supports a study */
  supported: boolean
  /** Why the historical data does not support a study; null if it does */
  reason: "no_regions" | "regions_unknown" | "too_few_regions" | "past_too_short" | "nothing_detectable" | null
  /** Figure that the study measures */
  metric: "payments" | "conversions"
  /** Historical data behind the design */
  past: {
    /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
    date_from: string
    /** Last day of the range, inclusive, YYYY-MM-DD */
    date_to: string
    /** Number of outcomes */
    outcomes: number
    /** Outcomes whose region is known */
    with_region: number
    /** Regions with enough outcomes */
    regions: number
  }
  /** Whether the regions were assigned at random */
  by_lot: boolean
  /** Regions in which the ads change */
  treated: Array<{
    /** State or province, such as ES-MADRID */
    region: string
    /** Outcomes in the `past` range */
    outcomes: number
  }>
  /** Regions without a change, which serve as comparison */
  control: Array<{
    /** State or province, such as ES-MADRID */
    region: string
    /** Outcomes in the `past` range */
    outcomes: number
  }>
  /** Planned probability of detecting an increase of `detectable_effect` */
  power: number
  /** Evaluated durations with their minimum detectable effect */
  options: Array<{
    /** Length of the study in days */
    days: number
    /** The smallest increase detected in 19 of 20 earlier windows into which it was simulated; null if none was */
    detectable_effect: number | null
    /** Number of earlier windows simulated */
    windows: number
    /** Share of these windows with a verdict without a simulated effect */
    false_verdicts: number
  }>
  /** Minimum duration in days to detect the effect; null if none is long enough */
  recommended_days: number | null
}

export type GetAdIdQualityReply = {
  /** Figures of each ad platform */
  platforms: Array<{
    /** Ad platform, for example social_ads */
    platform: string
    /** Visits from paid clicks */
    paid_clicks: number
    /** Paid clicks that named their ad */
    with_ad_id: number
    /** Paid clicks that did not name their ad */
    without_ad_id: number
    /** Visits that name an ad, in percent; null without visits */
    with_ad_id_pct: number | null
    /** Conversions credited to the platform but to none of its rows */
    unassigned_conversions: number
    /** Cash credited to the platform but to none of its rows; null if an exchange rate is missing */
    unassigned_cash_revenue: string | null
  }>
  /** Ad ids in visits that belong to no connected account */
  unknown_ads: Array<{
    /** Id of the ad */
    ad_id: string
    /** Id of the campaign, ad set or ad */
    entity_id: string
  }>
  /** Total number of such ids */
  unknown_ads_total: number
}

export type GetApiUsageReply = {
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** API keys with their request counts */
  keys: Array<{
    /** Id of the API key */
    api_key_id: string
    /** First and last characters, to recognise it */
    hint: string
    /** Name of the API key; null if it has none */
    name: string | null
    /** Id of the profile */
    profile_id: string
    /** Number of requests */
    requests: number
    /** Number of requests that were refused or failed */
    errors: number
    /** Last day of use; null if there was none */
    last_used_on: string | null
    /** Requests per day */
    days: Array<{
      /** Day, YYYY-MM-DD, in the time zone of the profile */
      date: string
      /** Number of requests */
      requests: number
      /** Number of requests that were refused or failed */
      errors: number
    }>
  }>
}

export type GetAuthOptionsReply = {
  /** open: anyone can sign up; closed: by invitation only */
  sign_up: "open" | "closed"
}

/** Context of the response */
export type GetBriefMeta = {
  /** Id of the profile */
  profile_id: string
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** Attribution model that splits the credit */
  model: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
  /** ISO 4217 code of the currency */
  currency: string
  /** True if data of the range is missing or still being processed */
  stale: boolean
  /** Hash of the figures: equal hashes mean equal figures */
  result_hash: string
}

export type GetBriefReply = {
  /** The days that the range is compared with */
  previous: {
    /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
    date_from: string
    /** Last day of the range, inclusive, YYYY-MM-DD */
    date_to: string
  }
  /** Most important first */
  sentences: Array<BriefSentence>
  /** Null if an exchange rate is missing */
  revenue: {
    /** All cash of the range, less refunds; null if an exchange rate is missing */
    now: number | null
    /** All cash of the preceding period, less refunds; null if an exchange rate is missing */
    before: number | null
    /** `now` minus `before`; null if an exchange rate is missing */
    change: number | null
  }
  /** The 10 largest gains and 10 largest losses, then the sum of all others; null if an exchange rate is missing or the parts do not add up */
  contributions: Array<{
    /** Whether it is a campaign, revenue without credit, or the sum of all others */
    kind: "campaign" | "unattributed" | "other"
    /** Id of the campaign; null for the other parts */
    campaign_id: string | null
    /** Name of the campaign; null for the other parts */
    name: string | null
    /** Credited revenue of the range */
    now: number
    /** Credited revenue of the preceding period */
    before: number
    /** now minus before */
    change: number
  }> | null
}

export type GetCampaignReply = {
  /** Id of the campaign */
  campaign_id: string
  /** The platform’s id */
  platform_id: string
  /** Name of the campaign; null if the platform has not reported it */
  campaign_name: string | null
  /** Payments in which the row has a part */
  outcome_count: number
  /** The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments */
  outcome_credit: number
  /** Credited cash less refunds; null if no exchange rate is known */
  outcome_value: number | null
  /** Conversions of all types that the row has credit for */
  attributed_outcome_count: number
  /** `attributed_outcome_count` by `outcome_type` */
  attributed_outcomes_by_type: OutcomesByType
  /** Amounts left out because their exchange rate is missing */
  fx_missing: number
  /** Null if no exchange rate is known */
  spend: number | null
  /** `outcome_value` divided by `spend`; null without spend */
  roas: number | null
  /** Impressions, as the platform reports them */
  impressions: number
  /** Clicks, as the platform reports them */
  clicks: number
  /** Unique accounts as reported by the platform for the range; null otherwise, because reach of days or ads does not add up */
  reach: number | null
  /** Clicks per 100 impressions; null without impressions */
  ctr: number | null
  /** Spend per 1,000 impressions; null without impressions */
  avg_cpm: number | null
  /** Spend per click; null without clicks */
  avg_cpc: number | null
  /** Conversations started within 7 days of a click, as the platform reports them; null if it does not */
  messaging_conversations_started_7d: number | null
  /** campaign, ad_set or ad */
  entity_level: AdLevel
  /** Name of the parent campaign or ad set; null for campaigns */
  parent_name: string | null
  /** `spend` divided by `outcome_count`; null without payments or spend */
  cac: number | null
  /** First payments in which the row has a part; a deposit and its balance within 7 days count as one */
  new_customer_count: number
  /** Cash of these payments less refunds; null if an exchange rate is missing */
  new_customer_value: number | null
  /** `spend` divided by `new_customer_count`; null without new customers or spend */
  new_customer_cac: number | null
  /** `new_customer_value` divided by `spend`; null without spend */
  new_customer_roas: number | null
  /** Status of the campaign, ad set or ad at the platform; null if it does not report one */
  status: string | null
  /** Goal of the campaign, as the platform names it; null if it does not report one */
  objective: string | null
  /** Budget per day in the currency of the account; null if there is none */
  daily_budget: number | null
  /** Changes that the connected platform currently accepts; empty for imported entities */
  platform_actions: Array<"pause" | "resume" | "budget">
  /** The platform’s id of the campaign; null if it is not known */
  campaign_external_id: string | null
  /** The platform’s id of the ad set; null if it is not known */
  ad_set_external_id: string | null
  /** Ad platform, for example social_ads */
  platform: string
  /** The campaign, then the ad set */
  parents: Array<{
    /** campaign, ad_set or ad */
    entity_level: AdLevel
    /** Id of the campaign */
    campaign_id: string
    /** Name of the campaign, ad set or ad; null if the platform has not reported it */
    name: string | null
  }>
  /** Conversions that the platform reports; null if it reports none */
  platform_conversions: number | null
  /** Value of the conversions that the platform reports; null if it reports none */
  platform_conversion_value: string | null
  /** The figures of each model */
  by_model: Array<{
    /** Attribution model of these figures */
    model: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
    /** Payments in which the row has a part */
    outcome_count: number
    /** The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments */
    outcome_credit: number
    /** Credited cash less refunds; null if no exchange rate is known */
    outcome_value: number | null
    /** Return on ad spend: credited cash / spend; null without spend */
    roas: number | null
    /** `spend` divided by `outcome_count`; null without payments or spend */
    cac: number | null
  }>
  /** Figures of each day of the range */
  days: Array<{
    /** Day, YYYY-MM-DD, in the time zone of the profile */
    date: string
    /** Ad spend; null if the exchange rate is missing */
    spend: number | null
    /** Impressions, as the platform reports them */
    impressions: number
    /** Clicks, as the platform reports them */
    clicks: number
    /** Payments that the row has credit for */
    outcome_count: number
    /** Credited cash, less refunds; null if an exchange rate is missing */
    outcome_value: number | null
  }>
  /** Creative of the ad; for a campaign or ad set, of its six ads with the highest spend. Empty with as_of */
  creatives: Array<CreativeOfAd>
  /** From its latest valid lift or geo study; null without one, and with as_of */
  calibration: Calibration | null
}

export type GetCampaignStatusReply = {
  /** Id of the campaign */
  campaign_id: string
  /** The platform’s id */
  platform_id: string
  /** Status of the campaign at the platform */
  status: string
  /** Status of the campaign at the platform, with that of its account and parents; null if it does not report one */
  effective_status: string | null
  /** Budget per day in the currency of the account; null if there is none */
  daily_budget: number | null
  /** Budget for the whole run in the currency of the account; null if there is none */
  lifetime_budget: number | null
  /** ISO 4217 code of the account’s currency; null if it is not known */
  currency: string | null
}

/** Context of the response */
export type GetChangesMeta = {
  /** Id of the profile */
  profile_id: string
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** Hash of the response without examples */
  result_hash: string
}

export type GetChangesReply = {
  /** Null, without changes, while a day of the range is open */
  since: string | null
  /** Figures of the whole profile */
  total: {
    /** The figures before the change */
    before: ChangedFigures
    /** The figures after the change */
    after: ChangedFigures
    /** `after` minus `before` */
    delta: ChangedFigures
  }
  /** The change by cause */
  by_cause: Array<{
    /** Cause of the change */
    cause: RestatementCause
    /** `after` minus `before` */
    delta: ChangedFigures
    /** At most 3 */
    examples: Array<{
      /** Kind of the fact that changed */
      fact_type: "conversion" | "payment" | "merge" | "recompute" | "connection"
      /** Id of the fact that changed */
      fact_id: string
      /** Null unless it is a conversion or payment that still exists */
      occurred_at: string | null
      /** When the service recorded it */
      recorded_at: string
      /** `after` minus `before` */
      delta: ChangedFigures
    }>
  }>
  /** Changes by campaign, ad set or ad, largest first */
  rows: Array<{
    /** `unattributed` is the part without an entity of the level; `other` is the sum of the rows beyond `limit` */
    kind: "entity" | "unattributed" | "other"
    /** Id of the campaign, ad set or ad; null for the part without one */
    entity_id: string | null
    /** Name of the campaign, ad set or ad; null if the platform has not reported it */
    name: string | null
    /** The figures before the change */
    before: ChangedFigures
    /** The figures after the change */
    after: ChangedFigures
    /** `after` minus `before` */
    delta: ChangedFigures
    /** The change by cause */
    by_cause: Array<{
      /** Cause of the change */
      cause: RestatementCause
      /** `after` minus `before` */
      delta: ChangedFigures
    }>
  }>
}

export type GetChannelRulesReply = {
  /** In order of precedence; the first match decides */
  overrides: Array<ChannelOverride>
  /** Version of the built-in list of search, social, mail, shopping and AI-assistant sites */
  list_version: string
  /** When it was last changed; null if it never was */
  updated_at: string | null
}

export type GetConversationReply = {
  /** The conversation and its state */
  conversation: Conversation
  /** Messages of the conversation, oldest first */
  messages: Array<{
    /** Id of the message */
    id: string
    /** When it happened */
    occurred_at: string
    /** above or below the threshold; for a message, in or out */
    direction: "in" | "out"
    /** Form of the message, for example text or image */
    kind: "message" | "postback" | "text" | "template" | "media"
    /** Name of the template that was sent; null if none was */
    template: string | null
    /** Delivery status of the message; null for received messages */
    status: "sending" | "sent" | "delivered" | "failed" | "unknown" | null
    /** Id of the ad; null if it is not known */
    ad_id: string | null
  }>
}

export type GetCustomerReply = {
  /** Id of the customer */
  customer_id: string
  /** Strongest first; one entry per identifier */
  identifier_kinds: Array<"external_id" | "crm_contact_id" | "national_id" | "email" | "phone" | "provider_customer_id" | "anonymous_id">
  /** Name, email and phone; null if the caller may not see people */
  contact: Contact | null
  /** Time of the first visit; null without a visit */
  first_seen_at: string | null
  /** Channel of the first visit, before applying the profile’s channel rules; null without a visit */
  first_channel: string | null
  /** Time of the last visit; null without a visit */
  last_seen_at: string | null
  /** Conversions counted in reports: without duplicates and unconfirmed money, with cash of every goal */
  conversions: number
  /** Payments, without failed and pending ones */
  payments: number
  /** Cash less refunds in the reporting currency, without amounts that lack an exchange rate; null if all lack one */
  revenue: number | null
  /** Payments and refunds not included in revenue for lack of an exchange rate */
  fx_missing: number
  /** Time of the last conversion; null without one */
  last_conversion_at: string | null
  /** Identifiers of the customer */
  identifiers: Array<{
    /** Id of the identifier */
    identifier_id: string
    /** Identifier type, for example email */
    kind: "external_id" | "crm_contact_id" | "national_id" | "email" | "phone" | "provider_customer_id" | "anonymous_id"
  }>
  /** The newest statement over all devices and identifiers; null if there is none */
  consent: {
    /** Consent to send data of the person to ad platforms */
    ad_user_data: "granted" | "denied" | "unspecified"
    /** Consent to personalised ads */
    ad_personalization: "granted" | "denied" | "unspecified"
    /** What stated it; null if nothing did */
    source: "gpc" | "page" | "tcf" | "consent_mode" | "shopify" | "wp" | "attribute" | "tracker" | "api" | "integration" | "import" | "default" | null
    /** When the decision was made */
    told_at: string
  } | null
  /** Excluded from all customer lists sent to platforms */
  excluded_from_audiences: boolean
  /** Customers who were merged into this one */
  merged_customer_ids: Array<string>
  /** Touches, conversions, payments and replies, oldest first */
  journey: Array<{
    /** What happened: a touch, a conversion, a payment or a reply */
    kind: "touch"
    /** When it happened */
    occurred_at: string
    /** Id of the visit or click */
    touch_id: string
    /** Channel, for example paid_social */
    channel: string
    /** How the visit was recorded, for example web or conversation_referral */
    origin: string
    /** Ad platform, for example social_ads; null if it is none */
    platform: string | null
    /** A visit without ad, campaign link or referrer */
    is_direct: boolean
    /** Whether the provider reported it */
    reported: boolean
    /** Campaign of the touch; null if it is not known */
    campaign: NamedEntity | null
    /** Ad set of the touch; null if it is not known */
    ad_set: NamedEntity | null
    /** Ad of the touch; null if it is not known */
    ad: NamedEntity | null
    /** The device or account of the touch */
    identifier_id: string
    /** Path of the first page; null if it is not known */
    landing_path: string | null
    /** Host of the page that linked here; null if there is none */
    referrer_host: string | null
    /** Source of the link, for example newsletter; null if it names none */
    utm_source: string | null
    /** Medium of the link, for example email; null if it names none */
    utm_medium: string | null
    /** Campaign of the link; null if it names none */
    utm_campaign: string | null
  } | {
    /** What happened: a touch, a conversion, a payment or a reply */
    kind: "conversion"
    /** When it happened */
    occurred_at: string
    /** Id of the conversion */
    conversion_id: string
    /** Type of the outcome, for example payment_received or lead_created */
    outcome_type: string
    revenue_type: RevenueType
    /** Value in `currency`; null if it has none */
    value: number | null
    /** ISO 4217 code of the currency; null if there is no amount */
    currency: string | null
    /** Whether conversions of this goal get credit */
    attribution_eligible: boolean
    /** Id of the conversion that counts instead; null if this one counts */
    duplicate_of: string | null
    /** True until the payment is confirmed */
    unconfirmed: boolean
  } | {
    /** What happened: a touch, a conversion, a payment or a reply */
    kind: "payment"
    /** When it happened */
    occurred_at: string
    /** Id of the payment */
    payment_id: string
    /** Provider of the account, for example social_ads */
    provider: string
    /** Status of the payment */
    status: string
    /** Value in `currency` */
    value: number
    /** Value refunded so far */
    refunded_value: number
    /** ISO 4217 code of the currency */
    currency: string
    /** The customer’s first payment */
    is_first_payment: boolean
  } | {
    /** A reply of the business in a conversation */
    kind: "reply"
    /** When it happened */
    occurred_at: string
    /** Id of the conversation */
    conversation_id: string
    /** Id of the message */
    message_id: string
    /** Name of the template; null if none was sent */
    template: string | null
  }>
  /** Whether the oldest steps were omitted */
  journey_truncated: boolean
}

/** Context of the response */
export type GetDataDrivenMeta = {
  /** Id of the profile */
  profile_id: string
  /** ISO 4217 code of the currency */
  currency: string
  /** First day of the figures; null before the first run */
  date_from: string | null
  /** Last day of the figures, inclusive; null before the first run */
  date_to: string | null
  /** Hash of the figures: equal hashes mean equal figures */
  result_hash: string
}

export type GetDataSchemaReply = {
  /** Increases when the meaning of a column changes */
  version: number
  /** Tables of the export */
  tables: Array<{
    /** Name of the table */
    name: "events" | "customers" | "identities" | "touches" | "conversions" | "payments" | "refunds" | "credits" | "paths" | "campaigns" | "ad_sets" | "ads" | "ad_versions" | "creatives" | "delivery" | "rates" | "daily"
    /** Description of the content */
    about: string
    /** One folder per day */
    by_day: boolean
    /** Columns of the table */
    columns: Array<{
      /** Name of the column */
      name: string
      /** Type of the column’s values */
      type: string
      /** Whether it can be null */
      nullable: boolean
      /** Description of the content */
      about: string
    }>
  }>
}

export type GetDeclaredVocabularyReply = {
  /** The question in English */
  question_en: string
  /** The question in Spanish */
  question_es: string
  /** Answers of the vocabulary */
  entries: Array<VocabularyEntry>
}

export type GetDoctorReply = {
  /** The worst status of the checks; null before the first run */
  status: "ok" | "warning" | "problem" | "not_applicable" | null
  /** When the checks last ran; null before the first run */
  checked_at: string | null
  /** ISO 4217 code of the currency */
  currency: string
  /** Result of each check, findings first */
  checks: Array<{
    /** Id of the check, such as `event_drop` */
    id: string
    /** Question that the check answers */
    question: string
    /** Result of the check */
    status: "ok" | "warning" | "problem" | "not_applicable"
    /** Number of affected clicks, sales, events, customers or connections */
    count: number
    /** Affected revenue or spend; null if no amount is known */
    value: number | null
    /** First day within the last 28 days on which it was detected; null without a finding */
    since: string | null
    /** When the finding was opened; null without a finding */
    opened_at: string | null
    /** A few examples */
    examples: Array<{
      /** What the example is */
      kind: "ad" | "campaign" | "connection" | "conversion" | "currency" | "customer" | "data_request" | "event_name" | "goal" | "page" | "platform" | "process" | "sender" | "site"
      /** Id or name of the example */
      id: string
      /** How often it occurred; null if it is not counted */
      count: number | null
      /** What was seen; null if there is nothing to add */
      detail: string | null
    }>
    /** Recommended action, and the console page for it */
    advice: {
      /** Recommended action, as a sentence */
      text: string
      /** Page of the console */
      page: "campaigns" | "connections" | "goals" | "identity" | "payments" | "settings" | "tracking" | "unattributed"
    }
  }>
}

export type GetFactorsReply = {
  /** Without unfinished enrolments */
  factors: Array<{
    /** Id of the second factor */
    id: string
    /** Authenticator app or passkey */
    kind: "totp" | "passkey"
    /** Name of the device */
    name: string
    /** When it was created */
    created_at: string
    /** When it last proved a sign-in; null if never */
    last_used_at: string | null
  }>
  /** Codes that were not used yet */
  recovery_codes_left: number
  /** Devices that sign in without the second factor for up to 30 days */
  remembered_devices: number
  /** False: a passkey signs in alone */
  has_password: boolean
  /** Workspaces that require a second factor, and from when */
  required_by: Array<{
    /** Id of the workspace */
    id: string
    /** Name of the workspace */
    name: string
    /** When the requirement starts */
    from: string
  }>
}

/** Context of the response */
export type GetHandoffMeta = {
  /** Id of the profile */
  profile_id?: string
  /** Id of the workspace */
  workspace_id?: string
}

/** Context of the response */
export type GetJourneysMeta = {
  /** Id of the profile */
  profile_id: string
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** Attribution model that splits the credit */
  model: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
  /** The lookback that the figures were computed with */
  lookback_days: number
  /** Check that the rows add up: total = credited + unattributed */
  reconciliation: Reconciliation
  /** How current the figures are */
  freshness: ReportFreshness
  /** ISO 4217 code of the currency */
  currency: string
  /** Payments, refunds and spend of the range without an exchange rate for their day; they add nothing until it is known */
  fx_missing: number
  /** The missing rates, newest first, at most 100 */
  fx_missing_rates: Array<{
    /** ISO 4217 code of the currency */
    currency: string
    /** Day, YYYY-MM-DD, in the time zone of the profile */
    day: string
  }>
  /** Hash of the figures: equal hashes mean equal figures */
  result_hash: string
  /** True if there are more payments than were read */
  truncated: boolean
}

export type GetMeReply = {
  /** Id of the user */
  id: string
  /** Email address of the account */
  email: string
  /** Name of the person */
  name: string
  /** True once the person has proved ownership of the address; until then, access granted to the address has no effect */
  email_verified: boolean
  /** When it was created */
  created_at: string
  /** Whether the account may open the operator page (OPERATORS) */
  is_operator: boolean
}

export type GetOperatorStatusReply = {
  /** Version of the release */
  version: string
  /** Id of the build */
  build: string
  /** Processes of the service */
  processes: Array<ServiceProcess>
  /** How far the work of the service is behind */
  lag: ServiceLag
  /** Nodes of the database */
  nodes: Array<{
    /** Address of the database node */
    name: string
    /** True if the node responds */
    is_up: boolean
  }>
}

export type GetOverviewReply = {
  /** Sums of all rows */
  totals: {
    /** Spend of campaigns. GET /reports/channels also includes ads without a known campaign. Null if an exchange rate is missing */
    spend: number | null
    /** All cash of the profile less refunds; null if an exchange rate is missing */
    revenue: number | null
    /** Revenue credited to campaigns; null if an exchange rate is missing */
    credited_revenue: number | null
    /** All payments of the profile, without failed and pending ones */
    payments: number
    /** Revenue divided by spend; null without spend */
    total_roas: number | null
    /** Payments that have credit */
    credited_payments: number
    /** The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments */
    outcome_credit: number
    /** Return on ad spend: credited cash / spend; null without spend */
    roas: number | null
    /** Spend per payment; null without payments */
    cac: number | null
  }
  /** Figures of each day of the range */
  days: Array<{
    /** Day, YYYY-MM-DD, in the time zone of the profile */
    date: string
    /** Spend of campaigns. GET /reports/channels also includes ads without a known campaign. Null if an exchange rate is missing */
    spend: number | null
    /** All cash of the profile less refunds; null if an exchange rate is missing */
    revenue: number | null
    /** Revenue credited to campaigns; null if an exchange rate is missing */
    credited_revenue: number | null
    /** All payments of the profile, without failed and pending ones */
    payments: number
  }>
}

export type GetProblemReply = {
  /** Id of the problem */
  id: string
  kind: ProblemKind
  /** Id of the profile; null if it belongs to none */
  profile_id: string | null
  /** Name of the job, event or webhook event */
  what: string
  /** Why it failed; null if it is not known */
  reason: string | null
  /** Attempts so far; null if the kind of problem has no attempts */
  attempts: number | null
  /** When it first occurred */
  since: string
  /** Age in seconds */
  age_seconds: number
  /** Ids and the redacted error, without personal data */
  detail: Record<string, unknown>
}

/** Context of the response */
export type GetReadinessMeta = {
  /** Id of the profile */
  profile_id: string
}

export type GetReadinessReply = {
  /** Whether setup is complete */
  ready: boolean
  /** What remains to be set up, in order */
  steps: Array<ReadinessStep>
}

export type GetRealtimeReply = {
  /** Day or time to which the figures refer */
  as_of: string
  /** Minutes that the figures cover */
  window_minutes: number
  /** Visitors reported by the tracker, or by a server with a page, a click or an ad, in the last 5 minutes; an outcome alone is not a visit */
  active_visitors: number
  /** Number of events */
  events: number
  /** Whether the figures come from a sample */
  is_sampled: boolean
  /** One entry per minute, oldest first */
  minutes: Array<{
    /** Start of the minute */
    minute: string
    /** Number of events */
    events: number
    /** Number of visitors */
    visitors: number
  }>
  /** The ten most viewed */
  pages: Array<{
    /** Path of the page */
    path: string
    /** Number of page views */
    views: number
    /** Number of visitors */
    visitors: number
  }>
  /** Visits of the last 30 minutes by channel */
  channels: Array<{
    /** Channel, for example paid_social */
    channel: string
    /** Number of visits */
    visits: number
  }>
  /** The ten newest of the window */
  conversions: Array<{
    /** Id of the conversion */
    conversion_id: string
    /** Type of the outcome, for example payment_received or lead_created */
    outcome_type: string
    revenue_type: RevenueType
    /** When it happened */
    occurred_at: string
    /** Value of the conversion, in the profile’s currency; null if it has none */
    value: number | null
    /** ISO 4217 code of the currency; null if there is no amount */
    currency: string | null
  }>
}

export type GetReportsHubReply = {
  /** The newest reports */
  reports: Array<ClientReport>
  /** Report schedules of the profiles */
  schedules: Array<ReportSchedule>
  /** Requests that generated reports, newest first */
  batches: Array<{
    /** Id of the request */
    id: string
    /** When it was created */
    created_at: string
    /** Number of reports of the request */
    total: number
    /** Number of reports that are finished */
    done: number
    /** Number of reports that failed */
    failed: number
    /** Number of reports that were skipped */
    skipped: number
  }>
}

export type GetStorefrontPixelInstallerReply = {
  /** Name of the pixel, to enter in the store */
  name: string
  /** Code of the pixel, to paste in the store */
  code: string
  /** Values that the code contains */
  settings: {
    /** Public key of the tracker */
    tracking_key: string
    /** URL to which the tracker sends its events */
    collector_url: string
  }
}

export type GetSubscriptionReply = {
  plan: Plan
  /** Status of the subscription at the payment provider */
  status: "trialing" | "active" | "past_due" | "canceled"
  /** When the trial ends; null without a trial */
  trial_ends_at: string | null
  /** Start of the paid period */
  current_period_start: string
  /** End of the paid period; null without a subscription */
  current_period_end: string | null
  /** When the plan ends; null unless the payer cancelled it */
  cancels_at: string | null
  /** Who bills the plan */
  billed_by: "payment_provider" | "store" | "none"
  /** Number of active profiles, and the limit of the plan */
  active_profiles: {
    /** Used amount of the limit */
    used: number
    /** Rows per page */
    limit: number
  }
}

export type GetSyncStatusReply = {
  /** What the sync does now */
  state: "idle" | "queued" | "running" | "failed"
  /** Time of the last success; null if there was none */
  last_success_at: string | null
  /** Start of the last complete sync: all earlier data has been read; null if there was none */
  complete_until: string | null
  /** Time of the last attempt; null before the first */
  last_attempt_at: string | null
  /** Error of the last failed attempt; null after a success */
  last_error: string | null
  /** Time of the next run; null if none is planned */
  next_run_at: string | null
  /** How far the running sync is; null if none runs */
  progress: {
    /** Parts that are finished, out of `total` */
    done: number
    /** Number of parts; null until it is known */
    total: number | null
    /** Unit of the count */
    unit: string
  } | null
  /** Number of records set aside */
  set_aside: {
    /** Records that were set aside */
    records: number
    /** Reason why the last record was set aside; null if none was */
    last_reason: string | null
  }
  /** Provider of the account, for example social_ads */
  provider: string
  /** Id of the connection */
  connection_id: string
}

export type GetTabCountsReply = {
  /** When you last viewed each tab; at most 30 days ago */
  since: {
    /** Ads that were scored for the first time */
    top_performers: string
    /** Recommendations that are open */
    recommendations: string
    /** Studies that started or ended */
    experiments: string
    /** Client reports that are finished */
    reports: string
    /** Profiles with recomputed creative patterns */
    patterns: string
    /** Merge proposals that are open */
    proposals: string
    /** Connections that were added or stopped working */
    connections: string
  }
  /** Number of new items per tab */
  tabs: {
    /** Ads that were scored for the first time */
    top_performers: number
    /** Recommendations that are open */
    recommendations: number
    /** Studies that started or ended */
    experiments: number
    /** Client reports that are finished */
    reports: number
    /** Profiles with recomputed creative patterns */
    patterns: number
    /** Merge proposals that are open */
    proposals: number
    /** Connections that were added or stopped working */
    connections: number
  }
}

export type GetTagManagerInstallerReply = Record<string, unknown>

export type GetTopPerformersBriefReply = {
  /** Ads with a score */
  ads_scored: number
  /** Number of winning ads */
  winners: number
  /** Number of rising ads */
  rising: number
  /** Number of fatiguing ads */
  fatiguing: number
  /** Number of cold ads */
  cold: number
  /** Profiles without scores yet */
  profiles_not_scored: number
  /** When the newest scores were computed; null before the first */
  as_of: string | null
}

/** Context of the response */
export type GetTrackingConsentMeta = {
  /** Id of the profile */
  profile_id: string
  /** First day of the counts */
  date_from: string
  /** Last day of the counts */
  date_to: string
}

export type GetTrackingConsentReply = {
  /** By day, source, purpose and state */
  days: Array<{
    /** Day in the time zone of the profile */
    day: string
    /** What stated it: a signal, or the kind of event */
    source: string
    /** What it is about */
    purpose: "statistics" | "ad_user_data" | "ad_personalization"
    /** What was stated */
    state: "granted" | "denied"
    /** Number of events with it */
    events: number
    /** Sessions that began with it */
    sessions: number
  }>
  /** Conversions queued in these days that were not sent because of a refusal */
  withheld: Array<{
    /** Platform that did not receive them */
    platform: "social" | "engine" | "shortvideo" | "microsoft" | "linkedin"
    /** Number of conversions */
    conversions: number
    /** In the reporting currency; null if no amount is known */
    value: number | null
  }>
  /** Share of sessions that began before the visitor answered a banner; null without sessions */
  pending_share: number | null
  /** Events on pages whose banners contradict each other; the refusal applies */
  conflicts: number
  /** Page views of own browsers and excluded paths, by day */
  excluded: Array<{
    /** Day in the time zone of the profile */
    day: string
    /** A browser of your own, or an excluded path */
    reason: "own" | "path"
    /** Number of page views that do not count */
    page_views: number
  }>
}

export type GetTrackingOpsReply = {
  /** Number of events waiting to be processed */
  waiting: number
  /** When the oldest waiting item was queued; null if none waits */
  oldest_waiting_at: string | null
  /** Counts for the last 24 hours */
  last_24_hours: {
    /** Number of events of the last 24 hours */
    events: number
    /** Number of visits and clicks of the last 24 hours */
    touches: number
    /** Number of conversions of the last 24 hours */
    conversions: number
  }
  /** Events that could not be processed. They are kept but not counted, and are retried when a new version of them is sent. The newest 50 are listed. */
  quarantine: {
    /** Number of quarantined events */
    count: number
    /** The newest quarantined events */
    events: Array<{
      /** Id of the stored event */
      event_id: string
      /** Why the event could not be processed, for programs */
      reason: "processing_failed" | "amount_too_large" | "day_total_too_large"
      /** Why the event could not be processed; null if it is not known */
      detail: string | null
      /** When it was set aside */
      set_aside_at: string
    }>
  }
}

export type GetTrackingOriginReply = {
  /** Origin that the tracker sends events to */
  origin: string
  /** Where the script is served from */
  canonical_origin: string
  /** Custom domain of the script; null if none is configured */
  custom_domain: string | null
  /** URL to which the tracker sends its events */
  collect_url: string
}

export type GetTrackingQualityReply = {
  /** Whether events arrive, and whether something needs attention */
  status: "healthy" | "attention" | "silent"
  /** Time of the last event; null if there was none */
  last_event_at: string | null
  /** Number of events in the last seven days */
  events: number
  /** Number of events from bots in the last seven days */
  bots: number
  /** Number of page views */
  page_views: number
  /** Number of visits */
  sessions: number
  /** Number of visitors */
  visitors: number
  /** Number of visitors with a personal identifier */
  identified: number
  /** Visits with a click id */
  with_click_id: number
  /** Visits with a click id that also name an ad */
  with_ad: number
  /** Page views that do not count */
  excluded: {
    /** Page views of browsers that were marked as your own */
    own_browsers: number
    /** Page views of excluded paths */
    paths: number
  }
  /** What visitors refused, and what was withheld because of it */
  consent: {
    /** What stated a consent in these days */
    sources: Array<string>
    /** True if a banner is on the page and the tag does not read banners */
    banner_seen_but_not_read: boolean
    /** Events whose browser sent Global Privacy Control */
    gpc_events: number
    /** Events that refuse the use for ads, with or without that signal */
    ads_denied_events: number
    /** Conversions queued in these days that were not sent because of a refusal */
    withheld: Array<{
      /** Ad platform, for example social_ads */
      platform: "social" | "engine" | "shortvideo" | "microsoft" | "linkedin"
      /** Number of conversions that were not sent because of a refusal */
      conversions: number
      /** In the reporting currency; null if no amount is known */
      value: number | null
    }>
  }
  /** What could be wrong, most severe first */
  findings: Array<{
    /** Code of the finding, for programs */
    code: string
    /** Explanation of the finding for people */
    message: string
  }>
}

export type GetTrackingSnippetReply = {
  /** HTML to insert into the page */
  html: string
  /** Public key of the tracker */
  key: string
  /** URL of the script */
  src: string
}

export type GetUnattributedReply = {
  /** Payments in which the row has a part */
  outcome_count: number
  /** The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments */
  outcome_credit: number
  /** Credited cash less refunds; null if no exchange rate is known */
  outcome_value: number | null
  /** Conversions of all types that the row has credit for */
  attributed_outcome_count: number
  /** `attributed_outcome_count` by `outcome_type` */
  attributed_outcomes_by_type: OutcomesByType
  /** Amounts left out because their exchange rate is missing */
  fx_missing: number
  /** First payments in which the row has a part; a deposit and its balance within 7 days count as one */
  new_customer_count: number
  /** Cash of these payments less refunds; null if an exchange rate is missing */
  new_customer_value: number | null
}

/** Context of the response */
export type GetUtmHealthMeta = {
  /** Id of the profile */
  profile_id: string
  /** ISO 4217 code of the currency */
  currency: string
}

export type GetWebhookDeliveryReply = {
  /** Id of the delivery */
  id: string
  /** Id of the webhook subscription */
  subscription_id: string
  /** Id of the stored event */
  event_id: string
  /** Alias of `event_name` */
  event_type: string
  /** State of the delivery */
  status: "pending" | "delivered" | "failed" | "cancelled"
  /** Reason for the status; null if there is no problem */
  status_reason: string | null
  /** Attempts so far */
  attempt_count: number
  /** Time of the next attempt; null if there is none */
  next_attempt_at: string | null
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  settled_at: string | null
  /** Attempts so far */
  attempts: Array<{
    /** Number of the attempt, from 1 */
    attempt: number
    /** When it happened */
    at: string
    /** HTTP status of the response; null if there was none */
    response_status: number | null
    /** Error; null if there was none */
    error: string | null
    /** Duration in milliseconds */
    duration_ms: number
  }>
  /** As stored, without the person */
  payload: Record<string, unknown>
}

export type Goal = {
  /** Id of the goal */
  id: string
  /** Name of the goal */
  display_name: string
  /** Key of the goal, unique in the profile */
  conversion_key: string
  /** Events with these names are conversions of the goal */
  source_event_names: Array<string>
  /** Type of the outcome, for example payment_received or lead_created */
  outcome_type: string
  revenue_type: RevenueType
  /** Whether conversions of this goal get credit */
  attribution_eligible: boolean
  /** In lists: how often reports counted the outcome; null for a goal that is not in reports (neither credited to ads nor cash) */
  fired?: {
    /** Number of days of the last 28, today included */
    last_28_days: number
    /** Last day on which the condition held; null if it never did */
    last_day: string | null
    /** Another goal has the same outcome; these figures include both */
    shared: boolean
  } | null
  /** In lists: progress towards the target; null for API keys */
  target?: GoalTarget | null
}

export type GoalTarget = {
  /** cac: all ad spend per outcome; roas: value of all outcomes, credited to ads or not, over all ad spend; for a goal of all cash that is total_roas of GET /reports/overview, not its roas */
  metric: "count" | "value" | "cac" | "roas"
  /** Monday to Sunday, or the calendar month, in the profile’s time zone */
  period: "week" | "month"
  /** The value to reach in the period */
  target: number
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** The last closed day; for cac and roas, the last with complete ad data. Null if there is none yet */
  through: string | null
  /** Result of the closed days; null while no day is closed */
  actual: number | null
  /** Part of the target that is due after the closed days, by the weekday pattern of the 8 weeks before; null without an estimate */
  expected: number | null
  /** `too_early` until there are 5 outcomes, actual or expected; for money, at the latest after 7 closed days */
  status: "ahead" | "on_track" | "behind" | "too_early" | "unknown"
}

export type Handoff = {
  /** Id of the hand-off */
  id: string
  /** Whether the person connects an account or pays for a plan */
  kind: "connect" | "checkout"
  /** How far the person has come */
  status: "pending" | "completed" | "failed" | "cancelled"
  /** Link for the person who connects the account */
  url: string
  /** Link for a user of an app: opens the consent page of the provider */
  start_url: string
  /** When it expires */
  expires_at: string
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  completed_at: string | null
  /** Result; null while it is pending */
  result: HandoffResult | null
  /** While pending: the last visit that was refused without ending the hand-off, such as `state_invalid` in another browser. The link still works. Null without one */
  last_attempt: {
    /** When it happened */
    at: string
    /** Why the visit was refused or the connection failed, for programs */
    reason: "user_cancelled" | "provider_denied" | "provider_error" | "token_exchange_failed" | "account_connected_elsewhere" | "no_candidates" | "connect_failed" | "internal_error" | "state_expired" | "state_invalid" | "handoff_expired" | "handoff_used" | "provider_not_configured" | "origin_not_allowed"
  } | null
}

export type HandoffCompletedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "handoff.completed"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the hand-off */
    id: string
    /** Whether the person connects an account or pays for a plan */
    kind: string
    /** How it ended: completed, failed or cancelled */
    status: string
    /** Outcome of the hand-off, as `GET /handoffs/{id}` returns it; null without one */
    result: Record<string, unknown> | null
  }
}

export type HandoffResult = {
  /** Provider of the account, for example social_ads */
  provider: string
  /** Id of the connection */
  connection_id: string
} | {
  /** Provider of the account, for example social_ads */
  provider: string
  /** Several accounts are available: a person must choose one */
  pending_selection: {
    /** Number of accounts to choose from */
    candidate_count: number
    /** When it expires */
    expires_at: string
  }
} | {
  /** Provider of the account, for example social_ads */
  provider?: string
  /** Why the visit was refused or the connection failed, for programs */
  reason: "user_cancelled" | "provider_denied" | "provider_error" | "token_exchange_failed" | "account_connected_elsewhere" | "no_candidates" | "connect_failed" | "internal_error" | "state_expired" | "state_invalid" | "handoff_expired" | "handoff_used" | "provider_not_configured" | "origin_not_allowed"
} | {
  /** Plan of the workspace */
  plan: string
}

export type HipaaAgreement = {
  /** Name of the person who signed */
  signed_by: string
  /** When it was signed */
  signed_at: string
}

export type IdentityLink = {
  /** Ids of the two identifiers, the weaker one first */
  id: string
  /** Whether the link joins the customers */
  status: LinkStatus
  /** The identifier that was linked */
  weaker: {
    /** Id of the identifier */
    identifier_id: string
    /** Identifier type, for example email */
    kind: "external_id" | "crm_contact_id" | "national_id" | "email" | "phone" | "provider_customer_id" | "anonymous_id"
    /** Id of the customer */
    customer_id: string
  }
  /** The identifier with higher precedence */
  stronger: {
    /** Id of the identifier */
    identifier_id: string
    /** Identifier type, for example email */
    kind: "external_id" | "crm_contact_id" | "national_id" | "email" | "phone" | "provider_customer_id" | "anonymous_id"
    /** Id of the customer */
    customer_id: string
  }
  /** When it was first seen */
  first_observed_at: string
  /** When it was last seen */
  last_observed_at: string
  /** Number of events that contain both */
  events: number
  /** When a person decided; null until then */
  decided_at: string | null
}

export type ImportSpendReply = {
  /** Number of new rows */
  inserted: number
  /** Number of existing items that changed */
  updated: number
  /** Number of events already stored with the same content */
  unchanged: number
}

export type ImportSpendRequest = {
  /** Spend per day and campaign */
  rows: Array<SpendRow>
}

export type Invitation = {
  /** Id of the invitation */
  id: string
  /** Email address of the invited person */
  email: string
  /** Role in the workspace */
  role: "owner" | "admin" | "editor" | "viewer"
  /** Id of the profile that the invitation is for; null if it is for the workspace */
  profile_id: string | null
  /** Permissions of the member */
  permissions: Array<string>
  /** Id of the user who sent the invitation; null if an app sent it */
  invited_by_user_id: string | null
  /** When it was created */
  created_at: string
  /** When it expires */
  expires_at: string
}

export type InviteMemberReply = {
  /** Id of the invitation */
  id: string
  /** Email address of the invited person */
  email: string
  /** Role in the workspace */
  role: "owner" | "admin" | "editor" | "viewer"
  /** Id of the profile that the invitation is for; null if it is for the workspace */
  profile_id: string | null
  /** Permissions of the member */
  permissions: Array<string>
  /** Id of the user who sent the invitation; null if an app sent it */
  invited_by_user_id: string | null
  /** When it was created */
  created_at: string
  /** When it expires */
  expires_at: string
  /** A link to pass on; returned once, and only if no mail server is configured, otherwise null. The address of a person who joins with it stays unverified. */
  accept_url: string | null
}

export type InviteMemberRequest = {
  /** Email address of the invited person */
  email: string
  /** Role in the workspace */
  role: "owner" | "admin" | "editor" | "viewer"
}

export type InviteProfileMemberReply = {
  /** Id of the invitation */
  id: string
  /** Email address of the invited person */
  email: string
  /** Role in the workspace */
  role: "owner" | "admin" | "editor" | "viewer"
  /** Id of the profile that the invitation is for; null if it is for the workspace */
  profile_id: string | null
  /** Permissions of the member */
  permissions: Array<string>
  /** Id of the user who sent the invitation; null if an app sent it */
  invited_by_user_id: string | null
  /** When it was created */
  created_at: string
  /** When it expires */
  expires_at: string
  /** A link to pass on; returned once, and only if no mail server is configured, otherwise null. The address of a person who joins with it stays unverified. */
  accept_url: string | null
}

export type InviteProfileMemberRequest = {
  /** Email address of the invited person */
  email: string
  /** Role in the workspace */
  role: "editor" | "viewer"
  permissions?: Permissions
}

export type JourneyPath = {
  /** Channels in order of time; consecutive visits of one channel are one step. `earlier` replaces the steps before the last six; a single `unknown` means no visit within the lookback, a single `not_creditable` a goal that is never credited */
  steps: Array<string>
  /** Payments on these days */
  payments: number
  /** Distinct customers of these payments */
  customers: number
  /** Cash of these days, refunds subtracted on their own days; over all paths it equals the revenue of GET /reports/overview */
  outcome_value: number
  /** Amounts left out because their exchange rate is missing */
  fx_missing: number
}

export type KeyScope = "analytics:read" | "campaigns:apply" | "campaigns:read" | "connections:read" | "connections:write" | "conversions:read" | "customers:read" | "events:write" | "exports:read" | "exports:write" | "identity:read" | "identity:write" | "mcp:read" | "mcp:read_pii" | "mcp:write" | "messages:write" | "payments:read" | "payments:write" | "realtime:read" | "tracking:read" | "tracking:write" | "visitors:read" | "webhooks:read" | "webhooks:write"

export type LeadgenReceivedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "leadgen.received"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Present if it happened more than two days before it was recorded */
  historical?: true
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** The platform’s id of the page */
    page_id: string
    /** The platform’s id of the lead */
    leadgen_id: string
    /** The platform’s id of the lead form; null if it sends none */
    form_id: string | null
    /** The platform’s id of the ad; null if the form was not opened from an ad */
    ad_id: string | null
    /** The platform’s id of the campaign; null if the form was not opened from an ad */
    campaign_id: string | null
    /** The person's answers */
    field_data: Array<Record<string, unknown>>
    /** True if the subscription may not receive people */
    contact_withheld: boolean
  }
}

export type LearnedTier = {
  /** The tier; null unless `status` is `served` */
  value: "low" | "medium" | "high" | null
  /** Whether the value may be shown */
  status: "served" | "withheld" | "not_applicable"
  /** Why there is no value, such as insufficient_history, no_skill or miscalibrated; null if there is one */
  reason: string | null
}

/** Use `value` only if `status` is `served`; show withheld as "not evaluated", never as 0. */
export type LearnedValue = {
  /** The learned value, in the unit of the field; null unless `status` is `served` */
  value: number | null
  /** Whether the value may be shown */
  status: "served" | "withheld" | "not_applicable"
  /** Why there is no value, such as insufficient_history, no_skill or miscalibrated; null if there is one */
  reason: string | null
}

export type LinkStatus = "pending" | "accepted" | "rejected"

/** Context of the response */
export type ListAdPeopleMeta = {
  /** Id of the profile */
  profile_id: string
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** How current the figures are */
  freshness: ReportFreshness
  /** Hash of the figures: equal hashes mean equal figures */
  result_hash: string
}

export type ListAdPeopleReply = {
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** What a bucket is: a month, a day or an ad */
  group_by: "month" | "day" | "ad"
  /** Channel of the touches that are counted; null for all */
  channel: "chatapp" | "photoapp" | "pagechat" | "web" | "other" | null
  /** First payments of customers only */
  first_only: boolean
  /** IANA time zone, for example Europe/Madrid */
  timezone: string
  /** Sums of all rows */
  totals: {
    /** People with an ad touch */
    ad_people: number
    /** Number of visits and clicks from ads */
    ad_touches: number
    /** The figures of each origin */
    by_origin: {
      /** Origin: an ad that a partner reported */
      partner_ad_referral: {
        /** Number of people */
        people: number
        /** Number of visits and clicks */
        touches: number
      }
      /** Origin: a conversation that started from an ad */
      conversation_referral: {
        /** Number of people */
        people: number
        /** Number of visits and clicks */
        touches: number
      }
      /** Origin: a visit to the website */
      web: {
        /** Number of people */
        people: number
        /** Number of visits and clicks */
        touches: number
      }
      /** Origin: none of the others */
      other: {
        /** Number of people */
        people: number
        /** Number of visits and clicks */
        touches: number
      }
    }
    /** Conversations started, as the platform reports them; null if it does not */
    meta_messaging_conversations_started: number | null
  }
  /** Days, weeks or months of the range */
  buckets: Array<{
    /** The bucket: a month, a day or the id of an ad */
    key: string
    /** Start of the bucket */
    start: string
    /** End of the bucket */
    end: string
    /** Id of the ad of the bucket; null if the buckets are months or days */
    ad_id: string | null
    /** Name of the ad of the bucket; null if the buckets are months or days */
    ad_name: string | null
    /** People with an ad touch */
    ad_people: number
    /** Number of visits and clicks from ads */
    ad_touches: number
    /** The figures of each origin */
    by_origin: {
      /** Origin: an ad that a partner reported */
      partner_ad_referral: {
        /** Number of people */
        people: number
        /** Number of visits and clicks */
        touches: number
      }
      /** Origin: a conversation that started from an ad */
      conversation_referral: {
        /** Number of people */
        people: number
        /** Number of visits and clicks */
        touches: number
      }
      /** Origin: a visit to the website */
      web: {
        /** Number of people */
        people: number
        /** Number of visits and clicks */
        touches: number
      }
      /** Origin: none of the others */
      other: {
        /** Number of people */
        people: number
        /** Number of visits and clicks */
        touches: number
      }
    }
    /** Conversations started, as the platform reports them; null if it does not */
    meta_messaging_conversations_started: number | null
  }>
  /** How many buckets the range has */
  buckets_total: number
  /** Whether buckets were omitted */
  buckets_truncated: boolean
  /** Names of the origins */
  origin_labels: {
    /** Origin: an ad that a partner reported */
    partner_ad_referral: {
      /** Display label in English */
      label_en: string
      /** Display label in Spanish */
      label_es: string
      /** What the origin means */
      description: string
    }
    /** Origin: a conversation that started from an ad */
    conversation_referral: {
      /** Display label in English */
      label_en: string
      /** Display label in Spanish */
      label_es: string
      /** What the origin means */
      description: string
    }
    /** Origin: a visit to the website */
    web: {
      /** Display label in English */
      label_en: string
      /** Display label in Spanish */
      label_es: string
      /** What the origin means */
      description: string
    }
    /** Origin: none of the others */
    other: {
      /** Display label in English */
      label_en: string
      /** Display label in Spanish */
      label_es: string
      /** What the origin means */
      description: string
    }
  }
}

/** Context of the response */
export type ListAnnotationsMeta = {
  /** Id of the profile */
  profile_id: string
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
}

export type ListBriefReceiversReply = {
  /** The caller’s own */
  subscriptions: Array<BriefSubscription>
  /** Empty for members who are not owner or admin */
  webhooks: Array<BriefWebhook>
}

/** Context of the response */
export type ListCampaignsMeta = {
  /** Id of the profile */
  profile_id: string
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** Attribution model that splits the credit */
  model: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
  /** The lookback that the figures were computed with */
  lookback_days: number
  /** Check that the rows add up: total = credited + unattributed */
  reconciliation: Reconciliation
  /** How current the figures are */
  freshness: ReportFreshness
  /** ISO 4217 code of the currency */
  currency: string
  /** Payments, refunds and spend of the range without an exchange rate for their day; they add nothing until it is known */
  fx_missing: number
  /** The missing rates, newest first, at most 100 */
  fx_missing_rates: Array<{
    /** ISO 4217 code of the currency */
    currency: string
    /** Day, YYYY-MM-DD, in the time zone of the profile */
    day: string
  }>
  /** Hash of the figures: equal hashes mean equal figures */
  result_hash: string
  /** Number of rows on all pages */
  total_rows: number
  /** True if this page does not contain all rows */
  truncated: boolean
}

/** Context of the response */
export type ListClientsMeta = {
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** Start of the previous range */
  previous_from: string
  /** End of the previous range */
  previous_to: string
}

/** Consent of everyone on the list; with a filter, of customers whose events state none. A list without consent to `ad_user_data` is refused */
export type ListConsent = {
  /** Consent to send data of the person to ad platforms */
  ad_user_data: "granted" | "denied" | "unspecified"
  /** Consent to personalised ads */
  ad_personalization: "granted" | "denied" | "unspecified"
}

export type ListPixelsReply = {
  /** Pixels of the ad account */
  pixels: Array<Pixel>
}

/** Context of the response */
export type ListRecommendationsMeta = {
  /** Id of the workspace */
  workspace_id: string
  /** Accuracy of past predictions */
  predictions: {
    /** Number of predictions that could be compared with the outcome */
    scored: number
    /** Number of intervals that contained the result */
    held: number
  }
}

export type ListStagesReply = {
  /** Pipelines with their stages */
  pipelines: Array<Pipeline>
}

/** Context of the response */
export type ListTopPerformersMeta = {
  /** Id of the profile */
  profile_id: string
  /** The last day included in the scores; null before the first scoring */
  as_of: string | null
  /** The backtests behind the learned values; null before the first */
  model: {
    top: ModelBacktest
    pause: ModelBacktest
    degradation: ModelBacktest
  } | null
  /** Progress of a running scoring; null if none runs */
  progress: {
    /** Day, YYYY-MM-DD, in the time zone of the profile */
    day: string
    /** Number of completed steps */
    steps_done: number
    /** Total number of steps */
    steps_total: number
  } | null
}

/** Context of the response */
export type ListWorkspaceProfilesMeta = {
  /** Id of the workspace */
  workspace_id: string
}

/** Context of the response */
export type ListWorkspaceTopPerformersMeta = {
  /** Id of the workspace */
  workspace_id: string
  /** When the newest scores were computed; null before the first */
  as_of: string | null
  /** Profiles without scores yet */
  profiles_not_scored: number
}

export type LiveAdSet = {
  /** The platform’s id of the ad set */
  id: string
  /** Name of the ad set */
  name: string
  /** Id of the campaign; null if it is not known */
  campaign_id: string | null
}

export type LiveLink = {
  /** Id of the live link */
  id: string
  /** Id of the profile */
  profile_id: string
  /** Name of the profile */
  profile_name: string
  /** Title of the page */
  name: string
  /** Anyone with this address can open the page; a password may be required */
  url: string
  /** Sections of the page, in this order */
  reports: Array<LiveReport>
  /** Period shown first; the reader can choose another */
  period: LivePeriod
  /** Attribution model of credited revenue */
  model: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
  /** Language of the page */
  language: "en" | "es"
  /** True if the page needs a password */
  has_password: boolean
  /** When it was created */
  created_at: string
  /** When the link expires */
  expires_at: string
  /** How often the page was opened */
  views: number
  /** Null until it is opened for the first time */
  last_viewed_at: string | null
}

export type LivePeriod = "last_7_days" | "last_28_days" | "last_30_days" | "last_month"

export type LiveReport = "summary" | "trend" | "changes" | "campaigns" | "channels"

export type LookUpEventsReply = {
  /** The stored events that match */
  events: Array<{
    /** Id of the stored event */
    event_id: string
    /** How far the processing of the event is */
    state: "waiting" | "processed" | "quarantined" | "retracted"
    /** Why it is quarantined; null if it is not */
    reason: string | null
    /** Null after the raw event expired */
    event_name: string | null
    /** Where the event came from; null if it is not known */
    source: string | null
    /** When it happened */
    occurred_at: string
    /** When the service received it; null if it has not been stored */
    received_at: string | null
  }>
  /** Rejected events of the last 30 days */
  refused: Array<{
    /** When it was refused */
    refused_at: string
    /** Id of the request, also in the header X-Request-Id */
    request_id: string
    /** HTTP status that the event alone would have had */
    status: number
    /** Code of the error, for programs */
    code: string
    /** Explanation of the error for people */
    message: string
    /** Name of the event; null if it could not be read */
    event_name: string | null
  }>
}

export type MailboxVendor = "gmail" | "microsoft_mail"

export type ManualStore = {
  /** Id of the manual store */
  id: string
  /** Name or domain of the store */
  shop: string
  /** URL to which the store sends its webhooks */
  webhook_url: string
  /** Whether a signing id is stored */
  signing_id_set: boolean
  /** Whether the store’s webhooks arrive */
  status: "awaiting_signing_id" | "connected"
  /** When it was created */
  created_at: string
}

export type MarkTabSeenReply = {
  /** Tab of the console */
  tab: "top_performers" | "recommendations" | "experiments" | "reports" | "patterns" | "proposals" | "connections"
  /** When it was last seen */
  seen_at: string
}

export type MarkTabSeenRequest = Record<string, unknown>

export type McpSettings = {
  /** If false, every tool call on profiles of this workspace is refused */
  enabled: boolean
  /** If true, assistants may change campaigns and payments, with preview and confirmation */
  writeback_enabled: boolean
  /** `full_default` shows personal values to tokens with `mcp:read_pii`; on healthcare profiles they are always masked */
  pii_mode: "masked" | "full_default"
  /** Null allows every tool. Unknown names are ignored */
  allowed_tools: Array<string> | null
  /** Maximum number of rows in a tool result */
  max_rows: number
  /** Largest change of a budget in one write, in percent */
  budget_step_percent: number
  /** If true, a write requires a preview of the same change; if false, only an idempotency key */
  require_confirmation: boolean
  /** User who last saved the settings; null while the defaults apply */
  updated_by: string | null
  /** When it was last changed; null if it never was */
  updated_at: string | null
}

export type McpWriteback = {
  /** Id of the entry */
  id: string
  /** When it happened */
  occurred_at: string
  /** Id of the profile */
  profile_id: string
  /** Null for an API key, which does not act for a person */
  user_id: string | null
  /** OAuth client to which the token was issued; null for an API key or a user token */
  client_id: string | null
  /** Name of the client, the token or the key; null if it has none */
  client_name: string | null
  /** Name of the tool */
  tool: string
  /** Whether it was a preview, a dry run or a confirmed write */
  mode: "preview" | "dry_run" | "confirm"
  /** As sent, with email addresses and phone numbers removed */
  arguments: Record<string, unknown>
  /** What became of the call */
  outcome: "previewed" | "applied" | "no_change" | "refused" | "failed"
  /** `outcome_unknown` until the platform responds; permanent if the process stopped before that. Null without an error */
  error_code: string | null
  /** State at the platform when the preview was created; null if there was no preview */
  before: unknown | null
  /** Result of the write; null if nothing was written */
  after: unknown | null
  /** Idempotency key of the call; null if none was sent */
  idempotency_key: string | null
  /** elicited: confirmed by the person in the client; argument: by an argument of the call; none: not confirmed */
  confirmation: "elicited" | "argument" | "none"
  /** Id of the request, also in the header X-Request-Id; null if no request was sent */
  request_id: string | null
}

export type Member = {
  /** Id of the user */
  user_id: string
  /** Email address of the person */
  email: string
  /** Name of the person */
  name: string
  /** While false, a membership that an app gave to this address has no effect */
  email_verified: boolean
  /** Null for a person with access to individual profiles only */
  role: "owner" | "admin" | "editor" | "viewer" | null
  /** When the person became a member; null while the invitation is pending */
  created_at: string | null
  /** Profiles that the member may open */
  profiles: Array<{
    /** Id of the membership */
    membership_id: string
    /** Id of the profile */
    profile_id: string
    /** Role in the workspace */
    role: "editor" | "viewer"
    /** Permissions of the member */
    permissions: Array<string>
  }>
}

export type MergePreview = {
  /** The customer that is merged, before the merge */
  from: MergeSide
  /** The customer that remains, before the merge */
  into: MergeSide
  /** Records that move from `from` to `into` */
  moves: {
    /** Number of identifiers concerned */
    identifiers: number
    /** Number of visits and clicks concerned */
    touches: number
    /** Number of conversions concerned */
    conversions: number
    /** Number of payments concerned */
    payments: number
  }
}

export type MergeProposal = {
  /** Id of the merge proposal */
  id: string
  /** What was decided about the proposal */
  status: "open" | "snoozed" | "merged" | "dismissed"
  /** Likelihood that both are the same person, 1 to 99 */
  score: number
  /** Kinds of identifiers that both sides share */
  evidence: Array<{
    /** Identifier type, for example email */
    kind: "external_id" | "crm_contact_id" | "national_id" | "email" | "phone" | "provider_customer_id" | "anonymous_id"
  }>
  /** Fields in which both sides have different values; each lowers the score */
  contradictions: Array<"name" | "email">
  /** In a merged proposal, both sides are shown as they were before the merge */
  first: MergeSide
  /** The other customer */
  second: MergeSide
  /** The proposal is hidden until then; null if it is not snoozed */
  snoozed_until: string | null
  /** When a person decided; null until then */
  decided_at: string | null
  /** Id of the merge; pass it to `POST /identity/merges/{auditLogId}/undo`. Null unless it is merged */
  audit_log_id: string | null
  /** When it was created */
  created_at: string
}

export type MergeSide = {
  /** Id of the customer */
  customer_id: string
  /** Strongest first; one entry per identifier */
  identifier_kinds: Array<"external_id" | "crm_contact_id" | "national_id" | "email" | "phone" | "provider_customer_id" | "anonymous_id">
  /** Name, email and phone; null if the caller may not see people */
  contact: Contact | null
  /** True if the caller may not see people */
  contact_withheld: boolean
}

export type MessageDeliveredEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "message.delivered"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the conversation */
    conversation_id: string
    /** Id of the message */
    message_id: string
    /** Messaging channel of the conversation */
    channel: "chatapp" | "photoapp" | "pagechat"
    /** The account’s id at the provider */
    account_id: string
    /** Form of the message */
    kind: "text" | "template" | "media"
    /** Name of the template that was sent; null if none was */
    template: string | null
    /** The platform’s code of a failure; null if it did not fail */
    reason: string | null
  }
}

export type MessageFailedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "message.failed"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the conversation */
    conversation_id: string
    /** Id of the message */
    message_id: string
    /** Messaging channel of the conversation */
    channel: "chatapp" | "photoapp" | "pagechat"
    /** The account’s id at the provider */
    account_id: string
    /** Form of the message */
    kind: "text" | "template" | "media"
    /** Name of the template that was sent; null if none was */
    template: string | null
    /** The platform’s code of a failure; null if it did not fail */
    reason: string | null
  }
}

export type MessageReceivedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "message.received"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Present if it happened more than two days before it was recorded */
  historical?: true
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the conversation */
    conversation_id: string
    /** Id of the message */
    message_id: string
    /** Messaging channel of the conversation */
    channel: "chatapp" | "photoapp" | "pagechat"
    /** The account’s id at the provider */
    account_id: string
    /** Whether the person wrote a message or pressed a button */
    kind: "message" | "postback"
    /** True for the person’s first message to this account */
    is_first: boolean
    /** The platform’s id of the ad that started the conversation; null if none did */
    ad_id: string | null
  }
}

export type MessageSentEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "message.sent"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the conversation */
    conversation_id: string
    /** Id of the message */
    message_id: string
    /** Messaging channel of the conversation */
    channel: "chatapp" | "photoapp" | "pagechat"
    /** The account’s id at the provider */
    account_id: string
    /** Form of the message */
    kind: "text" | "template" | "media"
    /** Name of the template that was sent; null if none was */
    template: string | null
    /** The platform’s code of a failure; null if it did not fail */
    reason: string | null
  }
}

export type MessagingAccount = {
  /** Messaging channel of the account */
  channel: MessagingChannel
  /** The account’s id at the provider */
  account_id: string
  /** Name of the account at the platform */
  name: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Status of the account at the platform; null if it reports none */
  status: string | null
}

export type MessagingChannel = "pagechat" | "photoapp" | "chatapp"

/** Context of the response */
export type Meta = Record<string, unknown>

export type MintHandoffRequest = {
  /** Id of the profile */
  profile_id?: string
  /** Where the person is redirected afterwards; its origin must be in `allowed_return_origins` or `redirect_uris` of the app */
  return_url?: string
  /** Name or domain of the store */
  shop?: string
}

export type MintedApiKey = {
  /** Id of the API key */
  id: string
  /** The API key; returned only once */
  key: string
  /** First and last characters, to recognise it */
  hint: string
  /** Name of the API key */
  name: string
  /** Id of the profile */
  profile_id: string
  /** Scopes of the credential */
  scopes: Array<string>
  /** When it was created */
  created_at: string
  /** When it expires; null if it does not */
  expires_at: string | null
}

/** Performance of the model on held-out weeks. Both lower bounds must be above 0 for it to be served. */
export type ModelBacktest = {
  /** Whether the values of the model are shown */
  status: "served" | "withheld"
  /** Why its values are withheld, for programs; null if they are shown */
  reason: string | null
  /** Ad weeks that the test covers */
  ad_weeks: number
  /** Weeks with the outcome */
  positives: number
  /** Number of parts in the cross-validation */
  folds: number
  /** Brier score of the model; lower is better. Null before a backtest */
  brier: number | null
  /** Brier score of always predicting the mean; null before a backtest */
  brier_base_rate: number | null
  /** Brier score of predicting no change; null before a backtest */
  brier_persistence: number | null
  /** Lower bound of the skill compared with predicting the mean; null before a backtest */
  skill_over_base_rate_low: number | null
  /** Lower bound of the skill compared with predicting no change; null before a backtest */
  skill_over_persistence_low: number | null
  /** Slope of outcomes over predictions; 1 is ideal. Null before a backtest */
  calibration_slope: number | null
  /** Strength of the regularisation; null before a backtest */
  penalty: number | null
}

/** Attribution model that splits the credit */
export type ModelParam = "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"

export type NamedEntity = {
  /** Id of the campaign, ad set or ad */
  id: string
  /** The platform’s id */
  platform_id: string
  /** Name at the platform; null if the platform has not reported it */
  name: string | null
}

export type NewLiveLink = {
  /** Id of the profile */
  profile_id: string
  /** Title of the page */
  name: string
  /** Sections of the page */
  reports?: Array<LiveReport>
  /** Period shown first */
  period?: LivePeriod
  /** Attribution model of credited revenue */
  model?: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
  /** Language of the page */
  language?: "en" | "es"
  /** Days until the link expires */
  expires_in_days?: number
  /** Password required to open the page */
  password?: string
}

export type NewMail = {
  /** Connection of the mailbox */
  connection_id: string
  /** Email addresses of the recipients */
  to: Array<string>
  /** Subject line of the mail */
  subject: string
  /** Text of the mail, without formatting */
  text: string
  /** HTML version of the text */
  html?: string
  /** Address for replies; default: the mailbox */
  reply_to?: string
}

export type NewMessage = {
  /** Text of the message */
  text?: string
  /** An approved template to send instead of a text */
  template?: {
    /** Name of the template */
    name: string
    /** Language of the text, for example en */
    language: string
    /** Parts of the message, as the platform defines them */
    components?: Array<Record<string, unknown>>
  }
  /** The file of the message */
  media?: {
    /** Id of the uploaded file */
    id: string
  }
  /** True if a person wrote the reply */
  human_agent?: boolean
}

export type Notification = {
  /** Id of the notification */
  id: string
  /** What the notification is about */
  kind: "connection_broken" | "connection_revoked" | "connection_connected" | "first_sync_done" | "export_failed" | "recompute_done" | "recommendation_opened" | "data_problem" | "alert_fired" | "alert_recovered"
  /** When it happened */
  at: string
  /** The provider, the subject of the recommendation, or the name of the alert; null if there is none */
  subject: string | null
  /** Id of what the notification is about; null if there is none */
  subject_id: string | null
  /** The reason, or the number of failed exports, conversions or problems; null if there is none */
  detail: string | null
  /** Whether it is unread */
  is_unread: boolean
}

export type OfferPasskeyReply = {
  /** Sent back with the proof; works once, for five minutes */
  challenge: string
  /** Options for the browser */
  options: Record<string, unknown>
  /** When it expires */
  expires_at: string
}

export type OfferReauthenticationReply = {
  /** Sent back with the proof; works once, for five minutes */
  challenge: string
  /** Any one of these is enough; empty for an account without password and second factor */
  kinds: Array<"totp" | "passkey" | "recovery_code" | "password">
  /** Options for the browser; null without a passkey */
  passkey: Record<string, unknown> | null
  /** When it expires */
  expires_at: string
}

export type OrderStatusChangedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "order.status.changed"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Present if it happened more than two days before it was recorded */
  historical?: true
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Provider of the account, for example social_ads */
    provider: string
    /** Id of the connection */
    connection_id: string
    /** The account’s id at the provider */
    account_id: string
    /** The shop’s order number */
    order_id: string
    /** Status of the order in the store */
    status: string
    /** Status before the change; null if the order is new */
    previous_status: string | null
  }
}

export type OutcomeRecordedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "outcome.recorded"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Present if it happened more than two days before it was recorded */
  historical?: true
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Provider that reported the outcome */
    provider: "crmsuite" | "regionalpay" | "hubspot"
    /** Type of the outcome, for example payment_received or lead_created */
    outcome_type: string
    /** When it happened */
    occurred_at: string
    /** When the service recorded it */
    recorded_at: string
    /** The provider's id of the outcome */
    external_id: string
    /** Id of the event of the conversion */
    outcome_event_id: string
    /** Id of the conversion; null if no goal includes the outcome */
    conversion_id: string | null
    /** External id, email or phone of the customer; null after an erasure */
    customer_key: string | null
    /** Value of the outcome, in the currency of the profile; null if it has none */
    value: number | null
    /** Name, email and phone; null if the subscription may not receive people */
    contact: {
      /** First name of the person; null if it is not known */
      first_name: string | null
      /** Last name of the person; null if it is not known */
      last_name: string | null
      /** Email address of the person; null if it is not known */
      email: string | null
      /** Phone number with country code; null if it is not known */
      phone: string | null
    } | null
    /** True if the subscription may not receive people */
    contact_withheld: boolean
  }
}

export type OutcomeType = "lead_created" | "dm_started" | "appointment_booked" | "appointment_attended" | "quote_presented" | "closed_won"

export type OutcomesByType = Record<string, number>

export type OverrideChannel = "organic_search" | "organic_social" | "email" | "messaging" | "referral" | "affiliate" | "campaign" | "display" | "paid_search" | "paid_social" | "paid_other"

export type PacingRow = {
  /** Id of the profile */
  profile_id: string
  /** Provider of the account, for example social_ads */
  provider: string
  /** ISO 4217 code of the currency */
  currency: string
  /** Month, YYYY-MM, in the time zone of the profile */
  month: string
  /** Budget of the month in the currency of the account; null without one */
  budget: number | null
  /** `target`: set by PUT …/pacing/targets; `platform`: the daily budgets of the campaigns that ran on each day of the month */
  budget_source: "target" | "platform" | "none"
  /** Ad spend since the start of the month */
  spend_mtd: number
  /** Payments credited to campaigns of the provider by last touch */
  outcomes_mtd: number
  /** Cash credited to the provider since the start of the month, less refunds */
  revenue_mtd: number
  /** Share of the month’s usual spend that falls on its settled days, by weekday */
  expected_share: number
  /** Spend of the settled days relative to the budgeted spend; 100 is on budget. Null without a budget */
  pacing_pct: number | null
  /** Null with fewer than 14 settled days of history */
  projected_spend: number | null
  /** Lower bound of the 80 % prediction interval; null if the interval is withheld */
  low: number | null
  /** Upper bound of the 80 % prediction interval; null if the interval is withheld */
  high: number | null
  /** Whether low and high are shown. `backtest`: number of intervals tried on this account’s past, and of those that contained the result; withheld if fewer than half of at least four did */
  interval: {
    /** Whether `low` and `high` are shown */
    status: "shown" | "withheld"
    /** Why the interval is withheld; null if it is shown */
    reason: "insufficient_history" | "backtest_failed" | null
    /** How often earlier intervals contained the actual figure */
    backtest: {
      /** Number of intervals that were compared with the result */
      tried: number
      /** Number of intervals that contained the result */
      held: number
    }
  }
  /** Spend per remaining day needed to meet the budget; null without a budget */
  required_daily: number | null
  /** Whether the spend is on budget */
  status: "under" | "on" | "over" | "no_budget"
  /** Last settled day; platforms still restate later days */
  complete_through: string
  /** Every day of the month: its spend, and the expected spend of days that are not settled */
  days: Array<{
    /** Day, YYYY-MM-DD, in the time zone of the profile */
    day: string
    /** Ad spend; null if the exchange rate is missing */
    spend: number | null
    /** Expected spend of the day; null if the day is settled */
    expected: number | null
  }>
}

export type PacingTarget = {
  /** Id of the profile */
  profile_id: string
  /** Provider of the account, for example social_ads */
  provider: string
  /** Month, YYYY-MM, in the time zone of the profile */
  month: string
  /** Budget of the month in the currency of the account; null without one */
  budget: number | null
  /** ISO 4217 code of the currency */
  currency: string
}

/** Whether there is another page, and its cursor */
export type Pagination = {
  /** Whether there is another page */
  has_next: boolean
  /** Cursor of the next page, to pass as `cursor`; null on the last page */
  cursor: string | null
}

export type PatchSchedulesRequest = {
  /** Ids of profiles */
  profile_ids: Array<string> | "all"
  /** Changes to apply */
  patch: {
    /** Whether it is enabled */
    enabled?: boolean
    /** How often a report is made */
    cadence?: "weekly" | "monthly"
    /** Day of the week, 1 is Monday */
    weekday?: number
    /** Day of the month, for monthly schedules */
    day?: number
    /** Time of day in the zone of the profile */
    time?: string
    /** IANA time zone; null: the profile’s */
    timezone?: string | null
    /** Email addresses that receive the report */
    recipients?: Array<string>
    /** File format of the report */
    format?: "pdf" | "html" | "csv"
    /** Language of the report */
    language?: "en" | "es"
    /** Attribution model that splits the credit */
    model?: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
    /** True if reports wait for approval by a person before they are sent */
    approval?: boolean
  }
}

export type Payment = {
  /** Id of the payment */
  payment_id: string
  /** When it happened */
  occurred_at: string
  /** Provider of the account, for example social_ads */
  provider: string
  /** Amount in `currency` */
  value: number
  /** ISO 4217 code of the currency */
  currency: string
  /** Value refunded so far */
  refunded_value: number
  /** Null for failed and pending payments, and while a refund lacks an exchange rate */
  net_value: number | null
  /** A refund is in another currency than the payment and lacks an exchange rate for its day, so it is not subtracted yet */
  refunds_waiting: boolean
  /** True if a reported refund is not fully counted, because it exceeds the payment or the payment has not arrived */
  refunds_capped: boolean
  /** State of the payment */
  status: string
  /** Id of the customer; null after an erasure, or if no customer is known */
  customer_id: string | null
  /** Customer who paid; null if it is not known, or the caller may not see people */
  payer: {
    /** Id of the customer */
    customer_id: string
    /** Whether a person assigned the payer */
    assigned: boolean
    /** Name, email and phone; null if the caller may not see people */
    contact: Contact | null
    /** True if the caller may not see people */
    contact_withheld: boolean
  } | null
  /** The customer’s first payment */
  is_first_payment: boolean
  /** A later instalment of a purchase */
  is_installment: boolean
  /** The manual refund; null if there is none */
  refund: {
    /** Amount in `currency` */
    value: number
    /** The payment's currency; the refund's own currency while it lacks an exchange rate */
    currency: string
    /** Why it was refunded, as entered; null if no reason was given */
    reason: string | null
    /** When it was refunded */
    refunded_at: string
  } | null
}

/** If not empty, replaces the permissions of the role on this profile */
export type Permissions = Array<"analytics:read" | "campaigns:apply" | "campaigns:read" | "connections:read" | "connections:write" | "conversions:read" | "customers:read" | "events:write" | "exports:read" | "exports:write" | "identity:read" | "identity:write" | "mcp:read" | "mcp:read_pii" | "mcp:write" | "messages:write" | "payments:read" | "payments:write" | "realtime:read" | "tracking:read" | "tracking:write" | "visitors:read" | "webhooks:read" | "webhooks:write">

export type Pipeline = {
  /** Id of the stage in the CRM */
  id: string
  /** Name of the stage in the CRM */
  name: string
  /** Stages of the pipeline */
  stages: Array<{
    /** Id of the stage in the CRM */
    id: string
    /** Name of the stage in the CRM */
    name: string
    /** Position in the list */
    position: number
    /** Suggested outcome for the stage; null if none fits */
    suggested_outcome: string | null
    /** Outcome that the stage is currently mapped to; null if it is not mapped */
    current_outcome: string | null
  }>
}

export type Pixel = {
  /** The platform’s id of the pixel */
  id: string
  /** Name of the pixel; null if the platform reports none */
  name: string | null
  /** When it was created; null if it is not known */
  created_at: string | null
  /** When it last received an event; null if it never did, or the platform does not report it */
  last_fired_at: string | null
  /** Whether it is no longer available on the platform; null if the platform does not report it */
  is_unavailable: boolean | null
  /** Business account that owns it; null if the platform does not report it */
  owner_business: {
    /** The platform’s id of the business account */
    id: string
    /** Name of the business account */
    name: string
  } | null
}

/** Plan of the workspace */
export type Plan = "starter" | "growth" | "agency"

export type PrefillOutcomesReply = {
  /** Mapping of stages to outcomes */
  mappings: Array<{
    /** Id of the pipeline */
    pipeline_id: string
    /** Name of the pipeline */
    pipeline_name: string
    /** Id of the stage in the CRM */
    stage_id: string
    /** Name of the stage */
    stage_name: string
    /** Outcome that the stage is mapped to, for example lead_created; null: none */
    outcome_type: string | null
  }>
}

export type PreviewAlertRequest = {
  /** Condition of the alert */
  condition: ThresholdConditionInput | FindingConditionInput
}

export type PreviewPhoneRepairReply = {
  /** Events with a misread number */
  events: number
  /** Customers that would be split */
  customers: number
  /** True if the preview does not cover all events or customers */
  truncated: boolean
  /** The people whose numbers would change */
  people: Array<{
    /** Id of the customer */
    customer_id: string
    /** Phone numbers that were parsed with the wrong country */
    misread: Array<{
      /** Id of the stored event */
      event_id: string
      /** Number as sent; null for callers who may not read people */
      typed: string | null
      /** Country that the number was wrongly read in; null if it is not known */
      read_as_country: string | null
      /** Country that the number is read in now; null if it identifies no customer */
      country: string | null
    }>
    /** Customers after the split; one of them may keep the id */
    parts: Array<{
      /** Id of the customer */
      customer_id: string
      /** Kinds of identifiers */
      identifier_kinds: Array<"external_id" | "crm_contact_id" | "national_id" | "email" | "phone" | "provider_customer_id" | "anonymous_id">
      /** Name, email and phone; null if the caller may not see people */
      contact: Contact | null
      /** True if the caller may not see people */
      contact_withheld: boolean
      /** Number of visits and clicks concerned */
      touches: number
      /** Number of conversions concerned */
      conversions: number
      /** Number of payments concerned */
      payments: number
      /** Payments that succeeded, per currency */
      money: Array<{
        /** ISO 4217 code of the currency */
        currency: string
        /** Amount in `currency` */
        value: number
      }>
    }>
  }>
}

export type PreviewPhoneRepairRequest = {
  /** Also repair numbers that are not valid in their country; they then identify no customer */
  include_unresolved?: boolean
}

/** standard: all mapped conversions. platform_safe: only to the clean dataset, with neutral event names and without URL paths. hipaa: only goals of the allow-list, once the agreement is signed, without address, browser and external ids */
export type PrivacyMode = "standard" | "platform_safe" | "hipaa"

export type Problem = {
  /** Id of the problem */
  id: string
  kind: ProblemKind
  /** Id of the profile; null if it belongs to none */
  profile_id: string | null
  /** Name of the job, event or webhook event */
  what: string
  /** Why it failed; null if it is not known */
  reason: string | null
  /** Attempts so far; null if the kind of problem has no attempts */
  attempts: number | null
  /** When it first occurred */
  since: string
  /** Age in seconds */
  age_seconds: number
}

/** Kind of problem: a dead job, a quarantined event or a stuck delivery */
export type ProblemKind = "dead-jobs" | "quarantined-events" | "stuck-deliveries"

export type Profile = {
  /** Id of the profile */
  id: string
  /** Id of the workspace */
  workspace_id: string
  /** Name of the profile */
  name: string
  /** IANA time zone, for example Europe/Madrid */
  timezone: string
  /** ISO 4217 code of the currency */
  currency: string
  /** ISO 3166 code of the country assumed for phone numbers without a country code. Null: such numbers identify no one. */
  country: string | null
  /** What data about people may be sent to ad platforms */
  privacy_mode: "standard" | "platform_safe" | "hipaa"
  /** Id of the partner app that created the profile; null if a person did */
  provisioned_by_app_id: string | null
  /** True for sample data */
  is_demo: boolean
  /** When it was created */
  created_at: string
  /** When it was archived; null if it is not */
  archived_at: string | null
}

export type ProfileFreshnessChangedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "profile.freshness.changed"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** State before the change */
    from: string
    /** State after the change */
    to: string
    /** Everything that arrived before this time is counted; null if nothing was counted yet */
    computed_through: string | null
  }
}

/** Context of the response */
export type ProfileMeta = {
  /** Id of the profile */
  profile_id: string
}

/** Provider of the account, for example social_ads */
export type ProviderParam = "social_ads" | "engine_ads" | "engine_search_console" | "engine_calendar" | "external_calendar" | "microsoft_ads" | "crmsuite" | "cardpay" | "regionalpay" | "storefront" | "woocommerce" | "hubspot" | "linkedin_ads" | "tiktok_ads"

/** The platform’s diagnostics of accepted conversions */
export type ProviderStatus = "processing" | "success" | "partial_success" | "failed"

export type PutBrandingRequest = {
  /** Business name on hand-off pages and in mails; null if it is not set */
  display_name?: string | null
  /** Color of buttons and links, such as `#1a2b3c`; null if it is not set */
  primary_color?: string | null
  /** Accent color of pages and mails, such as `#1a2b3c`; null if it is not set */
  accent_color?: string | null
  /** Email address to which customers may write; null if it is not set */
  support_email?: string | null
  /** URL of the business’s website; null if it is not set */
  website_url?: string | null
}

export type PutBriefSubscriptionRequest = {
  /** Id of the profile */
  profile_id: string
  /** For weekly briefs; 1 is Monday */
  weekday?: number
  /** Wall-clock time in the profile’s time zone, such as 08:00 */
  time?: string
  /** Language of the text */
  language?: "en" | "es"
  /** Whether alerts are sent to this receiver too; default: true unless cadence is never */
  alerts?: boolean
  /** When briefs are sent. daily: covers yesterday; weekly: covers the last 7 days; never: alerts only */
  cadence: "daily" | "weekly" | "never"
}

export type PutMcpSettingsRequest = {
  /** If false, every tool call on profiles of this workspace is refused */
  enabled: boolean
  /** If true, assistants may change campaigns and payments, with preview and confirmation */
  writeback_enabled: boolean
  /** `full_default` shows personal values to tokens with `mcp:read_pii`; on healthcare profiles they are always masked */
  pii_mode: "masked" | "full_default"
  /** Null allows every tool. Unknown names are ignored */
  allowed_tools: Array<string> | null
  /** Maximum number of rows in a tool result */
  max_rows: number
  /** Largest change of a budget in one write, in percent */
  budget_step_percent: number
  /** If true, a write requires a preview of the same change; if false, only an idempotency key */
  require_confirmation: boolean
}

export type PutMemberRequest = {
  /** Email address of the invited person */
  email: string
  /** Name of the person, for the invitation */
  name?: string
  /** Role in the workspace */
  role: "owner" | "admin" | "editor" | "viewer"
}

export type ReadNotificationsReply = {
  /** Everything up to this time is marked as read */
  read_through: string
}

export type ReadNotificationsRequest = {
  /** Everything up to this time is marked as read */
  through: string
}

export type ReadinessStep = {
  /** Name of the step */
  step: "attribution_enabled" | "tracker_installed" | "ad_platform_connected" | "crm_or_outcome_source_connected" | "touch_recorded" | "outcome_recorded" | "outcome_attributed"
  /** attention: it worked before and has stopped */
  state: "done" | "todo" | "attention"
  /** What is to be done, as a short sentence */
  title: string
  /** Next action; null if done */
  todo: string | null
}

export type ReauthenticateRequest = {
  /** From the response that asks for this proof */
  challenge: string
  /** Only for an account without a second factor */
  password?: string
  /** Six digits that the authenticator app shows */
  code?: string
  /** What the browser’s `navigator.credentials.get` returned, as `toJSON()` writes it */
  assertion?: {
    /** Id of the passkey */
    id: string
    [name: string]: unknown
  }
  /** Used up by a correct use */
  recovery_code?: string
}

export type Recommendation = {
  /** Id of the recommendation */
  id: string
  /** Id of the profile */
  profile_id: string
  /** ISO 4217 code of the currency */
  currency: string
  /** What the recommendation proposes */
  kind: "scale_winner" | "pause_underperformer" | "budget_reallocate_winners" | "creative_refresh_pre_fatigue"
  /** Campaign or ad that it is about */
  subject: {
    /** Level of the ad structure */
    level: "campaign" | "ad"
    /** Id of the campaign or ad */
    id: string
    /** The platform’s id */
    platform_id: string
    /** Name of the campaign, ad set or ad */
    name: string
  }
  /** Figures that support it, as sentences */
  evidence: Array<string>
  /** Changes made at the platform when applied; without steps, manual work */
  action: {
    /** Changes at the platform, in order */
    steps: Array<{
      /** The change made at the platform */
      write: "pause" | "daily_budget"
      /** The platform’s id of the campaign, ad set or ad */
      platform_id: string
      /** Name of the campaign, ad set or ad */
      name: string
      /** Current budget, in the ad account’s currency; null for a pause */
      from: number | null
      /** Budget after the change, in the ad account’s currency; null for a pause */
      to: number | null
    }>
  }
  /** 80 % prediction interval of the effect; null without an estimate */
  expected_effect: {
    /** Figure that the interval is about */
    metric: "cost_per_outcome" | "outcomes_per_day"
    /** Lower bound of the 80 % prediction interval */
    low: number
    /** Upper bound of the 80 % prediction interval */
    high: number
    /** Data that the estimate is based on */
    basis: string
  } | null
  /** The probability that the subject is better (or worse) than its peer group’s median; never 0 or 1 */
  confidence: number
  /** Results of earlier recommendations of this kind in this profile */
  track_record: {
    /** Applied ones after their 14 days, and those whose result was in the predicted interval */
    applied: {
      /** Number of predictions that could be compared with the outcome */
      scored: number
      /** How many results were within the predicted range */
      as_predicted: number
    }
    /** Ones not applied, and those whose subject stayed better (or worse) than the others in the next 14 days */
    not_applied: {
      /** Number of predictions that could be compared with the outcome */
      scored: number
      /** Number that proved correct */
      turned_out_right: number
    }
  }
  /** Changes made by an undo */
  reverts_with: Array<{
    /** The change made at the platform */
    write: "pause" | "daily_budget"
    /** The platform’s id of the campaign, ad set or ad */
    platform_id: string
    /** Name of the campaign, ad set or ad */
    name: string
    /** Current budget, in the ad account’s currency; null for a pause */
    from: number | null
    /** Budget after the change, in the ad account’s currency; null for a pause */
    to: number | null
  }>
  /** When it was created */
  created_at: string
  /** When it expires */
  expires_at: string
  /** When it was applied; null until then */
  applied_at: string | null
  /** State of the recommendation */
  status: "open" | "applied" | "undone" | "dismissed" | "expired"
  /** Prediction and result over the 14 days after it was applied; null unless it was applied */
  prediction: {
    /** Figure that the interval is about */
    metric: "cost_per_outcome" | "outcomes_per_day"
    /** Lower bound of the 80 % prediction interval */
    low: number
    /** Upper bound of the 80 % prediction interval */
    high: number
    /** The actual figure; null until it is known */
    observed: number | null
    /** Whether the actual figure was within the interval; null until it is known */
    held: boolean | null
  } | null
}

export type Recompute = {
  /** Id of the recompute */
  recompute_id: string
  /** What is recomputed */
  scope: string
  /** State of the recompute */
  state: "queued" | "running" | "done" | "failed"
  /** When it was requested */
  requested_at: string
}

export type RecomputeCompletedEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "recompute.completed"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the recompute */
    recompute_id: string
    /** What is recomputed */
    scope: string
    /** Number of conversions that were recomputed */
    conversions: number
    /** Duration in milliseconds */
    duration_ms: number
  }
}

export type Reconciliation = {
  /** All cash of the range, less refunds */
  total: number
  /** Cash that is credited to a campaign, ad set or ad */
  credited: number
  /** Cash without credit to a campaign, ad set or ad */
  unattributed: number
  /** total − credited − unattributed; 0 if the report adds up */
  delta: number
  /** Payments and refunds without an exchange rate, which no figure of this report contains, not even `total`. If not 0, `delta` covers only converted amounts */
  left_out: number
}

export type RecordRefundRequest = {
  /** Amount in `currency` */
  amount: number | string
  /** Why it was refunded, as entered */
  reason?: string
  /** When it was refunded */
  refunded_at?: string
}

export type RecordedOutcome = {
  /** Id of the outcome */
  id: string
  /** Type of the outcome */
  type: "outcome.recorded"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, for example social_ads */
  provider: string
  /** Id of the partner app */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Present if it happened more than two days before it was recorded */
  historical?: true
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Provider that reported the outcome */
    provider: "crmsuite" | "regionalpay" | "hubspot"
    /** Type of the outcome, for example payment_received or lead_created */
    outcome_type: string
    /** When it happened */
    occurred_at: string
    /** When the service recorded it */
    recorded_at: string
    /** The provider's id of the outcome */
    external_id: string
    /** Id of the event of the conversion */
    outcome_event_id: string
    /** Id of the conversion; null if no goal includes the outcome */
    conversion_id: string | null
    /** External id, email or phone of the customer; null after an erasure */
    customer_key: string | null
    /** Value of the outcome, in the currency of the profile; null if it has none */
    value: number | null
    /** Name, email and phone; null if the subscription may not receive people */
    contact: {
      /** First name of the person; null if it is not known */
      first_name: string | null
      /** Last name of the person; null if it is not known */
      last_name: string | null
      /** Email address of the person; null if it is not known */
      email: string | null
      /** Phone number with country code; null if it is not known */
      phone: string | null
    } | null
    /** True if the subscription may not receive people */
    contact_withheld: boolean
  }
}

export type RecoverWebhookEventsReply = {
  /** Whether it is queued for sending, or how many are */
  enqueued: number
  /** Id of the webhook subscription */
  subscription_id: string
}

export type RecoverWebhookEventsRequest = {
  /** Events of this time and later are sent again */
  since: string
}

export type RegisterChatNumberReply = {
  /** The platform’s id of the phone number */
  id: string
  /** Always true: the request has been carried out */
  done: true
}

export type RegisterChatNumberRequest = {
  /** PIN of the number at the platform */
  pin: string
  /** The code that the platform sent to the number */
  code?: string
}

export type RegisterSenderDomainRequest = {
  /** Domain that mails are sent from */
  domain: string
  /** Name of the sender; null or absent: the name in the branding */
  from_name?: string | null
  /** The part of the sender before the @ */
  from_local?: string
}

export type RenameFactorRequest = {
  /** Name of the device */
  name: string
}

export type RepairIdentityReply = {
  /** Whether the repair was applied */
  applied: boolean
  /** Number of rows written */
  written: number
  /** Number of customers with a repairable identifier */
  profiles: Array<{
    /** Id of the customer */
    customer_id: string
    /** Index backfills in progress */
    backfills: Array<{
      /** Identifier type that was filled in */
      kind: "email" | "phone"
      /** Repaired value; null for callers who may not read people */
      value: string | null
      /** `taken`: another customer has this value; only a merge can resolve it */
      status: "repairable" | "taken"
    }>
  }>
}

export type RepairIdentityRequest = {
  /** True applies the repair; false only counts */
  apply?: boolean
  /** ISO 3166 country of numbers without a country code; if omitted, no phone is repaired */
  country?: string
  /** Customers to repair; default: all */
  customer_ids?: Array<string>
}

export type ReplayWebhookDeliveryReply = {
  /** Whether it is queued for sending, or how many are */
  enqueued: boolean
  /** Id of the stored event */
  event_id: string
  /** Id of the webhook subscription */
  subscription_id: string
  /** Id of the delivery */
  delivery_id: string
}

export type ReplayWebhookDeliveryRequest = Record<string, unknown>

export type ReportCardGatewayPaymentReply = {
  /** Id of the payment */
  payment_id: string
  /** Whether the payment was stored or already known */
  status: "accepted" | "updated" | "unchanged"
}

export type ReportCardGatewayPaymentRequest = {
  /** Your id of the merchant */
  merchant_id?: string
  /** Id of the payment */
  payment_id: string
  /** Amount in `currency` */
  value: number | string
  /** ISO 4217 code of the currency */
  currency: string
  /** When it happened */
  occurred_at?: string
  /** Status of the payment at the gateway */
  status?: "succeeded" | "pending" | "failed" | "disputed"
  /** The shop’s order number; null if there is none */
  order_id?: string | null
  /** The customer who paid, by at least one identifier */
  customer?: {
    /** The sender’s own id of the customer; null if there is none */
    external_ref?: string | null
    /** Email address of the person; null if it is not known */
    email?: string | null
    /** Phone number with country code; null if it is not known */
    phone?: string | null
    /** ISO 3166 code of the country of `phone`; null or absent: the profile’s country */
    country?: string | null
    /** First name of the person; null if it is not known */
    first_name?: string | null
    /** Last name of the person; null if it is not known */
    last_name?: string | null
    /** The visitor’s id in the browser or app; null if none was sent */
    anonymous_id?: string | null
  }
}

export type ReportFreshness = {
  /** Everything that arrived before this time is counted */
  computed_through: string
  /** True while events wait to be processed or a recompute is running */
  stale: boolean
  /** Last day of data per ad account and import. An account is stale two days after its last complete sync, an import seven days after its last day. */
  sources: Array<{
    /** Source of the data */
    source: string
    /** Id of the connection; null if there is none */
    connection_id: string | null
    /** Name of the source, as people see it; null if it has none */
    name: string | null
    /** Last day with data; null if there is none yet */
    through: string | null
    /** True if events are still being processed or a source is late */
    stale: boolean
  }>
}

/** Context of the response */
export type ReportMeta = {
  /** Id of the profile */
  profile_id: string
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** Attribution model that splits the credit */
  model: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
  /** The lookback that the figures were computed with */
  lookback_days: number
  /** Check that the rows add up: total = credited + unattributed */
  reconciliation: Reconciliation
  /** How current the figures are */
  freshness: ReportFreshness
  /** ISO 4217 code of the currency */
  currency: string
  /** Payments, refunds and spend of the range without an exchange rate for their day; they add nothing until it is known */
  fx_missing: number
  /** The missing rates, newest first, at most 100 */
  fx_missing_rates: Array<{
    /** ISO 4217 code of the currency */
    currency: string
    /** Day, YYYY-MM-DD, in the time zone of the profile */
    day: string
  }>
  /** Hash of the figures: equal hashes mean equal figures */
  result_hash: string
}

export type ReportSchedule = {
  /** Id of the profile */
  profile_id: string
  /** Name of the profile */
  profile_name: string
  /** Whether it is enabled */
  enabled: boolean
  /** weekly: covers the last 7 days; monthly: covers the previous calendar month */
  cadence: "weekly" | "monthly"
  /** For weekly schedules; 1 is Monday */
  weekday: number
  /** For monthly schedules; shorter months use their last day */
  day: number
  /** Time of day in the zone of the profile */
  time: string
  /** Null: the profile’s time zone */
  timezone: string | null
  /** Email addresses that receive the report */
  recipients: Array<string>
  /** File format of the report */
  format: "pdf" | "html" | "csv"
  /** Language of the report */
  language: "en" | "es"
  /** Attribution model that splits the credit */
  model: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"
  /** True if reports wait for approval by a person before they are sent */
  approval: boolean
  /** Time of the next run; null if none is planned */
  next_run_at: string | null
}

export type ReportingCurrency = {
  /** Null: each profile reports in its own currency */
  reporting_currency: string | null
  /** Currencies of the profiles */
  profile_currencies: Array<string>
}

export type RequestChatCodeReply = {
  /** The platform’s id of the phone number */
  id: string
  /** Always true: the request has been carried out */
  done: true
}

export type RequestChatCodeRequest = {
  /** How the code is sent */
  method: "sms" | "voice"
  /** Language of the message with the code */
  language?: string
}

export type RequestCustomerDataExportRequest = {
  /** Id of the customer */
  customer_id?: string
  /** Email address of the customer */
  email?: string
  /** Phone number with country code */
  phone?: string
  /** The sender’s own id of the customer */
  external_id?: string
  /** The visitor’s id in the browser or app */
  anonymous_id?: string
  /** Decides the due day */
  law: "gdpr" | "lgpd" | "chile" | "ccpa" | "other"
  /** Day on which the person asked, not in the future */
  requested_on: string
  /** How the person was identified, or will be */
  identity_check: {
    /** How the business made sure who asks */
    method: "account" | "reply_from_address" | "in_person" | "other"
    /** For the record; not part of the file */
    note?: string
  } | {
    /** A code is mailed to the address stored for the customer */
    method: "mail_code"
  }
}

export type RequestPasswordResetRequest = {
  /** Email address of the account */
  email: string
}

export type RequestSignInLinkRequest = {
  /** Email address of the account */
  email: string
}

export type RequestWorkspaceCustomerDataExportRequest = {
  /** Id of the profile */
  profile_id: string
  /** Id of the customer */
  customer_id?: string
  /** Email address of the customer */
  email?: string
  /** Phone number with country code */
  phone?: string
  /** The sender’s own id of the customer */
  external_id?: string
  /** The visitor’s id in the browser or app */
  anonymous_id?: string
  /** Decides the due day */
  law: "gdpr" | "lgpd" | "chile" | "ccpa" | "other"
  /** Day on which the person asked, not in the future */
  requested_on: string
  /** How the person was identified, or will be */
  identity_check: {
    /** How the business made sure who asks */
    method: "account" | "reply_from_address" | "in_person" | "other"
    /** For the record; not part of the file */
    note?: string
  } | {
    /** A code is mailed to the address stored for the customer */
    method: "mail_code"
  }
}

export type ResetPasswordRequest = {
  /** Token from the link in the mail */
  token: string
  /** The new password */
  new_password: string
}

export type ResolveChatCodeReply = {
  /** Whether the code led to a visit or a short link */
  linked: boolean
  /** Null if something was linked. Otherwise why not: the code was used before, is older than 30 days, is no code of this profile, or both sides are known and different people */
  reason: "used" | "expired" | "unknown" | "known_person" | null
}

export type ResolveChatCodeRequest = {
  /** Such as `W7K3QX2M` */
  code: string
  /** The person who wrote it, by at least one identifier */
  customer: {
    /** Phone number with country code */
    phone?: string
    /** Email address of the customer */
    email?: string
    /** The external_id of the customer */
    external_ref?: string
  }
  /** When the customer wrote it */
  occurred_at: string
}

export type RestatementCause = "late_event" | "updated_event" | "retraction" | "refund" | "refund_undone" | "payer_assigned" | "merge" | "merge_undone" | "link_decided" | "repair" | "erasure" | "settings_changed" | "goal_changed" | "spend_restated" | "structure_changed" | "rate_arrived" | "connection_backfill"

export type RetractEventReply = {
  /** Whether the event was retracted */
  status: "retracted" | "already_retracted"
  /** Number of events that were retracted */
  events: number
  /** Number of conversions that no longer count */
  conversions: number
  /** Number of changed credits */
  credits: number
}

export type RetractEventRequest = {
  /** Key under which the event was sent */
  idempotency_key: string
  /** Why it is retracted, for the audit log */
  reason?: string
}

export type RetryProblemReply = {
  /** Id of the problem */
  id: string
  /** What became of the problem */
  state: "queued"
}

export type RetryProblemRequest = {
  /** Why the operator does it, for the audit log */
  reason?: string
}

/** Only cash counts for revenue, ROAS and CAC */
export type RevenueType = "cash" | "pipeline" | "gross"

export type RevokeApiKeyReply = {
  /** Id of the API key */
  id: string
  /** When it stopped working */
  revoked_at: string
}

export type RevokeApiKeyRequest = Record<string, unknown>

export type RotateApiKeyReply = {
  /** Id of the API key */
  id: string
  /** The API key; returned only once */
  key: string
  /** First and last characters, to recognise it */
  hint: string
  /** Name of the API key */
  name: string
  /** Id of the profile */
  profile_id: string
  /** Scopes of the credential */
  scopes: Array<string>
  /** When it was created */
  created_at: string
  /** When it expires; null if it does not */
  expires_at: string | null
  /** The previous key, which works until `revoked_at` */
  previous: {
    /** Id of the API key */
    id: string
    /** When it stops working */
    revoked_at: string
  }
}

export type RotateApiKeyRequest = {
  /** Seconds for which the old key remains valid */
  overlap_seconds?: number
}

export type RotateOAuthAppSecretReply = {
  /** Public id of the app */
  client_id: string
  /** Secret of the app; returned only once */
  client_secret: string
  /** First and last characters, to recognise it */
  hint: string
  /** When the previous secret stops working; null if there is none */
  previous_expires_at: string | null
}

export type RotateOAuthAppSecretRequest = {
  /** Days during which the previous secret also signs */
  grace_days?: number
}

export type RotateWebhookSecretRequest = {
  /** Days during which the previous secret also signs */
  grace_days?: number
}

export type RunDoctorReply = {
  /** True if the checks run as a job */
  queued: true
}

/** Context of the response */
export type SaveAudienceExclusionsMeta = {
  /** Id of the profile */
  profile_id: string
}

export type SaveAudienceExclusionsReply = {
  /** Number of people on the exclusion list */
  excluded: number
  /** Number of people added to the exclusion list */
  added: number
  /** Number of people taken off the exclusion list */
  removed: number
  /** Number of removals queued */
  removals_queued: number
}

export type SaveAudienceExclusionsRequest = {
  /** Ids of customers */
  customer_ids: Array<string>
  /** Why these people are excluded, for the audit log */
  reason?: string
}

export type SaveChannelRulesReply = {
  /** In order of precedence; the first match decides */
  overrides: Array<ChannelOverride>
  /** Version of the built-in list of search, social, mail, shopping and AI-assistant sites */
  list_version: string
  /** When it was last changed; null if it never was */
  updated_at: string | null
  /** The resulting recompute; null if none is needed */
  recompute: Recompute | null
}

export type SaveChannelRulesRequest = {
  /** Rules set for the profile */
  overrides: Array<ChannelOverrideInput>
}

export type SaveChatbotRequest = {
  /** API key of the chatbot; stored encrypted, never returned */
  api_key: string
  /** Name of the chatbot, as people see it */
  display_name?: string
}

export type SaveConversionSyncCatalogRequest = {
  privacy_mode: PrivacyMode
  /** Goals to send, with their settings */
  conversions: Array<{
    /** Key of the goal, unique in the profile */
    conversion_key: string
    /** Whether it is enabled */
    enabled: boolean
    /** Whether the amount is sent to the platform */
    send_value: boolean
    /** Consent of events without `properties.consent` */
    consent_default: "granted" | "denied" | "unspecified"
  }>
  /** Outcomes that the healthcare profile exports */
  healthcare_export_allowlist?: Array<string>
  /** Acceptance of the agreement for health data, without which nothing is sent in the mode hipaa; null if it is not accepted */
  hipaa_agreement?: {
    /** Name of the person who signed */
    signed_by: string
    /** When it was signed */
    signed_at: string
  } | null
  /** Whether a partner may send customer lists */
  partner_customer_list?: boolean
}

export type SaveDeclaredVocabularyReply = {
  /** The question in English */
  question_en: string
  /** The question in Spanish */
  question_es: string
  /** Answers of the vocabulary */
  entries: Array<VocabularyEntry>
}

export type SaveDeclaredVocabularyRequest = {
  /** Answers of the vocabulary */
  entries: Array<{
    /** Key of the answer, unique in the profile */
    key: string
    /** Display label in English */
    label_en: string
    /** Display label in Spanish */
    label_es: string
    /** Channels that the answer is mapped to */
    channels?: Array<"organic_search" | "organic_social" | "email" | "messaging" | "referral" | "affiliate" | "campaign" | "display" | "paid_search" | "paid_social" | "paid_other" | "direct">
  }>
}

export type SaveExchangeRateRequest = {
  /** ISO 4217 code of the currency */
  currency: string
  /** Day, YYYY-MM-DD, in the time zone of the profile */
  day: string
  /** Units of the reporting currency for one unit of `currency` */
  rate: string
}

export type SaveStagesReply = {
  /** Pipelines with their stages */
  pipelines: Array<Pipeline>
}

export type SaveStagesRequest = {
  /** Mapping of stages to outcomes */
  mappings: Array<{
    /** Id of the stage in the CRM */
    stage_id: string
    /** Outcome that the stage is mapped to, for example lead_created; null: none */
    outcome_type: OutcomeType | null
  }>
}

export type SaveViewRequest = {
  /** Page of the console */
  page?: "campaigns"
  /** Name of the view, unique per person */
  name: string
  /** Content of the view */
  values: Record<string, string | boolean>
  /** Whether other members of the profile see it */
  shared?: boolean
}

export type SavedView = {
  /** Id of the saved view */
  id: string
  /** Page of the console */
  page: "campaigns"
  /** Name of the saved view */
  name: string
  /** Query parameters of the page */
  values: Record<string, string | boolean>
  /** True if visible to everyone with access to the profile */
  shared: boolean
  /** True if the caller saved it */
  own: boolean
  /** True if the caller may delete it */
  removable: boolean
  /** When it was last changed */
  updated_at: string
}

export type ScanIdentityRepairsReply = {
  /** Customers with more than an anonymous id */
  customers: number
  /** Customers without an email address */
  missing_email_count: number
  /** Customers without a phone number */
  missing_phone_count: number
  /** Groups of customers that share an email address */
  duplicate_email_groups: number
  /** Groups of customers that share a phone number */
  duplicate_phone_groups: number
  /** Values that `POST /identity/repair` can write */
  auto_repairable_count: number
  /** Informational; duplicates are merged through merge proposals */
  auto_merge_count: number
  /** Number of customers with a repairable identifier */
  profiles: Array<{
    /** Id of the customer */
    customer_id: string
    /** Index backfills in progress */
    backfills: Array<{
      /** Identifier type that was filled in */
      kind: "email" | "phone"
      /** Repaired value; null for callers who may not read people */
      value: string | null
      /** `taken`: another customer has this value; only a merge can resolve it */
      status: "repairable" | "taken"
    }>
  }>
}

export type ScanMergeProposalsReply = {
  /** Number of new proposals */
  proposed: number
  /** True if there are more pairs than one scan proposes */
  truncated: boolean
}

export type ScanMergeProposalsRequest = Record<string, unknown>

/** Context of the response */
export type ScanUtmHealthMeta = {
  /** Id of the profile */
  profile_id: string
  /** ISO 4217 code of the currency */
  currency: string
}

export type ScanUtmHealthRequest = Record<string, unknown>

/** Scored days, such as 28d */
export type ScoreWindowParam = "7d" | "14d" | "28d" | "lifetime"

export type SelectStorePlanReply = {
  /** Id of the checkout session */
  id: string
  /** Page on which the person pays */
  url: string
  /** When it expires */
  expires_at: string
}

export type SelectStorePlanRequest = {
  /** Plan of the workspace */
  plan: "growth" | "agency"
}

export type SendAdReferralReply = {
  /** Id of the stored event */
  event_id: string
  /** Whether the referral was stored or already known */
  status: "accepted" | "updated" | "unchanged"
}

export type SendAdReferralRequest = {
  /** Id of the ad */
  ad_id: string
  /** Messaging channel in which the person answered the ad */
  channel: "chatapp" | "photoapp" | "pagechat"
  /** When it happened */
  occurred_at: string
  /** The person who answered the ad, by at least one identifier */
  customer: {
    /** The sender’s own id of the customer; null if there is none */
    external_ref?: string | null
    /** Email address of the person; null if it is not known */
    email?: string | null
    /** Phone number with country code; null if it is not known */
    phone?: string | null
    /** ISO 3166 code of the country of `phone`; null or absent: the profile’s country */
    country?: string | null
    /** First name of the person; null if it is not known */
    first_name?: string | null
    /** Last name of the person; null if it is not known */
    last_name?: string | null
  }
  /** Id of the conversation */
  conversation_id?: string
  /** An event with the same key updates the stored event instead of adding one */
  idempotency_key?: string
}

export type SendCustomerListReply = {
  /** Null in a dry run */
  run_id: string | null
  /** Id of the audience at the platform; null until the platform has created it */
  audience_id: string | null
  /** Number of people in the request */
  received: number
  /** Number of people that wait to be sent */
  queued: number
  /** Number of people on the exclusion list */
  excluded: number
  /** The people that were rejected, with the reason */
  invalid: Array<{
    /** Position in the request, from 0 */
    index: number
    /** Why the person was not sent */
    reason: "customer_not_in_profile" | "no_match_keys"
  }>
}

export type SendCustomerListRequest = {
  /** Id of the connection */
  connection_id: string
  /** The audience at the platform that receives the people */
  audience: {
    /** The platform’s id of the audience */
    id: string
  } | {
    /** Name of the audience at the platform */
    name: string
  }
  /** Whether the members are added or removed */
  operation: "add" | "remove" | "replace"
  /** People on the list */
  members: Array<CustomerListMember>
  consent: ListConsent
  /** True if a user of the ad account accepted the platform’s terms for customer lists */
  terms_accepted?: boolean
  /** Validates without making changes */
  dry_run?: boolean
}

export type SendEventsReply = {
  /** One result per element, in the order sent */
  results: Array<{
    /** Position in the request, from 0 */
    index: number
    /** Id of the stored event; null if it was rejected */
    event_id: string | null
    /** Whether the event was stored, updated, unchanged or rejected */
    status: "accepted" | "updated" | "unchanged" | "refused"
    /** Goals that include the event */
    counts_as: Array<{
      /** Key of the goal, unique in the profile */
      conversion_key: string
      /** Type of the outcome, for example payment_received or lead_created */
      outcome_type: string
      revenue_type: RevenueType
    }>
    /** Probable mistakes in the event, which was stored */
    warnings: Array<{
      /** Code of the warning, for programs */
      code: "unknown_event_name" | "money_not_counted" | "value_missing" | "no_identity"
      /** Explanation for people */
      message: string
    }>
    /** Error; null if there was none */
    error: {
      /** Code of the error, for programs */
      code: string
      /** Explanation of the error for people */
      message: string
      /** HTTP status that the event alone would have had */
      status: number
      /** Why the event was rejected, for programs */
      reason?: string
    } | null
  }>
  /** Number of events stored */
  accepted: number
  /** Number of existing items that changed */
  updated: number
  /** Number of events already stored with the same content */
  unchanged: number
  /** Number of events that were rejected */
  refused: number
}

export type SendEventsRequest = {
  /** The events to store */
  events: Array<EventInput>
}

export type SendTestEventReply = {
  /** Id of the stored event */
  event_id: string
  /** Name of the event; goals select events by it */
  event_name: string
  /** Whether the platform accepted the event */
  accepted: boolean
  /** The platform’s error code; null if it accepted the event */
  code: string | null
  /** The platform’s explanation; null if it accepted the event */
  message: string | null
  /** The provider’s request id, for its support; null if it sent none */
  provider_request_id: string | null
}

export type SendTestEventRequest = Record<string, unknown>

export type SenderDomain = {
  /** Domain that mails are sent from */
  domain: string
  /** pending: waiting for the records, at most 72 hours; verified: mail is sent from the domain; failed: records are missing or wrong; temporary_failure: the last DNS lookup failed, so the records could not be checked */
  status: "pending" | "verified" | "failed" | "temporary_failure"
  /** DNS records to set */
  records: Array<{
    /** Purpose of the record */
    purpose: "dkim" | "return_path" | "spf" | "dmarc"
    /** Type of the DNS record */
    type: "TXT" | "CNAME"
    /** Full name of the record */
    name: string
    /** Required content of the record; for SPF, the mechanism that it must include */
    value: string
    /** False: recommended, but not needed for verification */
    required: boolean
    /** As of the last check; unknown: the DNS lookup failed */
    status: "unchecked" | "found" | "missing" | "different" | "unknown"
    /** Values that the DNS lookup returned */
    found: Array<string>
  }>
  /** Sender of reports once the domain is verified */
  from: string
  /** When it was created */
  created_at: string
  /** When it was last checked; null before the first check */
  checked_at: string | null
}

export type SentMail = {
  /** Id of the message */
  message_id: string
  /** Null if the vendor returns none */
  provider_message_id: string | null
  /** `unknown`: the vendor did not respond; the mail is not retried */
  status: "sent" | "unknown"
}

export type SentMessage = {
  /** Id of the message */
  message_id: string
  /** The provider’s id of the message; null until it is sent */
  provider_message_id: string | null
  /** `unknown`: the platform did not respond; the message is not retried */
  status: "sent" | "unknown"
}

export type ServiceLag = {
  /** Seconds since any process last polled for jobs; null if none ever did */
  worker_heartbeat_age_seconds: number | null
  /** State of the job queue */
  jobs: {
    /** Whether setup is complete */
    ready: number
    /** Number of running jobs */
    running: number
    /** Number of jobs scheduled for later */
    scheduled: number
    /** Number of dead jobs */
    dead: number
    /** Age of the oldest ready job, in seconds; null if none is ready */
    oldest_ready_age_seconds: number | null
    /** Age of the oldest dead job, in seconds; null if none is dead */
    oldest_dead_age_seconds: number | null
  }
  /** Events that are not processed yet */
  events: {
    /** Batches of stored events that are not processed yet */
    waiting: number
    /** Age of the oldest waiting item, in seconds; null if none waits */
    oldest_waiting_age_seconds: number | null
    /** Number of events that could not be processed */
    quarantined: number
    /** Age of the oldest quarantined event, in seconds; null if none is quarantined */
    oldest_quarantined_age_seconds: number | null
  }
  /** State of the webhook delivery queue */
  webhooks: {
    /** Due deliveries to active subscriptions */
    waiting: number
    /** Age of the oldest waiting item, in seconds; null if none waits */
    oldest_waiting_age_seconds: number | null
    /** Deliveries that are overdue by more than ten minutes */
    stuck: number
  }
}

export type ServiceProcess = {
  /** Id of the process */
  id: string
  /** What the process does: api, worker or all */
  role: "all" | "api" | "worker"
  /** Version of the release */
  version: string
  /** Id of the build */
  build: string
  /** Name of the machine */
  host: string
  /** Id of the process on its machine */
  pid: number
  /** silent: two heartbeats are missing (25 seconds); lost: none for a minute, without a clean shutdown */
  state: "running" | "silent" | "stopped" | "lost"
  /** When it started */
  started_at: string
  /** Seconds since the last heartbeat */
  seconds_since_seen: number
  /** Seconds since it last polled for jobs; null if it runs none */
  seconds_since_worked: number | null
  /** Seconds that its clock is ahead of the database’s, negative if behind; more than 60 in either direction is a fault. Null for a process of an earlier release */
  clock_ahead_seconds: number | null
}

export type SetEntitlementReply = {
  /** Id of the profile */
  profile_id: string
  /** Name of the feature */
  feature: "attribution"
  /** Whether it is enabled */
  enabled: boolean
  /** When it was last changed */
  updated_at: string
}

export type SetEntitlementRequest = {
  /** Whether it is enabled */
  enabled: boolean
}

export type SetGoalTargetReply = {
  /** Id of the goal */
  goal_id: string
  /** The value to reach in the period; null removes the target */
  target: GoalTarget | null
}

export type SetGoalTargetRequest = {
  /** Figure that the target is set for */
  metric: "count" | "value" | "cac" | "roas"
  /** Days that the report covers */
  period: "week" | "month"
  /** The value to reach in the period; null removes the target */
  target: number | null
}

export type SetInstallmentRequest = {
  /** A later instalment of a purchase */
  is_installment: boolean
}

export type SetPacingTargetRequest = {
  /** Id of the profile */
  profile_id: string
  /** Provider of the account, for example social_ads */
  provider: "social_ads" | "engine_ads" | "linkedin_ads" | "tiktok_ads" | "microsoft_ads"
  /** Month, YYYY-MM, in the time zone of the profile */
  month: string
  /** Budget of the month in the currency of the account; null without one */
  budget: number | string | null
}

export type SetPayerRequest = {
  /** Id of the customer who paid; null removes the payer */
  customer_id?: string | null
  /** Email address of the customer */
  email?: string
  /** Phone number with country code */
  phone?: string
}

export type SetPlatformSafeTargetReply = {
  /** Where the conversions of the platform-safe mode are sent */
  target: "clean_dataset" | "existing"
  /** The platform’s id of the dataset; null if there is none */
  dataset_id: string | null
  /** Whether it is new */
  created: boolean
  /** Id of the previous dataset; null if there was none */
  previous_dataset_id: string | null
  /** Ad sets that deliver on the previous dataset */
  live_ad_sets: Array<LiveAdSet>
  /** Number of ad sets switched */
  swapped: Array<AdSetSwap>
}

export type SetPlatformSafeTargetRequest = {
  /** Where the conversions of the platform-safe mode are sent */
  target: "clean_dataset" | "existing"
  /** Id of the connection */
  connection_id?: string
  /** True confirms that ad sets that are delivering lose their dataset */
  confirm_live_ad_sets?: boolean
  /** duplicate_and_swap copies ad sets and switches the copies to the new dataset */
  move_ad_sets?: "none" | "duplicate_and_swap"
  /** Proof that a person accepted the text */
  consent?: {
    /** Version of the text that the person accepted */
    version: string
    /** Hash of the accepted text */
    text_hash: string
    /** Who accepted the text */
    accepted_by: string
    /** When it was accepted */
    accepted_at: string
  }
}

export type SetSigningIdRequest = {
  /** Id that signs the webhooks of the store */
  signing_id: string
}

export type ShareCalendarRequest = {
  /** Email address of the person who gets access */
  email: string
  /** Role in the workspace */
  role: "free_busy" | "reader" | "writer"
}

export type ShortLink = {
  /** Id of the short link */
  id: string
  /** Last part of the address */
  slug: string
  /** On the verified tracking domain, otherwise on the service’s host */
  url: string
  /** False: print it only after a tracking domain is verified */
  on_own_domain: boolean
  /** Null for a chat */
  target_url: string | null
  /** Null for a page */
  chat: {
    /** Messaging channel that the link opens */
    app: "chatapp" | "pagechat" | "photoapp"
    /** Number, page name or user name */
    account: string
    /** First message that is filled in; null if there is none */
    text: string | null
  } | null
  /** Name of the link, as people see it; null if it has none */
  title: string | null
  /** Campaign parameters of the link, for example `utm_source` */
  utm: Record<string, string>
  /** Ids of the ad that the link belongs to; null if it belongs to none */
  ad: Record<string, string> | null
  /** Whether the link works */
  enabled: boolean
  /** All days, without bots */
  clicks: number
  /** Requests of crawlers and link previews */
  bots: number
  /** Last click of a person; null without one */
  last_clicked_at: string | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}

export type SignInByLinkRequest = {
  /** Token from the link in the mail */
  token: string
}

export type SignInByPasskeyRequest = {
  /** From the response that asks for this proof */
  challenge: string
  /** What the browser’s `navigator.credentials.get` returned, as `toJSON()` writes it */
  assertion: {
    /** Id of the passkey */
    id: string
    [name: string]: unknown
  }
}

export type SignInPolicy = {
  /** From then on, members without a second factor cannot open the workspace; null if it is not required */
  second_factor_required_from: string | null
  /** People of the workspace and its profiles */
  members: Array<{
    /** Id of the user */
    user_id: string
    /** Email address of the account */
    email: string
    /** Name of the person */
    name: string
    /** Whether the account has an authenticator app or a passkey */
    has_second_factor: boolean
  }>
}

export type SignInRequest = {
  /** Email address of the account */
  email: string
  /** Password of the account */
  password: string
}

export type SignUpRequest = {
  /** Email address of the account */
  email: string
  /** Password of the account */
  password: string
  /** Name of the person */
  name: string
  /** Token of the invitation, if any */
  invitation_token?: string
}

export type SignedIn = {
  /** The user who signed in */
  user: User
  /** Token of the session, for the header Authorization */
  token: string
  /** When it expires */
  expires_at: string
}

export type Snapshot = {
  /** Id of the shared page */
  id: string
  /** Anyone with the link can open it; a password is needed if one was set */
  url: string
  /** Name of the shared page */
  name: string
  window: ScoreWindowParam
  /** Whether a password protects it */
  has_password: boolean
  /** When it was captured */
  captured_at: string
  /** When it expires */
  expires_at: string
  /** Hash of the captured content; never changes */
  result_hash: string
  /** How often the page was opened */
  views: number
}

export type SnapshotCapture = {
  /** Name of the shared page */
  name: string
  window?: ScoreWindowParam
  /** Filters of the report */
  filters?: {
    /** Objectives to show */
    objectives?: Array<string>
    /** Formats to show */
    formats?: Array<string>
    /** Grades of evidence to show */
    truth_grades?: Array<"predicted" | "attributed" | "lift">
    /** Kinds of outcomes to show */
    outcome_kinds?: Array<"cash" | "pipeline" | "messaging" | "meta" | "none">
    /** Only ads with a video */
    has_video?: boolean
    /** Only ads with at least this spend */
    min_spend?: number
    /** Ids of profiles */
    profile_ids?: Array<string>
  }
  /** Days until it expires */
  expires_in_days?: number
  /** Password of the shared page */
  password?: string
}

export type SocialPage = {
  /** The platform’s id of the page */
  id: string
  /** Name of the page */
  name: string
  /** The page’s category at the platform; null if the platform reports none */
  category: string | null
  /** Whether its messages are recorded */
  tracked: boolean
}

export type SpendRow = {
  /** Source of the data */
  source: string
  /** Level of the ad structure */
  level: "campaign" | "ad_set" | "ad"
  /** Id of the campaign */
  campaign_id?: string
  /** Name of the campaign */
  campaign_name?: string
  /** Id of the ad set */
  ad_set_id?: string
  /** Name of the ad set */
  ad_set_name?: string
  /** Id of the ad */
  ad_id?: string
  /** Name of the ad */
  ad_name?: string
  /** Day, YYYY-MM-DD, in the time zone of the profile */
  date: string
  /** Ad spend of the day, in `currency` */
  spend: number | string
  /** ISO 4217 code of the currency */
  currency?: string
  /** Number of impressions on the day */
  impressions?: number | string
  /** Number of clicks on the day */
  clicks?: number | string
  /** Number of people reached on the day */
  reach?: number | string
  /** Conversions that the platform reports */
  platform_conversions?: number | string
  /** Value of the conversions that the platform reports */
  platform_conversion_value?: number | string
}

export type StartBankLinkReply = {
  /** Token of the bank link */
  link_token: string
  /** Page on which the person connects the bank */
  url: string
  /** When it expires */
  expires_at: string
}

export type StartCalendarLinkRequest = {
  /** Provider of the account, for example social_ads */
  provider: "engine_calendar" | "external_calendar"
}

export type StartDataRunRequest = {
  /** Destination to write to */
  destination_id: string
  /** Write every file again, not only changed days */
  full?: boolean
}

export type StartMailboxLinkRequest = {
  /** Provider of the account, for example social_ads */
  provider: MailboxVendor
  /** Where the person is redirected afterwards; its origin must be in `allowed_return_origins` or `redirect_uris` of the app */
  return_url?: string
}

export type StartPhoneRepairReply = {
  /** Id of the phone repair */
  id: string
  /** State of the phone repair */
  status: "applying" | "applied" | "undoing" | "undone"
  /** Whether numbers without a known country are also repaired */
  include_unresolved: boolean
  /** Events reprocessed so far */
  events: number
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  finished_at: string | null
}

export type StartPhoneRepairRequest = {
  /** Also repair numbers that are not valid in their country; they then identify no customer */
  include_unresolved?: boolean
}

export type StartRecomputeRequest = Record<string, unknown>

export type StartSyncReply = {
  /** Id of the connection */
  connection_id: string
  /** Whether the sync was queued or already runs */
  state: "queued"
}

export type StartSyncRequest = {
  provider?: ProviderParam
  /** Id of the connection */
  connection_id?: string
  /** Earliest time to read; default: since the last sync */
  since?: string
}

export type StartVerificationRequest = {
  /** URL of the page that is checked */
  url: string
}

export type StatusChange = {
  /** The platform’s id */
  platform_id: string
  /** Whether the platform made the change */
  outcome: "changed" | "no_change"
  /** Status at the platform before the change */
  previous_status: string
  /** Status at the platform after the change */
  status: string
}

export type SubscribedEvents = Array<WebhookEventType>

export type SubscribedProviders = Array<WebhookProvider>

export type Subscription = {
  /** Id of the subscription */
  id: string
  /** Id of the partner app; null if no app is involved */
  app_id: string | null
  /** Id of the profile */
  profile_id: string
  /** URL that receives the events */
  url: string
  /** Types of events to send */
  events: Array<string>
  /** Providers whose events are sent; `platform` for events of the service itself */
  providers: Array<string>
  /** Whether it receives `historical` events */
  include_history: boolean
  /** State of the subscription */
  status: "active" | "paused" | "failed"
  /** Reason for the status; null if there is no problem */
  status_reason: string | null
  /** Time of the last delivery; null if there was none */
  last_delivery_at: string | null
  /** Failed attempts since the last success */
  consecutive_failures: number
  /** The previous secret also signs until then; null if there is none */
  previous_secret_expires_at: string | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** Events of the list that the listed providers never send */
  warnings: Array<{
    /** Type of the event */
    event: string
    /** Explanation for people */
    message: string
  }>
}

export type SubscriptionWithSecret = {
  /** Id of the subscription */
  id: string
  /** Id of the partner app; null if no app is involved */
  app_id: string | null
  /** Id of the profile */
  profile_id: string
  /** URL that receives the events */
  url: string
  /** Types of events to send */
  events: Array<string>
  /** Providers whose events are sent; `platform` for events of the service itself */
  providers: Array<string>
  /** Whether it receives `historical` events */
  include_history: boolean
  /** State of the subscription */
  status: "active" | "paused" | "failed"
  /** Reason for the status; null if there is no problem */
  status_reason: string | null
  /** Time of the last delivery; null if there was none */
  last_delivery_at: string | null
  /** Failed attempts since the last success */
  consecutive_failures: number
  /** The previous secret also signs until then; null if there is none */
  previous_secret_expires_at: string | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** Events of the list that the listed providers never send */
  warnings: Array<{
    /** Type of the event */
    event: string
    /** Explanation for people */
    message: string
  }>
  /** Secret that signs the deliveries; returned only once */
  secret: string
}

export type SyncChatTemplatesReply = {
  /** Number of messaging accounts that were synced */
  accounts: number
  /** Number of templates read */
  templates: number
  /** Number of templates that are new */
  added: number
  /** Number of templates that no longer exist */
  removed: number
}

export type SyncState = {
  /** What the sync does now */
  state: "idle" | "queued" | "running" | "failed"
  /** Time of the last success; null if there was none */
  last_success_at: string | null
  /** Start of the last complete sync: all earlier data has been read; null if there was none */
  complete_until: string | null
  /** Time of the last attempt; null before the first */
  last_attempt_at: string | null
  /** Error of the last failed attempt; null after a success */
  last_error: string | null
  /** Time of the next run; null if none is planned */
  next_run_at: string | null
  /** How far the running sync is; null if none runs */
  progress: {
    /** Parts that are finished, out of `total` */
    done: number
    /** Number of parts; null until it is known */
    total: number | null
    /** Unit of the count */
    unit: string
  } | null
  /** Number of records set aside */
  set_aside: {
    /** Records that were set aside */
    records: number
    /** Reason why the last record was set aside; null if none was */
    last_reason: string | null
  }
}

export type TagClientsRequest = {
  /** Ids of profiles */
  profile_ids: Array<string>
  /** Tags to add */
  add?: Array<string>
  /** Tags to remove */
  remove?: Array<string>
}

export type TestChannelRulesReply = {
  /** Null if the visit continues an earlier one */
  channel: string | null
  /** Source of the visit, for example a site or utm_source; null if there is none */
  source: string | null
  /** Ad platform, for example social_ads; null if it is none */
  platform: string | null
  /** The rule that applied */
  rule: "click_id" | "named_ad" | "utm" | "override" | "site_list" | "other_site" | "payment_or_login_page" | "direct"
  /** The parameter, host or source that the rule used; null if it used none */
  decided_by: string | null
  /** Built-in list of sites that decided; null if none did */
  list: "search" | "social" | "mail" | "shopping" | "ai_assistant" | null
  /** Version of that list */
  list_version: string
}

export type TestDataDestinationReply = {
  /** Whether it succeeded */
  ok: boolean
  /** Why it failed; null if it succeeded */
  error: string | null
}

export type TestWebhookSubscriptionReply = {
  /** Whether it is queued for sending, or how many are */
  enqueued: boolean
  /** Id of the stored event */
  event_id: string
  /** Id of the webhook subscription */
  subscription_id: string
}

export type TestWebhookSubscriptionRequest = Record<string, unknown>

export type ThresholdCondition = {
  /** The rule compares a figure with a threshold */
  kind: "threshold"
  /** conversions are payments; CAC and ROAS use ad spend and last-touch credit */
  metric: "spend" | "revenue" | "roas" | "cac" | "conversions"
  /** Null: the whole profile */
  campaign_id: string | null
  /** above or below the threshold; for a message, in or out */
  direction: "above" | "below"
  /** value: the figure itself. change: its percentage change from the preceding period of the same length; a single day is compared with the same weekday a week before */
  comparison: "value" | "change"
  /** An amount, a ratio or a count; for a change, the percentage without a sign */
  threshold: number
  /** Number of closed days that are summed, ending with the evaluated day */
  window_days: 1 | 7 | 28
  /** Minimum number of payments for an evaluation, such as 10; not used for spend. A fall from at least this many is also evaluated; for the value of a ROAS or CAC, only a fall to zero payments */
  min_conversions: number
}

export type ThresholdConditionInput = {
  /** The rule compares a figure with a threshold */
  kind: "threshold"
  /** conversions are payments; CAC and ROAS use ad spend and last-touch credit */
  metric: "spend" | "revenue" | "roas" | "cac" | "conversions"
  /** Null: the whole profile */
  campaign_id: string | null
  /** above or below the threshold; for a message, in or out */
  direction: "above" | "below"
  /** value: the figure itself. change: its percentage change from the preceding period of the same length; a single day is compared with the same weekday a week before */
  comparison: "value" | "change"
  /** An amount, a ratio or a count; for a change, the percentage without a sign */
  threshold: number
  /** Number of closed days that are summed, ending with the evaluated day */
  window_days: 1 | 7 | 28
  /** Minimum number of payments for an evaluation, such as 10; not used for spend. A fall from at least this many is also evaluated; for the value of a ROAS or CAC, only a fall to zero payments */
  min_conversions: number
}

export type TopPerformerRow = {
  /** The platform’s id of the ad */
  ad_external_id: string
  /** Name of the ad; null if the platform has not reported it */
  ad_name: string | null
  /** Name of the campaign; null if the platform has not reported it */
  campaign_name: string | null
  /** Name of the ad set; null if the platform has not reported it */
  ad_set_name: string | null
  /** A copy of the image, served by this service; null if there is none */
  creative_thumbnail_url: string | null
  /** The platform’s id of the video; null if the ad has none */
  video_id: string | null
  /** Days that the score covers */
  score_window: ScoreWindowParam
  /** 0 to 100 within the peer group; ads are ranked by it. Null if the ad is not scored */
  composite_score: number | null
  /** From 0.01 to 0.99 if `status` is `served` */
  top_performer_likelihood: LearnedValue
  /** Version of the model; null if the score comes from rules */
  model_version: number | null
  /** Data that the score is based on */
  score_source: "model" | "rules"
  /** Maturity of the ad’s data */
  maturity_stage: "cold" | "early" | "mature" | "calibrated"
  /** Whether the ad was shown enough for a comparison, and whether it differs from the median of its peer group with 90 % probability; null in older scores */
  evidence: "not_shown_enough" | "no_difference" | "differs" | null
  /** lift: its campaign or ad set has a finished, positive lift study, or a positive geo study that passes its placebo tests (GET …/experiments) */
  truth_grade: "predicted" | "attributed" | "lift"
  /** Outcome type that the score is based on */
  primary_outcome_kind: "cash" | "pipeline" | "messaging" | "meta" | "none"
  /** channel|format|objective|warmth|geo|placement; * for a part that is not compared */
  cohort_key: string
  /** Objective of the peer group */
  cohort_objective: string
  /** Format of the peer group */
  cohort_format: string
  /** Audience of the peer group */
  cohort_audience_warmth: string
  /** Ads in the peer group */
  cohort_n_ads: number
  /** Type of the ad’s opening; null if it is not classified */
  hook_type: string | null
  /** Format of the ad; null if the platform does not report it */
  creative_format: string | null
  /** The platform’s call-to-action type; null if the ad has none */
  cta_type: string | null
  /** Main argument of the ad; null if it is not classified */
  primary_angle: string | null
  /** Offers in the ad */
  offers: Array<string>
  /** Ad spend of the scored days, in the profile’s currency */
  spend: number
  /** Impressions, as the platform reports them */
  impressions: number
  /** Clicks per 100 impressions; null without impressions */
  ctr: number | null
  /** Spend per click; null without clicks */
  cpc: number | null
  /** Payments that have credit */
  attributed_cash_outcomes: number
  /** Credited cash, less refunds */
  attributed_revenue: number
  /** Return on ad spend: credited cash / spend; null without spend */
  roas: number | null
  /** Spend per payment; null without payments */
  cac: number | null
  /** Conversions of all types that have credit */
  attributed_outcomes_total: number
  /** Leads and other non-cash outcomes that have credit */
  attributed_pipeline_outcomes: number
  /** Value of the credited non-cash outcomes */
  attributed_pipeline_value: number
  /** Conversions that the platform reports; null if it reports none */
  meta_reported_conversions: number | null
  /** Value of the conversions that the platform reports; null if it reports none */
  meta_reported_conversion_value: number | null
  /** Spend per conversation started; null without conversations */
  cost_per_conversation: number | null
  /** Conversations started, as the platform reports them */
  messaging_conversations_started: number
  /** Share, from 0 to 1, of the ad’s conversations that the business replied to; null if the platform reports no replies */
  first_reply_rate: number | null
  /** Mean engagement score per day; null if it is not known */
  avg_engagement_score: number | null
  /** From 0.01 to 0.99 if `status` is `served` */
  hazard_30d_pause: LearnedValue
  /** From 0.01 to 0.99 if `status` is `served` */
  hazard_30d_degradation: LearnedValue
  /** medium and high: clicks of the last week are at least 8 or 12 % below the number expected from the ad’s usual rate, beyond chance. low: no such decline was detected, which does not prove that there is none. */
  fatigue_risk_tier: LearnedTier
  expected_lifespan_days: LearnedValue
  /** Layers with a percentile below 0.4 or above 0.6, furthest from the median first; empty if the ad is average in all of them */
  reason_codes: Array<{
    /** Part of the score */
    layer: "delivery" | "attention" | "retention" | "click_intent" | "postclick_messaging" | "attributed_revenue" | "platform_diagnostics"
    /** Mean probability that the ad’s rate is above that of another ad of the peer group; never 0 or 1 */
    percentile: number
    /** How much of the percentile comes from the ad’s own data; not how clear the difference is */
    sample_confidence: "low" | "medium" | "high"
    /** Whether it is a positive or negative signal */
    polarity: "strength" | "weakness"
  }>
  /** All layers, also those close to the median */
  layer_percentiles: Array<{
    /** Part of the score */
    layer: "delivery" | "attention" | "retention" | "click_intent" | "postclick_messaging" | "attributed_revenue" | "platform_diagnostics"
    /** Mean probability that the ad’s rate is above that of another ad of the peer group; never 0 or 1 */
    percentile: number
    /** How much of the percentile comes from the ad’s own data; not how clear the difference is */
    sample_confidence: "low" | "medium" | "high"
  }>
}

export type TopPerformersExport = {
  window?: ScoreWindowParam
  /** The platform’s ids of the ads */
  ad_external_ids?: Array<string>
  /** Ids of profiles */
  profile_ids?: Array<string>
}

export type TrackPagesRequest = {
  /** Ids of the pages */
  page_ids: Array<string>
}

export type TrackingDomain = {
  /** Id of the tracking domain */
  id: string
  /** Domain that serves the tracker’s script */
  domain: string
  /** Result of the DNS check */
  status: "pending" | "verified" | "failed"
  /** Target of the CNAME record */
  cname_target: string
  /** Result of the last DNS check; null before the first */
  detail: string | null
  created_by_app: CreatingApp
  /** When it was created */
  created_at: string
  /** When it was last checked; null before the first check */
  checked_at: string | null
}

export type TrackingKey = {
  /** Id of the tracking key */
  id: string
  /** Public key of the tracker */
  key: string
  /** When it was created */
  created_at: string
}

export type TrackingSettings = {
  /** Minutes of inactivity after which a visit ends */
  session_minutes: number
  /** Whether the tracker waits for consent */
  consent_mode: "granted" | "pending" | "denied"
  /** Forms whose submission is recorded */
  forms: "auto" | "marked" | "off"
  /** How navigation in a single-page app is counted */
  spa: "on" | "hash" | "off"
  /** Domains whose pages may send events; empty means all */
  allowed_domains: Array<string>
  /** Whether the snippet reads the consent of the banner on the page */
  consent_signals: "auto" | "off"
  /** Global Privacy Control of the browser. `honor`: nothing lifts it. `explicit_choice_wins`: a later grant that the visitor makes on this site does, in this browser. */
  gpc: "honor" | "explicit_choice_wins"
  /** Paths of pages that do not count; `*` matches any characters */
  exclude_paths: Array<string>
  /** True to exclude events from bots */
  filter_bots: boolean
  /** True if the country is derived from the IP address */
  enrich_country: boolean
  /** How payments sent by browsers are used. `count`: always counted. `confirm`: counted until a server or a provider reports payments; from then on they only confirm a payment with the same `order_id`. `ignore`: never counted. */
  browser_revenue: "count" | "confirm" | "ignore"
}

export type TrendRow = {
  /** Id of the campaign, ad set or ad */
  entity_id: string
  /** Day, YYYY-MM-DD, in the time zone of the profile */
  date: string
  /** Ad spend; null if the exchange rate is missing */
  spend: number | null
  /** Impressions, as the platform reports them */
  impressions: number
  /** Clicks, as the platform reports them */
  clicks: number
}

/** The kind of visit that was credited; a paid click without an ad; an ad without a known campaign; a payment without a person; a goal excluded from attribution; or no visit within the lookback */
export type UnattributedReason = "direct" | "organic" | "email" | "referral" | "other_visit" | "click_without_ad" | "ad_without_campaign" | "unknown_payer" | "not_creditable" | "no_touch"

export type UndoMergeReply = {
  /** Id of the merge */
  audit_log_id: string
  /** The customer that is merged */
  from_customer_id: string
  /** The customer that remains after the merge */
  into_customer_id: string
  /** When it was undone */
  undone_at: string
}

export type UndoMergeRequest = Record<string, unknown>

export type UndoPhoneRepairReply = {
  /** Id of the phone repair */
  id: string
  /** State of the phone repair */
  status: "applying" | "applied" | "undoing" | "undone"
  /** Whether numbers without a known country are also repaired */
  include_unresolved: boolean
  /** Events reprocessed so far */
  events: number
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  finished_at: string | null
}

export type UndoPhoneRepairRequest = Record<string, unknown>

export type UpdateAlertRequest = {
  /** Name of the alert, as people see it */
  name?: string
  /** Condition of the alert */
  condition?: ThresholdConditionInput | FindingConditionInput
  /** Whether it is enabled */
  enabled?: boolean
  /** Days from now; 0 unmutes */
  mute_days?: number
}

export type UpdateAnnotationRequest = {
  /** Day, YYYY-MM-DD, in the time zone of the profile */
  day?: string
  /** Text of the note */
  text?: string
}

export type UpdateAttributionSettingsReply = {
  /** Lookback window in days: visits within it can get credit */
  lookback_days: number
  /** Lookback window in days for the model first_touch */
  first_touch_lookback_days: number
  /** For the model time_decay: the weight of a visit halves every this many days */
  half_life_days: number
  /** Hours that a day stays open for late events after it ends */
  grace_hours: number
  /** When it was last changed; null if it never was */
  updated_at: string | null
  /** The resulting recompute; null if none is needed */
  recompute: Recompute | null
}

export type UpdateAttributionSettingsRequest = {
  /** Lookback window in days: visits within it can get credit */
  lookback_days?: number
  /** Lookback window in days for the model first_touch */
  first_touch_lookback_days?: number
  /** For the model time_decay: the weight of a visit halves every this many days */
  half_life_days?: number
  /** Hours after its end during which a day still accepts late events */
  grace_hours?: number
}

export type UpdateComplianceOverviewRequest = {
  /** Profile with health data: stricter rules for people and exports */
  healthcare: boolean
}

export type UpdateDataDestinationRequest = {
  /** Name of the destination, as people see it */
  name?: string
  /** Tables of the export */
  tables?: Array<"events" | "customers" | "identities" | "touches" | "conversions" | "payments" | "refunds" | "credits" | "paths" | "campaigns" | "ad_sets" | "ads" | "ad_versions" | "creatives" | "delivery" | "rates" | "daily">
  /** True to include hashed identifiers */
  include_identifiers?: boolean
  /** How often the tables are written */
  schedule?: "hourly" | "daily" | "on_demand"
  /** Whether it is enabled */
  enabled?: boolean
  /** New access keys of a store */
  keys?: {
    /** Access key of a user that may write and delete under the prefix */
    access_key_id: string
    /** Stored encrypted and never returned */
    secret_access_key: string
  }
}

export type UpdateExportDestinationRequest = {
  /** Name of the destination, as people see it */
  display_name?: string
  /** Whether it is enabled */
  enabled?: boolean
  event_map?: EventMapInput
  /** Applies to conversions queued from now on. Adjustments of earlier conversions are sent with their earlier id */
  event_id_source?: string
  /** The platform’s code for test events; null if there is none */
  test_event_code?: string | null
  /** Stored encrypted and never returned */
  access_token?: string
}

export type UpdateGoalRequest = {
  /** Name of the goal, as people see it */
  display_name?: string
  /** Events with these names are conversions of the goal */
  source_event_names?: Array<string>
  /** Type of the outcome, for example payment_received or lead_created */
  outcome_type?: string
  revenue_type?: RevenueType
  /** Whether conversions of this goal get credit */
  attribution_eligible?: boolean
}

export type UpdateOAuthAppReply = {
  /** Id of the partner app */
  id: string
  /** Public id of the app */
  client_id: string
  /** Name of the partner app */
  name: string
  /** URL of the app’s logo; null if it has none */
  logo_url: string | null
  /** Allowed redirect URIs after consent */
  redirect_uris: Array<string>
  /** Origins that a hand-off may return to */
  allowed_return_origins: Array<string>
  /** Scopes that the app may request */
  allowed_scopes: Array<string>
  /** The data-processing agreement */
  dpa: {
    /** Whether the data-processing agreement is signed */
    status: "not_accepted" | "accepted" | "withdrawn"
    /** Version of the agreement that was signed; null if none was */
    version: string | null
    /** When it was accepted; null until then */
    accepted_at: string | null
    /** When it was withdrawn; null if it was not */
    withdrawn_at: string | null
  }
  /** Valid secrets, at most two */
  secrets: Array<{
    /** First and last characters, to recognise it */
    hint: string
    /** When it was created */
    created_at: string
    /** When it expires; null if it does not */
    expires_at: string | null
  }>
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}

export type UpdateOAuthAppRequest = {
  /** Name, as people see it */
  name?: string
  /** URL of the app’s logo; null or absent: none */
  logo_url?: string | null
  /** Allowed redirect URIs after consent */
  redirect_uris?: Array<string>
  /** Origins that a hand-off may return to */
  allowed_return_origins?: Array<string>
  /** Grants and scopes that the app may request */
  allowed_scopes?: Array<"connections" | "analytics" | "analytics_pii" | "attribution" | "attribution_write" | "adoption" | "analytics:read" | "campaigns:apply" | "campaigns:read" | "connections:read" | "connections:write" | "conversions:read" | "customers:read" | "events:write" | "exports:read" | "exports:write" | "identity:read" | "identity:write" | "mcp:read" | "mcp:read_pii" | "mcp:write" | "messages:write" | "payments:read" | "payments:write" | "realtime:read" | "tracking:read" | "tracking:write" | "visitors:read" | "webhooks:read" | "webhooks:write">
}

export type UpdateProfileMemberReply = {
  /** Id of the membership */
  membership_id: string
  /** Id of the profile */
  profile_id: string
  /** Id of the user */
  user_id: string
  /** Role in the workspace */
  role: "editor" | "viewer"
  /** Permissions of the member */
  permissions: Array<string>
}

export type UpdateProfileMemberRequest = {
  /** Role in the workspace */
  role?: "editor" | "viewer"
  permissions?: Permissions
}

export type UpdateProfileRequest = {
  /** Name of the profile */
  name?: string
  /** IANA time zone, for example Europe/Madrid */
  timezone?: string
  /** ISO 4217 code of the currency */
  currency?: string
  /** Null: numbers without a country code identify no one */
  country?: string | null
}

export type UpdateReportingCurrencyRequest = {
  /** ISO 4217 currency code of reports of the workspace; null: each profile’s own */
  reporting_currency: string | null
}

export type UpdateShortLinkRequest = {
  /** An https address on a domain of the tracking settings (`allowed_domains`), or of a chat */
  target_url?: string
  /** Opens a chat with a code, so that the conversation has its source */
  chat?: {
    /** Messaging channel that the link opens */
    app: "chatapp" | "pagechat" | "photoapp"
    /** Number with country code (chatapp), page name (pagechat) or user name (photoapp) */
    account: string
    /** First message; the person may change it */
    text?: string
  }
  /** Name of the link, as people see it */
  title?: string
  /** Campaign parameters of the link, for example `utm_source` */
  utm?: {
    /** Value of `utm_source` */
    source?: string
    /** Such as `flyer`; some values decide the channel, see the guide on channels */
    medium?: string
    /** Value of `utm_campaign` */
    campaign?: string
    /** Only added to the address */
    term?: string
    /** Only added to the address */
    content?: string
  }
  /** The ad that the link is printed in or used by */
  ad?: {
    /** Id of the campaign */
    campaign_id?: string
    /** Id of the ad set */
    ad_set_id?: string
    /** The platform’s id of the ad */
    ad_id?: string
  }
  /** Whether the link works */
  enabled?: boolean
}

export type UpdateSignInPolicyRequest = {
  /** False: the password is enough again */
  require_second_factor: boolean
  /** Days until it is required */
  grace_days?: number
}

export type UpdateTrackingSettingsRequest = {
  /** Minutes of inactivity after which a visit ends */
  session_minutes?: number
  /** Whether the tracker waits for consent */
  consent_mode?: "granted" | "pending" | "denied"
  /** Forms whose submission is recorded */
  forms?: "auto" | "marked" | "off"
  /** How navigation in a single-page app is counted */
  spa?: "on" | "hash" | "off"
  /** Domains whose pages may send events; empty means all */
  allowed_domains?: Array<string>
  /** Whether the snippet reads the consent of the banner on the page */
  consent_signals?: "auto" | "off"
  /** Global Privacy Control of the browser. `honor`: nothing lifts it. `explicit_choice_wins`: a later grant that the visitor makes on this site does, in this browser. */
  gpc?: "honor" | "explicit_choice_wins"
  /** Paths of pages that do not count; `*` matches any characters */
  exclude_paths?: Array<string>
  /** True to exclude events from bots */
  filter_bots?: boolean
  /** True if the country is derived from the IP address */
  enrich_country?: boolean
  /** How payments sent by browsers are used. `count`: always counted. `confirm`: counted until a server or a provider reports payments; from then on they only confirm a payment with the same `order_id`. `ignore`: never counted. */
  browser_revenue?: "count" | "confirm" | "ignore"
}

export type UpdateWebhookSubscriptionRequest = {
  /** https, public, without a user name */
  url?: string
  /** Types of events to send */
  events?: SubscribedEvents
  /** Providers whose events are sent; `platform` for events of the service itself */
  providers?: SubscribedProviders
  /** False leaves out events with `historical`: they happened more than two days before they were recorded, mostly in the first sync of a connection */
  include_history?: boolean
  /** `active` resumes sending, `paused` stops it */
  status?: "active" | "paused"
}

export type UploadChatMediaReply = {
  /** Id of the uploaded file */
  media_id: string
}

export type User = {
  /** Id of the user */
  id: string
  /** Email address of the account */
  email: string
  /** Name of the person */
  name: string
  /** True once the person has proved ownership of the address; until then, access granted to the address has no effect */
  email_verified: boolean
  /** When it was created */
  created_at: string
}

export type UserToken = {
  /** Id of the user token */
  id: string
  /** First and last characters, to recognise it */
  hint: string
  /** Name of the user token */
  name: string
  /** Scopes of the credential */
  scopes: Array<string>
  /** When it was created */
  created_at: string
  /** When it expires; null if it does not */
  expires_at: string | null
}

export type UserTraits = {
  /** Email address of the person; null if it is not known */
  email?: string | null
  /** With a country code (+34…), or in the national format of `country`; null if it is not known */
  phone?: string | null
  /** ISO 3166 code; null or absent: the country of the profile */
  country?: string | null
  /** The sender’s own id of the customer; null if there is none */
  external_id?: string | null
  /** First name of the person; null if it is not known */
  first_name?: string | null
  /** Last name of the person; null if it is not known */
  last_name?: string | null
  /** City of the person’s address; null if it is not known */
  city?: string | null
  /** State or province, such as `CA`; null if it is not known */
  region?: string | null
  /** Postal code of the person’s address; null if it is not known */
  postal_code?: string | null
}

export type UtmFinding = {
  /** Kind of problem with the ad’s URL parameters */
  code: UtmProblem
  /** Explanation for people */
  message: string
  /** Ad platform, for example social_ads; null if it is none */
  platform: string | null
  /** Ad with the problem; null if the finding is not about one ad */
  ad: NamedEntity | null
  /** Campaign with the problem; null if the finding is not about one campaign */
  campaign: NamedEntity | null
  /** The value in the URL that causes the problem, for example a utm_campaign; null if there is none */
  value: string | null
  /** Visits of the last 30 days with the problem; null if it is not about visits */
  visits: number | null
  /** Spend of the last 30 days; null if the finding is not about one ad or campaign */
  spend: number | null
  /** URL parameters to paste at the platform; null if there is nothing to paste */
  template: string | null
  /** Where to paste them at the platform; null if there is nothing to paste */
  place: string | null
}

export type UtmHealth = {
  /** Result of the check */
  status: "never_scanned" | "no_ads" | "healthy" | "problems"
  /** When the ads were checked; null before the first check */
  scanned_at: string | null
  /** Ads that ran in the last 30 days */
  ads: number
  /** Ads whose links have a problem */
  ads_with_problems: number
  /** Spend of all ads that ran */
  spend: number
  /** Spend of ads with at least one finding */
  spend_with_problems: number
  /** Findings by code */
  by_code: Array<{
    /** Kind of problem with the ad’s URL parameters */
    code: UtmProblem
    /** Number of findings with the code */
    findings: number
  }>
  /** By spend, highest first, at most 500 */
  findings: Array<UtmFinding>
}

export type UtmProblem = "missing_tags" | "contradictory_tags" | "unexpanded_macro" | "unknown_ad_id" | "shared_utm" | "tags_lost"

export type Verification = {
  /** Id of the verification */
  id: string
  /** Whether the script was seen */
  status: "waiting" | "seen" | "expired"
  /** URL of the page that is checked */
  url: string
  /** URL to open for the verification */
  check_url: string
  /** Page on which the script was last seen; null if it was not */
  seen_url: string | null
  /** When it started */
  started_at: string
  /** When it expires */
  expires_at: string
  /** When it was last seen; null if it was not */
  seen_at: string | null
}

export type VerifySenderDomainRequest = Record<string, unknown>

export type Visitor = {
  /** The device or account of the visitor */
  identifier_id: string
  /** The customer it belongs to; equal to identifier_id if none is known */
  customer_id: string
  /** True if the customer has more than a visitor id */
  is_identified: boolean
  /** The last visit */
  last_visit: {
    /** When it happened */
    occurred_at: string
    /** Channel, for example paid_social */
    channel: string
    /** How the visit was recorded, for example web or conversation_referral */
    origin: string
    /** Ad platform, for example social_ads; null if it is none */
    platform: string | null
    /** A visit without ad, campaign link or referrer */
    is_direct: boolean
    /** Campaign of the touch; null if it is not known */
    campaign: NamedEntity | null
    /** Ad set of the touch; null if it is not known */
    ad_set: NamedEntity | null
    /** Ad of the touch; null if it is not known */
    ad: NamedEntity | null
    /** Path of the first page; null if it is not known */
    landing_path: string | null
    /** Host of the page that linked here; null if there is none */
    referrer_host: string | null
  }
}

export type VocabularyEntry = {
  /** Key of the answer, unique in the profile */
  key: string
  /** Display label in English */
  label_en: string
  /** Display label in Spanish */
  label_es: string
  /** The credited channels that the answer is compared with */
  channels: Array<"organic_search" | "organic_social" | "email" | "messaging" | "referral" | "affiliate" | "campaign" | "display" | "paid_search" | "paid_social" | "paid_other" | "direct">
  /** True if the profile added this answer */
  is_own: boolean
}

export type WebhookEventType = "connection.connected" | "connection.reconnect_required" | "connection.revoked" | "channel.health.updated" | "handoff.completed" | "recompute.completed" | "conversion.attributed" | "conversion.credited" | "export.completed" | "export.failed" | "data_export.completed" | "data_export.failed" | "profile.freshness.changed" | "doctor.finding.opened" | "doctor.finding.resolved" | "alert.fired" | "alert.recovered" | "outcome.recorded" | "leadgen.received" | "message.received" | "message.sent" | "message.delivered" | "message.failed" | "order.status.changed" | "catalog.updated"

export type WebhookProvider = "platform" | "social_ads" | "engine_ads" | "engine_search_console" | "engine_calendar" | "external_calendar" | "microsoft_ads" | "crmsuite" | "cardpay" | "regionalpay" | "storefront" | "woocommerce" | "hubspot" | "linkedin_ads" | "tiktok_ads" | "cardgateway" | "banklink" | "chatbot" | "chatapp" | "photoapp" | "pagechat" | "mailbox" | "shortvideo"

export type WebhookTestEvent = {
  /** The same as the header webhook-id */
  id: string
  /** Type of the event */
  type: "webhook.test"
  /** When it happened */
  occurred_at: string
  /** Provider of the account, or `platform` for events of the service itself */
  provider: string
  /** Id of the partner app that the event concerns */
  app_id?: string
  /** Id of the connection; null if there is none */
  connection_id: string | null
  /** Payload of the event */
  data: {
    /** Id of the profile */
    profile_id: string
    /** Id of the webhook subscription */
    subscription_id: string
    /** Always true: marks a test */
    test: true
  }
}

/** Context of the response */
export type WhatIfMeta = {
  /** Id of the profile */
  profile_id: string
  /** ISO 4217 code of the currency */
  currency: string
  /** First day of the range, YYYY-MM-DD, in the time zone of the profile */
  date_from: string
  /** Last day of the range, inclusive, YYYY-MM-DD */
  date_to: string
  /** Attribution model that splits the credit */
  model: string
}

export type WhatIfReply = {
  /** Figures of the whole profile */
  total: {
    /** The figures before the change */
    before: {
      /** Payments that the row has credit for */
      outcome_count: number
      /** Sum of the shares of the row in payments, each from 0 to 1 */
      outcome_credit: number
      /** Credited cash, less refunds; null if an exchange rate is missing */
      outcome_value: number | null
    }
    /** The figures after the change */
    after: {
      /** Payments that the row has credit for */
      outcome_count: number
      /** Sum of the shares of the row in payments, each from 0 to 1 */
      outcome_credit: number
      /** Credited cash, less refunds; null if an exchange rate is missing */
      outcome_value: number | null
    }
    /** `after` minus `before`, in the reporting currency; null if one of them is not known */
    value_change: number | null
  }
  /** Changed campaigns, largest change first */
  campaigns: Array<{
    /** Campaign whose credit changes */
    campaign: NamedEntity
    /** The figures before the change */
    before: {
      /** Payments that the row has credit for */
      outcome_count: number
      /** Sum of the shares of the row in payments, each from 0 to 1 */
      outcome_credit: number
      /** Credited cash, less refunds; null if an exchange rate is missing */
      outcome_value: number | null
    }
    /** The figures after the change */
    after: {
      /** Payments that the row has credit for */
      outcome_count: number
      /** Sum of the shares of the row in payments, each from 0 to 1 */
      outcome_credit: number
      /** Credited cash, less refunds; null if an exchange rate is missing */
      outcome_value: number | null
    }
    /** `after` minus `before`, in the reporting currency; null if one of them is not known */
    value_change: number | null
  }>
  /** All channels with credit */
  channels: Array<{
    /** Channel, for example paid_social */
    channel: string
    /** The figures before the change */
    before: {
      /** Payments that the row has credit for */
      outcome_count: number
      /** Sum of the shares of the row in payments, each from 0 to 1 */
      outcome_credit: number
      /** Credited cash, less refunds; null if an exchange rate is missing */
      outcome_value: number | null
    }
    /** The figures after the change */
    after: {
      /** Payments that the row has credit for */
      outcome_count: number
      /** Sum of the shares of the row in payments, each from 0 to 1 */
      outcome_credit: number
      /** Credited cash, less refunds; null if an exchange rate is missing */
      outcome_value: number | null
    }
    /** `after` minus `before`, in the reporting currency; null if one of them is not known */
    value_change: number | null
  }>
  /** Credit without a campaign */
  no_campaign: {
    /** The figures before the change */
    before: {
      /** Payments that the row has credit for */
      outcome_count: number
      /** Sum of the shares of the row in payments, each from 0 to 1 */
      outcome_credit: number
      /** Credited cash, less refunds; null if an exchange rate is missing */
      outcome_value: number | null
    }
    /** The figures after the change */
    after: {
      /** Payments that the row has credit for */
      outcome_count: number
      /** Sum of the shares of the row in payments, each from 0 to 1 */
      outcome_credit: number
      /** Credited cash, less refunds; null if an exchange rate is missing */
      outcome_value: number | null
    }
    /** `after` minus `before`, in the reporting currency; null if one of them is not known */
    value_change: number | null
  }
}

export type WithdrawDpaReply = {
  /** Whether the data-processing agreement is signed */
  status: "not_accepted" | "accepted" | "withdrawn"
  /** Version of the agreement that was signed; null if none was */
  version: string | null
  /** When it was accepted; null until then */
  accepted_at: string | null
  /** When it was withdrawn; null if it was not */
  withdrawn_at: string | null
  /** Id of the partner app */
  app_id: string
}

export type WithdrawDpaRequest = Record<string, unknown>

export type Workspace = {
  /** Id of the workspace */
  id: string
  /** Name of the workspace */
  name: string
  /** IANA time zone, for example Europe/Madrid */
  timezone: string
  plan: Plan
  /** Null for a person with access to individual profiles only */
  role: "owner" | "admin" | "editor" | "viewer" | null
  /** Profile with health data: stricter rules for people and exports */
  healthcare: boolean
  /** When it was created */
  created_at: string
  /** When it was archived; null if it is not */
  archived_at: string | null
}

/** Context of the response */
export type WorkspaceMeta = {
  /** Id of the workspace */
  workspace_id: string
}

/** Context of the response */
export type WorkspaceOrAppMeta = {
  /** Id of the workspace */
  workspace_id?: string
  /** Public id of the app */
  client_id?: string
}

export type WorkspaceTopPerformerRow = {
  /** The platform’s id of the ad */
  ad_external_id: string
  /** Name of the ad; null if the platform has not reported it */
  ad_name: string | null
  /** Name of the campaign; null if the platform has not reported it */
  campaign_name: string | null
  /** Name of the ad set; null if the platform has not reported it */
  ad_set_name: string | null
  /** A copy of the image, served by this service; null if there is none */
  creative_thumbnail_url: string | null
  /** The platform’s id of the video; null if the ad has none */
  video_id: string | null
  /** Days that the score covers */
  score_window: ScoreWindowParam
  /** 0 to 100 within the peer group; ads are ranked by it. Null if the ad is not scored */
  composite_score: number | null
  /** From 0.01 to 0.99 if `status` is `served` */
  top_performer_likelihood: LearnedValue
  /** Version of the model; null if the score comes from rules */
  model_version: number | null
  /** Data that the score is based on */
  score_source: "model" | "rules"
  /** Maturity of the ad’s data */
  maturity_stage: "cold" | "early" | "mature" | "calibrated"
  /** Whether the ad was shown enough for a comparison, and whether it differs from the median of its peer group with 90 % probability; null in older scores */
  evidence: "not_shown_enough" | "no_difference" | "differs" | null
  /** lift: its campaign or ad set has a finished, positive lift study, or a positive geo study that passes its placebo tests (GET …/experiments) */
  truth_grade: "predicted" | "attributed" | "lift"
  /** Outcome type that the score is based on */
  primary_outcome_kind: "cash" | "pipeline" | "messaging" | "meta" | "none"
  /** channel|format|objective|warmth|geo|placement; * for a part that is not compared */
  cohort_key: string
  /** Objective of the peer group */
  cohort_objective: string
  /** Format of the peer group */
  cohort_format: string
  /** Audience of the peer group */
  cohort_audience_warmth: string
  /** Ads in the peer group */
  cohort_n_ads: number
  /** Type of the ad’s opening; null if it is not classified */
  hook_type: string | null
  /** Format of the ad; null if the platform does not report it */
  creative_format: string | null
  /** The platform’s call-to-action type; null if the ad has none */
  cta_type: string | null
  /** Main argument of the ad; null if it is not classified */
  primary_angle: string | null
  /** Offers in the ad */
  offers: Array<string>
  /** Ad spend of the scored days, in the profile’s currency */
  spend: number
  /** Impressions, as the platform reports them */
  impressions: number
  /** Clicks per 100 impressions; null without impressions */
  ctr: number | null
  /** Spend per click; null without clicks */
  cpc: number | null
  /** Payments that have credit */
  attributed_cash_outcomes: number
  /** Credited cash, less refunds */
  attributed_revenue: number
  /** Return on ad spend: credited cash / spend; null without spend */
  roas: number | null
  /** Spend per payment; null without payments */
  cac: number | null
  /** Conversions of all types that have credit */
  attributed_outcomes_total: number
  /** Leads and other non-cash outcomes that have credit */
  attributed_pipeline_outcomes: number
  /** Value of the credited non-cash outcomes */
  attributed_pipeline_value: number
  /** Conversions that the platform reports; null if it reports none */
  meta_reported_conversions: number | null
  /** Value of the conversions that the platform reports; null if it reports none */
  meta_reported_conversion_value: number | null
  /** Spend per conversation started; null without conversations */
  cost_per_conversation: number | null
  /** Conversations started, as the platform reports them */
  messaging_conversations_started: number
  /** Share, from 0 to 1, of the ad’s conversations that the business replied to; null if the platform reports no replies */
  first_reply_rate: number | null
  /** Mean engagement score per day; null if it is not known */
  avg_engagement_score: number | null
  /** From 0.01 to 0.99 if `status` is `served` */
  hazard_30d_pause: LearnedValue
  /** From 0.01 to 0.99 if `status` is `served` */
  hazard_30d_degradation: LearnedValue
  /** medium and high: clicks of the last week are at least 8 or 12 % below the number expected from the ad’s usual rate, beyond chance. low: no such decline was detected, which does not prove that there is none. */
  fatigue_risk_tier: LearnedTier
  expected_lifespan_days: LearnedValue
  /** Layers with a percentile below 0.4 or above 0.6, furthest from the median first; empty if the ad is average in all of them */
  reason_codes: Array<{
    /** Part of the score */
    layer: "delivery" | "attention" | "retention" | "click_intent" | "postclick_messaging" | "attributed_revenue" | "platform_diagnostics"
    /** Mean probability that the ad’s rate is above that of another ad of the peer group; never 0 or 1 */
    percentile: number
    /** How much of the percentile comes from the ad’s own data; not how clear the difference is */
    sample_confidence: "low" | "medium" | "high"
    /** Whether it is a positive or negative signal */
    polarity: "strength" | "weakness"
  }>
  /** All layers, also those close to the median */
  layer_percentiles: Array<{
    /** Part of the score */
    layer: "delivery" | "attention" | "retention" | "click_intent" | "postclick_messaging" | "attributed_revenue" | "platform_diagnostics"
    /** Mean probability that the ad’s rate is above that of another ad of the peer group; never 0 or 1 */
    percentile: number
    /** How much of the percentile comes from the ad’s own data; not how clear the difference is */
    sample_confidence: "low" | "medium" | "high"
  }>
  /** Id of the profile */
  profile_id: string
  /** Name of the profile */
  profile_name: string
  /** Currency of all amounts in the row */
  currency: string
}

/** Payloads of webhooks, discriminated by `type`. */
export type WebhookEvent =
  | ConnectionConnectedEvent
  | ConnectionReconnectRequiredEvent
  | ConnectionRevokedEvent
  | ChannelHealthUpdatedEvent
  | HandoffCompletedEvent
  | RecomputeCompletedEvent
  | ConversionAttributedEvent
  | ConversionCreditedEvent
  | ExportCompletedEvent
  | ExportFailedEvent
  | DataExportCompletedEvent
  | DataExportFailedEvent
  | ProfileFreshnessChangedEvent
  | DoctorFindingOpenedEvent
  | DoctorFindingResolvedEvent
  | AlertFiredEvent
  | AlertRecoveredEvent
  | OutcomeRecordedEvent
  | LeadgenReceivedEvent
  | MessageReceivedEvent
  | MessageSentEvent
  | MessageDeliveredEvent
  | MessageFailedEvent
  | OrderStatusChangedEvent
  | CatalogUpdatedEvent
  | WebhookTestEvent
