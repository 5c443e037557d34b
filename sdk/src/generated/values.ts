// Generated from openapi.json by npm run generate.
import type {
  AdLevel,
  Channel,
  CohortBy,
  CustomerSort,
  DataDrivenReason,
  DataSourceKind,
  ExportKind,
  GapKind,
  KeyScope,
  LinkStatus,
  LivePeriod,
  LiveReport,
  MailboxVendor,
  MessagingChannel,
  ModelParam,
  OutcomeType,
  OverrideChannel,
  Plan,
  PrivacyMode,
  ProblemKind,
  ProviderParam,
  ProviderStatus,
  RestatementCause,
  RevenueType,
  ScoreWindowParam,
  UnattributedReason,
  UtmProblem,
  WebhookEventType,
  WebhookProvider,
} from './types.ts'

export const adLevelValues: readonly AdLevel[] = ["campaign", "ad_set", "ad"]

export const channelValues: readonly Channel[] = ["social_ads", "engine_ads", "engine_search_console", "engine_calendar", "external_calendar", "microsoft_ads", "crmsuite", "cardpay", "regionalpay", "storefront", "woocommerce", "hubspot", "linkedin_ads", "tiktok_ads", "banklink", "chatbot", "pagechat", "photoapp", "chatapp", "mailbox"]

export const cohortByValues: readonly CohortBy[] = ["month", "campaign", "channel"]

export const customerSortValues: readonly CustomerSort[] = ["last_conversion", "revenue", "last_seen", "first_channel"]

export const dataDrivenReasonValues: readonly DataDrivenReason[] = ["too_few_payments", "too_few_visits_without_payment", "one_channel_per_path", "not_better_than_chance", "not_better_than_last_touch", "channel_follows_buyers", "not_computed", "too_much_data"]

export const dataSourceKindValues: readonly DataSourceKind[] = ["website", "crm", "chatapp", "photoapp"]

export const exportKindValues: readonly ExportKind[] = ["social", "engine", "shortvideo", "linkedin", "microsoft"]

export const gapKindValues: readonly GapKind[] = ["not_seen", "untagged_click", "platform_modelled_or_delayed", "unexplained", "not_comparable", "different_day", "outside_our_lookback", "claimed_by_two_platforms", "credited_elsewhere", "outside_platform_window", "refunded", "currency"]

export const keyScopeValues: readonly KeyScope[] = ["analytics:read", "campaigns:apply", "campaigns:read", "connections:read", "connections:write", "conversions:read", "customers:read", "events:write", "exports:read", "exports:write", "identity:read", "identity:write", "mcp:read", "mcp:read_pii", "mcp:write", "messages:write", "payments:read", "payments:write", "realtime:read", "tracking:read", "tracking:write", "visitors:read", "webhooks:read", "webhooks:write"]

export const linkStatusValues: readonly LinkStatus[] = ["pending", "accepted", "rejected"]

export const livePeriodValues: readonly LivePeriod[] = ["last_7_days", "last_28_days", "last_30_days", "last_month"]

export const liveReportValues: readonly LiveReport[] = ["summary", "trend", "changes", "campaigns", "channels"]

export const mailboxVendorValues: readonly MailboxVendor[] = ["gmail", "microsoft_mail"]

export const messagingChannelValues: readonly MessagingChannel[] = ["pagechat", "photoapp", "chatapp"]

export const modelParamValues: readonly ModelParam[] = ["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]

export const outcomeTypeValues: readonly OutcomeType[] = ["lead_created", "dm_started", "appointment_booked", "appointment_attended", "quote_presented", "closed_won"]

export const overrideChannelValues: readonly OverrideChannel[] = ["organic_search", "organic_social", "email", "messaging", "referral", "affiliate", "campaign", "display", "paid_search", "paid_social", "paid_other"]

export const planValues: readonly Plan[] = ["starter", "growth", "agency"]

export const privacyModeValues: readonly PrivacyMode[] = ["standard", "platform_safe", "hipaa"]

export const problemKindValues: readonly ProblemKind[] = ["dead-jobs", "quarantined-events", "stuck-deliveries"]

export const providerParamValues: readonly ProviderParam[] = ["social_ads", "engine_ads", "engine_search_console", "engine_calendar", "external_calendar", "microsoft_ads", "crmsuite", "cardpay", "regionalpay", "storefront", "woocommerce", "hubspot", "linkedin_ads", "tiktok_ads"]

export const providerStatusValues: readonly ProviderStatus[] = ["processing", "success", "partial_success", "failed"]

export const restatementCauseValues: readonly RestatementCause[] = ["late_event", "updated_event", "retraction", "refund", "refund_undone", "payer_assigned", "merge", "merge_undone", "link_decided", "repair", "erasure", "settings_changed", "goal_changed", "spend_restated", "structure_changed", "rate_arrived", "connection_backfill"]

export const revenueTypeValues: readonly RevenueType[] = ["cash", "pipeline", "gross"]

export const scoreWindowParamValues: readonly ScoreWindowParam[] = ["7d", "14d", "28d", "lifetime"]

export const unattributedReasonValues: readonly UnattributedReason[] = ["direct", "organic", "email", "referral", "other_visit", "click_without_ad", "ad_without_campaign", "unknown_payer", "not_creditable", "no_touch"]

export const utmProblemValues: readonly UtmProblem[] = ["missing_tags", "contradictory_tags", "unexpanded_macro", "unknown_ad_id", "shared_utm", "tags_lost"]

export const webhookEventTypeValues: readonly WebhookEventType[] = ["connection.connected", "connection.reconnect_required", "connection.revoked", "channel.health.updated", "handoff.completed", "recompute.completed", "conversion.attributed", "conversion.credited", "export.completed", "export.failed", "data_export.completed", "data_export.failed", "profile.freshness.changed", "doctor.finding.opened", "doctor.finding.resolved", "alert.fired", "alert.recovered", "outcome.recorded", "leadgen.received", "message.received", "message.sent", "message.delivered", "message.failed", "order.status.changed", "catalog.updated"]

export const webhookProviderValues: readonly WebhookProvider[] = ["platform", "social_ads", "engine_ads", "engine_search_console", "engine_calendar", "external_calendar", "microsoft_ads", "crmsuite", "cardpay", "regionalpay", "storefront", "woocommerce", "hubspot", "linkedin_ads", "tiktok_ads", "cardgateway", "banklink", "chatbot", "chatapp", "photoapp", "pagechat", "mailbox", "shortvideo"]
