/** All error codes with status and meaning: the source for responses, OpenAPI and /docs/errors. */
export const errorCatalogue = {
  unauthorized: { status: 401, meaning: 'Missing, malformed, expired or revoked credential.' },
  forbidden: {
    status: 403,
    meaning: 'Valid credential, action not allowed (for example a role lacking permission).',
  },
  insufficient_scope: { status: 403, meaning: 'Credential lacks a required scope.' },
  not_found: {
    status: 404,
    meaning: 'Resource absent or outside what the credential can read; also a path matching no route.',
  },
  invalid_parameter: { status: 400, meaning: 'Query parameter or path segment failed validation.' },
  invalid_request: {
    status: 400,
    meaning: 'Malformed request: invalid JSON, wrong content type, unparseable shape.',
  },
  validation_error: {
    status: 422,
    meaning: 'Body parsed but failed schema validation; message names the field.',
  },
  invalid_content: { status: 400, meaning: 'Body content invalid (empty attachment, wrong multipart part).' },
  invalid_date_range: {
    status: 400,
    meaning:
      'date_from/date_to violate: both required, YYYY-MM-DD, real dates, from <= to, within maximum span.',
  },
  entitlement_required: {
    status: 409,
    meaning:
      'Profile provisioned by an app that has not enabled attribution features; fixed by the app with PUT /profiles/{profileId}/entitlements/attribution. Reads unaffected; profiles created directly never see it.',
  },
  healthcare_scope_forbidden: {
    status: 403,
    meaning:
      "Healthcare profile; person-level reads refused. The outcome replay also returns it for any key other than the provisioning app's.",
  },
  invalid_state: {
    status: 409,
    meaning: 'Resource state forbids the operation (duplicate name, invitation already accepted or revoked).',
  },
  rate_limit_exceeded: { status: 429, meaning: 'Rate limit exceeded; honor the Retry-After header.' },
  connection_not_ready: {
    status: 409,
    meaning: 'Connection exists but is unusable yet (for example no access token).',
  },
  connection_revoked: {
    status: 409,
    meaning:
      'Authorization for a messaging channel ended, token deleted; carries reconnect_required true. Do not retry; reconnect through the hand-off. Conversations are kept.',
  },
  provider_error: {
    status: 502,
    meaning:
      'Upstream provider error. 502 or 503 is transient. On an email send, a provider refusal with no more specific code answers 422 with this code, carrying provider_code and provider_message; the identical retry fails the same way.',
  },
  account_suspended: {
    status: 403,
    meaning:
      'Email send: mailbox provider suspended the account. Do not retry. Connection status becomes needs_action and a channel.health.updated event is pushed; the first accepted send clears it.',
  },
  auth_revoked: {
    status: 403,
    meaning:
      'Email send: OAuth grant revoked, expired or lacking send permission; reconnect_required true; connection marked reconnect_required; connection.reconnect_required and channel.health.updated pushed.',
  },
  mailbox_disabled: {
    status: 403,
    meaning:
      'Email send: no usable mailbox or mail turned off. Do not retry; status needs_action until a send succeeds.',
  },
  quota_exceeded: {
    status: 429,
    meaning:
      'Email send: mailbox quota at the provider (storage full or daily sending limit). Respect Retry-After; distinct from rate_limit_exceeded.',
  },
  recipient_rejected: {
    status: 422,
    meaning: 'Email send: provider refused this recipient; affects this message only.',
  },
  service_unavailable: { status: 503, meaning: 'A needed dependency is unconfigured or down.' },
  api_key_required: {
    status: 403,
    meaning:
      "Route is for a partner app's API key only (POST /customers/erasures). A person uses POST /workspaces/{workspaceId}/customer-erasures as workspace owner or admin.",
  },
  customer_not_found: {
    status: 404,
    meaning:
      'No customer of this profile matches the selector; a customer of another profile gets the same error. Nothing changed.',
  },
  account_connected_elsewhere: {
    status: 409,
    meaning:
      'Chosen account already connected to another profile of the workspace. Nothing written. Also a hand-off reason.',
  },
  conversion_not_found: {
    status: 404,
    meaning: 'No conversion with that handle (outcome_event_id, conversion id or event key) in this profile.',
  },
  event_not_found: {
    status: 404,
    meaning: 'No event ingested with that idempotency_key in this profile; nothing retracted.',
  },
  event_already_exported: {
    status: 409,
    meaning:
      'Event has a conversion export (queued, sent, failed or skipped); nothing deleted. Do not retry.',
  },
  event_linked_to_conversation: {
    status: 409,
    meaning:
      'A chat-app or photo-app conversation recorded the event as its lead; nothing deleted. Do not retry.',
  },
  erasure_not_found: { status: 404, meaning: 'No erasure receipt with that erasure_id in this profile.' },
  link_tokens_disabled: {
    status: 503,
    meaning:
      'Link-identity tokens are off on this deployment (no signing secret configured); not a fault, do not retry; send links without the token.',
  },
  feature_retired: {
    status: 410,
    meaning:
      'Endpoint retired on purpose, until its sunset date. The in-app chat routes (POST /dashboard/chat, POST /workspaces/{workspaceId}/top-performers/chat) return it; use an MCP client instead. Do not retry.',
  },
  not_implemented: {
    status: 501,
    meaning: 'Capability unavailable on this deployment or for this provider.',
  },
  internal_error: { status: 500, meaning: 'Unexpected error; request_id identifies it.' },
  calendar_scope_required: {
    status: 403,
    meaning:
      'Calendar grant lacks the scope needed (calendar.app.created to manage calendars, calendar.acls to share).',
  },
  calendar_unsupported: {
    status: 422,
    meaning: 'The service does not manage the target calendar (for example primary, or an unknown id).',
  },
  provider_not_configured: {
    status: 501,
    meaning:
      'The provider has no app registration on this deployment; its operator must configure it. Do not retry. (Also a hand-off reason, status failed.)',
  },
  invalid_window: { status: 400, meaning: 'Read-events time window exceeds the 90-day cap.' },
  media_expired: {
    status: 410,
    meaning: 'Media id expired or no longer served; chat-app webhook media ids expire after 7 days.',
  },
  chatapp_register_limit: {
    status: 429,
    meaning:
      'Phone-number registration capped at 10 attempts per number per 72 hours; passed through from the provider; never retried server-side.',
  },
  chatapp_payment_required: {
    status: 402,
    meaning: 'Business account has no payment method or funding source declined.',
  },
  messaging_window_closed: {
    status: 422,
    meaning:
      "Messaging window closed; nothing sent. Page messenger: 24 hours after the person's last message, or 7 days for a human agent's reply sent with human_agent: true. Short-video: 48 hours after the person's last message, at most 10 messages in that time, never a conversation the person did not start.",
  },
  pagechat_feature_not_approved: {
    status: 403,
    meaning:
      "Provider refused the send because a feature or permission (for example the Human Agent tag, or page_messaging_subscriptions) is not approved for the service's app. Not a closed window; nothing sent.",
  },
  chatapp_otp_relay_unavailable: { status: 503, meaning: 'OTP-capture relay store unreachable.' },
  audit_timeout: {
    status: 504,
    meaning:
      'On-demand UTM-health scan did not finish in the request budget; the cached summary stays readable; retry later.',
  },
  database_unavailable: {
    status: 503,
    meaning: 'Database unreachable; retry after Retry-After seconds; routes returning this are idempotent.',
  },
  weak_password: { status: 422, meaning: 'New password shorter than the minimum length.' },
  compromised_password: {
    status: 422,
    meaning: 'New password found in a public breach corpus (k-anonymity check).',
  },
  current_password_required: {
    status: 400,
    meaning: 'The account has a password, and the current password is missing.',
  },
  current_password_invalid: { status: 400, meaning: 'The current password is wrong.' },
  plan_upgrade_required: { status: 402, meaning: 'Workspace-admin write needs a higher plan.' },
  chatapp_service_window_expired: {
    status: 422,
    meaning:
      "Customer-service window (24 hours since the customer's last message) closed; use a template or interactive message.",
  },
  payload_too_large: {
    status: 413,
    meaning:
      'Media above per-type cap (5MB image, 16MB video or audio, 100MB document); a template header_media sample over cap (5MB image, 16MB video, 100MB PDF); a media resolve over the 100MB download cap.',
  },
  profile_limit_reached: {
    status: 403,
    meaning:
      "Workspace's active_profiles plan limit reached; carries upgrade_required: true and upgrade: { plan }.",
  },
  idempotency_key_conflict: {
    status: 409,
    meaning: 'Idempotency-Key header already used for a different operation or body. Not retryable as sent.',
  },
  idempotency_key_in_flight: {
    status: 409,
    meaning:
      'First request with this key has not finished; retry with backoff; after it finishes the key replays its response for 24 hours.',
  },
  demo_purge_blocked: {
    status: 409,
    meaning:
      'A trigger refused part of the demo-profile delete (audit evidence); profile archived and seeded data removed; export and signal-audit rows stay. Nothing further needed.',
  },
  workspace_archived: {
    status: 410,
    meaning: "Invitation's workspace is archived; terminal; not retryable.",
  },
  app_provisioned_workspace: {
    status: 403,
    meaning:
      'Workspace provisioned by a consumer app (acquisition source oauth); the service sends no email to its members. No credential changes this.',
  },
  audience_tos_required: {
    status: 428,
    meaning:
      'Ad platform has no record that the ad account accepted its custom-audience terms; the advertiser must accept, then confirm the proposal again.',
  },
  platform_safe_audiences_disabled: {
    status: 409,
    meaning:
      'Profile is in Platform-Safe mode; conversion-sync audiences are never sent; refused before any platform call. Only the partner customer list (/partner/audiences/customer-list, enabled per profile) is allowed.',
  },
  customer_not_in_profile: {
    status: 422,
    meaning: 'Customer belongs to another profile or was merged into another customer.',
  },
  platform_safe_required: {
    status: 409,
    meaning:
      'Profile not in Platform-Safe mode, so a Clean Dataset would have no effect and would use up a self-created-pixel slot; switch first with PUT /conversion-sync/catalog (privacy_mode: platform_safe).',
  },
  social_write_permission_missing: {
    status: 403,
    meaning:
      'Ad connection granted read-only (no ads_management); reconnect and accept manage-ads permission.',
  },
  campaign_not_found: {
    status: 404,
    meaning:
      "No campaign with this platform id in the credential's profile (also for another profile's or a malformed id). Take the id from platform_id of a GET /campaigns row.",
  },
  template_not_found: {
    status: 404,
    meaning:
      "No chat-app template with this name AND language in the connection's cache; a new one appears after POST /chatapp/templates/sync.",
  },
  insights_enabling: {
    status: 409,
    meaning:
      'Template insights were off and were just switched on; retry after retry_after_seconds (also Retry-After).',
  },
  insights_unsupported: {
    status: 422,
    meaning:
      'Platform refuses to enable template insights (small-business app account); retry does not help.',
  },
  social_unavailable: {
    status: 502,
    meaning: 'Platform server error or unreachable while reading template analytics; transient.',
  },
  campaign_not_pausable: {
    status: 409,
    meaning:
      'Only an ACTIVE campaign can be paused; this one is ARCHIVED or DELETED. Nothing written; attempt audited.',
  },
  campaign_not_resumable: {
    status: 409,
    meaning:
      'Only a PAUSED campaign can be resumed. Resuming an already ACTIVE one is 200 with outcome: no_change.',
  },
  campaign_not_editable: { status: 409, meaning: 'Campaign ARCHIVED or DELETED; budget cannot change.' },
  adset_not_editable: {
    status: 409,
    meaning: 'Ad set or its campaign is ARCHIVED or DELETED; budget cannot change.',
  },
  budget_change_out_of_bounds: {
    status: 422,
    meaning:
      "Requested budget (daily or lifetime, ad set or campaign) moves more than plus or minus 50% of the live budget of that type in one step, or is below the floor of 100 minor units. Nothing written; attempt audited. A budget between the floor and the platform's own minimum reaches the platform and its refusal returns as validation_error.",
  },
  clean_dataset_has_live_ad_sets: {
    status: 409,
    meaning:
      'Switching back to the existing dataset would cut off ad sets that still deliver (or the platform could not be read). Move or pause them, or resend POST /conversion-sync/platform-safe/target with confirm_live_ad_sets: true.',
  },
  social_connection_required: {
    status: 409,
    meaning:
      'Operation needs a usable ad-platform connection and none exists (no enabled conversion destination names one, and the profile does not have exactly one connected ad account).',
  },
  consent_required: {
    status: 409,
    meaning:
      'Automated duplicate-and-swap needs proof that a person accepted the current consent text; consent object missing, other version, other text hash, or older than 24 hours. error.consent names the current version and text hashes. Re-send with consent: { version, text_hash, accepted_by, accepted_at }. Nothing sent.',
  },
  amount_invalid: {
    status: 422,
    meaning: 'Refund amount zero, negative, or above payment value minus provider reversals.',
  },
  manual_refund_exists: {
    status: 422,
    meaning: 'Payment already has a manual refund; at most one per payment; delete it first.',
  },
  payment_assignment_incomplete: {
    status: 502,
    meaning: 'Payer assignment recorded but not yet propagated; retry.',
  },
  payment_ref_invalid: { status: 422, meaning: 'Built payment reference malformed.' },
  status_invalid: { status: 422, meaning: 'status query parameter must be all or unidentified.' },
  range_invalid: {
    status: 422,
    meaning: 'from and to must both be present, parseable timestamps, from <= to.',
  },
  unknown_answer_key: {
    status: 422,
    meaning:
      'answer_key not in the declared-source vocabulary; use a listed key, or other with answer_text. Nothing written.',
  },
  unknown_customer_ref: {
    status: 422,
    meaning:
      'customer.external_ref matches no live customer of this profile, and neither customer.email nor customer.phone was sent. A customer is never created from a reference alone. Nothing written.',
  },
  chatapp_connection_required: {
    status: 409,
    meaning:
      'Chat-app dataset needs a live business account connection; reported by GET /conversion-sync/data-sources as reason_code chatapp_not_connected.',
  },
  photoapp_connection_required: {
    status: 409,
    meaning: 'Photo-app dataset needs a connected professional account; reason_code photoapp_not_connected.',
  },
  photoapp_facebook_login_required: {
    status: 409,
    meaning:
      'Photo-app dataset requires an account connected through the linked-page login; reason_code photoapp_facebook_login_required.',
  },
  destination_conflict: {
    status: 409,
    meaning:
      'Another export destination of this profile has the same kind, connection and pixel/conversion-action/pixel-code (social_pixel_id, engine_conversion_action, shortvideo_pixel_code, linkedin_conversion_id); disabled destinations count too; conflicting_destination_id is its id; use PATCH /exports/destinations/{id}.',
  },
  unknown_ad: {
    status: 422,
    meaning: 'ad_id is not an ad of this profile (no ad and no delivery with this id). Nothing written.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>

export type ErrorCode = keyof typeof errorCatalogue

/** 5xx answers about how this deployment is configured or what a request may take: no fault, so no error in the log and no alert. */
export const intendedCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'audit_timeout',
  'link_tokens_disabled',
  'not_implemented',
  'provider_not_configured',
])
