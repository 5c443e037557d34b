# Generated from openapi.json by npm run generate.
from typing import Any, Literal, NotRequired, TypedDict, Union

class ErrorBody_error(TypedDict):
    """What was refused, and how to fix it"""

    code: Literal["unauthorized", "forbidden", "insufficient_scope", "not_found", "invalid_parameter", "invalid_request", "validation_error", "invalid_content", "invalid_date_range", "entitlement_required", "healthcare_scope_forbidden", "invalid_state", "rate_limit_exceeded", "connection_not_ready", "connection_revoked", "provider_error", "account_suspended", "auth_revoked", "mailbox_disabled", "quota_exceeded", "recipient_rejected", "service_unavailable", "api_key_required", "customer_not_found", "account_connected_elsewhere", "conversion_not_found", "event_not_found", "event_already_exported", "event_linked_to_conversation", "erasure_not_found", "link_tokens_disabled", "feature_retired", "not_implemented", "internal_error", "calendar_scope_required", "calendar_unsupported", "provider_not_configured", "invalid_window", "media_expired", "chatapp_register_limit", "chatapp_payment_required", "messaging_window_closed", "pagechat_feature_not_approved", "chatapp_otp_relay_unavailable", "audit_timeout", "database_unavailable", "weak_password", "compromised_password", "current_password_required", "current_password_invalid", "plan_upgrade_required", "chatapp_service_window_expired", "payload_too_large", "profile_limit_reached", "idempotency_key_conflict", "idempotency_key_in_flight", "demo_purge_blocked", "workspace_archived", "app_provisioned_workspace", "audience_tos_required", "platform_safe_audiences_disabled", "customer_not_in_profile", "platform_safe_required", "social_write_permission_missing", "campaign_not_found", "template_not_found", "insights_enabling", "insights_unsupported", "social_unavailable", "campaign_not_pausable", "campaign_not_resumable", "campaign_not_editable", "adset_not_editable", "budget_change_out_of_bounds", "clean_dataset_has_live_ad_sets", "social_connection_required", "consent_required", "amount_invalid", "manual_refund_exists", "payment_assignment_incomplete", "payment_ref_invalid", "status_invalid", "range_invalid", "unknown_answer_key", "unknown_customer_ref", "chatapp_connection_required", "photoapp_connection_required", "photoapp_facebook_login_required", "destination_conflict", "unknown_ad"]
    """Stable: branch on it"""
    message: str
    """Human-readable. Starts with the field name, if a field is invalid."""
    field: NotRequired[str]
    """The invalid field or parameter."""
    problem: NotRequired[str]
    """The problem with the field: the message without the field name."""
    rule: NotRequired[str]
    """The contract rule that the field violates, such as required, uuid or too_big."""
    hint: NotRequired[str]
    """How an API caller can fix it."""
    status: int
    """The HTTP status"""
    request_id: str
    """Id of the request, also in the header X-Request-Id"""
    docs_url: str
    """Page that explains the error"""
    required_scopes: NotRequired[list[str]]
    """Scopes that the operation needs"""
    reason: NotRequired[str]
    """What exactly was refused, for programs"""
    reconnect_required: NotRequired[bool]
    """A person must connect the account again"""
    reconnect_url: NotRequired[str]
    """Link for a person to reconnect"""

class ErrorBody(TypedDict):
    error: "ErrorBody_error"
    """What was refused, and how to fix it"""

class AcceptDpaReply(TypedDict):
    status: Literal["not_accepted", "accepted", "withdrawn"]
    """Whether the data-processing agreement is signed"""
    version: Union[str, None]
    """Version of the agreement that was signed; null if none was"""
    accepted_at: Union[str, None]
    """When it was accepted; null until then"""
    withdrawn_at: Union[str, None]
    """When it was withdrawn; null if it was not"""
    app_id: str
    """Id of the partner app"""

AcceptDpaRequest = dict[str, Any]

class AcceptInvitationReply(TypedDict):
    workspace_id: str
    """Id of the workspace"""
    profile_id: Union[str, None]
    """Id of the profile that the invitation is for; null if it is for the workspace"""
    membership_id: Union[str, None]
    """Id of the profile membership; null for an invitation to the workspace"""
    role: Literal["owner", "admin", "editor", "viewer"]
    """Role in the workspace"""

class AcceptInvitationRequest(TypedDict):
    token: str
    """Token from the link in the mail"""

class ActivateWebPixelReply(TypedDict):
    status: str
    """Whether the pixel is active in the store"""
    web_pixel_id: str
    """The store’s id of the pixel"""

# Level of the ad structure
AdLevel = Literal["campaign", "ad_set", "ad"]

class AdSetSwap(TypedDict):
    id: str
    """The platform’s id of the ad set"""
    replaced_by: str
    """Id of the ad set that replaced it"""

class AddFactorReply(TypedDict):
    id: str
    """Id of the second factor"""
    secret: Union[str, None]
    """For the authenticator app; returned once; null for a passkey"""
    otpauth_url: Union[str, None]
    """The key as a QR code contains it; null for a passkey"""
    options: Union[dict[str, Any], None]
    """For the browser, which creates the passkey; null for an authenticator app"""

class AddFactorRequest(TypedDict):
    kind: Literal["totp", "passkey"]
    """Authenticator app or passkey"""
    name: str
    """Name of the device"""

class AdoptProfileReply(TypedDict):
    profile_id: str
    """Id of the profile"""
    workspace_id: str
    """Id of the workspace"""
    adopted: bool
    """Whether the app has adopted the profile"""
    api_key: NotRequired[str]
    """The API key, shown once"""
    connections_key: NotRequired[str]
    """API key that can only connect accounts, shown once"""

class AdoptProfileRequest(TypedDict):
    scopes: NotRequired[list[str]]
    """Scopes of the credential"""

class Alert(TypedDict):
    id: str
    """Id of the alert"""
    name: str
    """Name of the alert, as people see it"""
    condition: Union["ThresholdCondition", "FindingCondition"]
    """Condition of the alert"""
    campaign_name: Union[str, None]
    """Name of the campaign that it watches; null if it watches all"""
    enabled: bool
    """Whether it is enabled"""
    muted_until: Union[str, None]
    """Until when the alert is silent; null if it is not"""
    state: Literal["ok", "firing"]
    """Whether the condition holds now"""
    fired_on: Union[str, None]
    """The most recent day on which it fired; null if it never did"""
    evaluated_through: Union[str, None]
    """The most recent evaluated day; null before the first"""
    held: Union[str, None]
    """Why the last closed day is not evaluated yet; null if it is"""
    figure: Union["AlertFigure", None]
    """The figure of the most recent evaluated day; null if there is none"""

class AlertFigure(TypedDict):
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    value: Union[float, None]
    """The figure that the rule watches, in its own unit; null if data is missing"""
    before: Union[float, None]
    """The figure of the days that it is compared with; null without a comparison"""
    change_percent: Union[float, None]
    """Change from the previous window in percent; null without one"""
    conversions: int
    """Payments in the days"""
    conversions_before: int
    """Conversions in the previous window"""
    verdict: Literal["breach", "clear", "between", "unknown"]
    """breach: past the threshold. clear: back past the recovery margin. between: past the threshold but a usual change for this profile, or back but within the margin. unknown: not enough data, see reason"""
    reason: Union[Literal["too_few_conversions", "no_spend", "exchange_rate_missing", "nothing_to_compare", "too_little_history", "usual_change", "no_more_data"], None]
    """Why the figure could not be compared, or did not fire the rule; null if there is nothing to explain"""
    check_ids: list[str]
    """Checks with open findings; empty for a threshold"""

class AlertFiredEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    alert_id: str
    """Id of the alert"""
    name: str
    """Name of the alert, as people see it"""
    kind: Literal["threshold", "finding"]
    """Whether it watches a figure or findings of the checks"""
    day: str
    """The closed day that was evaluated"""
    metric: Union[str, None]
    """Figure that the rule watches; null for findings"""
    campaign_id: Union[str, None]
    """Id of the campaign that it watches; null for the whole profile"""
    direction: Union[str, None]
    """Whether it fires above or below the threshold; null for findings"""
    comparison: Union[str, None]
    """Whether the figure itself or its change is compared; null for findings"""
    threshold: Union[float, None]
    """Value that the figure is compared with, in its own unit; null for findings"""
    window_days: Union[int, None]
    """Number of closed days that are summed; null for findings"""
    value: Union[float, None]
    """The figure, in its own unit; null if data is missing"""
    before: Union[float, None]
    """The figure of the days that it is compared with; null without a comparison"""
    change_percent: Union[float, None]
    """Change from those days in percent; null without a comparison"""
    conversions: int
    """Payments in the days"""
    currency: str
    """ISO 4217 code of the currency"""
    check_ids: list[str]
    """Ids of the checks with open findings; empty for a threshold"""

class AlertFiredEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["alert.fired"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "AlertFiredEvent_data"
    """Payload of the event"""

class AlertLogEntry(TypedDict):
    id: str
    """Id of the entry"""
    alert_id: str
    """Id of the alert"""
    kind: Literal["fired", "recovered"]
    """Whether the alert fired or recovered"""
    day: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    name: str
    """Name of the alert"""
    condition: Union["ThresholdCondition", "FindingCondition"]
    """Condition of the alert"""
    campaign_name: Union[str, None]
    """Name of the campaign; null if the alert watches all campaigns"""
    figure: "AlertFigure"
    """Value of the monitored figure at that time"""
    recovered_on: Union[str, None]
    """For kind fired: the day it recovered; null while it is firing"""
    is_muted: bool
    """True if it was not sent"""
    created_at: str
    """When it was created"""

class AlertRecoveredEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    alert_id: str
    """Id of the alert"""
    name: str
    """Name of the alert, as people see it"""
    kind: Literal["threshold", "finding"]
    """Whether it watches a figure or findings of the checks"""
    day: str
    """The closed day that was evaluated"""
    metric: Union[str, None]
    """Figure that the rule watches; null for findings"""
    campaign_id: Union[str, None]
    """Id of the campaign that it watches; null for the whole profile"""
    direction: Union[str, None]
    """Whether it fires above or below the threshold; null for findings"""
    comparison: Union[str, None]
    """Whether the figure itself or its change is compared; null for findings"""
    threshold: Union[float, None]
    """Value that the figure is compared with, in its own unit; null for findings"""
    window_days: Union[int, None]
    """Number of closed days that are summed; null for findings"""
    value: Union[float, None]
    """The figure, in its own unit; null if data is missing"""
    before: Union[float, None]
    """The figure of the days that it is compared with; null without a comparison"""
    change_percent: Union[float, None]
    """Change from those days in percent; null without a comparison"""
    conversions: int
    """Payments in the days"""
    currency: str
    """ISO 4217 code of the currency"""
    check_ids: list[str]
    """Ids of the checks with open findings; empty for a threshold"""

class AlertRecoveredEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["alert.recovered"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "AlertRecoveredEvent_data"
    """Payload of the event"""

class Annotation(TypedDict):
    id: str
    """Id of the annotation"""
    day: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    text: str
    """Text of the note"""
    created_at: str
    """When it was created"""
    updated_at: str
    """When it was last changed"""

class AnswerShare(TypedDict):
    answer_key: str
    """Key of the answer in the vocabulary"""
    credit: float
    """Customers with this answer; fractional under models that divide credit"""
    share: Union[float, None]
    """Share of the customers who answered, 0 to 1; null without answers"""
    share_low: Union[float, None]
    """Lower bound of the 95 % interval (Wilson); null without answers"""
    share_high: Union[float, None]
    """Upper bound of the 95 % interval; null without answers"""

class ApiKey(TypedDict):
    id: str
    """Id of the API key"""
    hint: str
    """First and last characters, to recognise it"""
    name: Union[str, None]
    """Name of the API key; null if it has none"""
    profile_id: str
    """Id of the profile"""
    scopes: list[str]
    """Scopes of the credential"""
    app_id: Union[str, None]
    """The partner app that the key was issued to; null if it was not issued to an app"""
    created_at: str
    """When it was created"""
    expires_at: Union[str, None]
    """When it expires; null if it does not"""
    revoked_at: Union[str, None]
    """When it stops working, in the future while a rotated key still works; null if it is not revoked"""
    last_used_on: Union[str, None]
    """Last day of use; null if there was none"""

class AppMeta(TypedDict):
    """Context of the response"""

    client_id: str
    """Public id of the app"""

class AppliedConsent(TypedDict):
    ad_user_data: Literal["granted", "denied", "unspecified"]
    """Consent to send data of the person to ad platforms"""
    ad_personalization: Literal["granted", "denied", "unspecified"]
    """Consent to personalised ads"""
    source: Union[Literal["gpc", "page", "tcf", "consent_mode", "shopify", "wp", "attribute", "tracker", "api", "integration", "import", "default"], None]
    """What stated it; null if nothing did"""
    stated_at: Union[str, None]
    """When it was stated; null if nothing was"""

ApproveReportRequest = dict[str, Any]

class ArchiveCounts(TypedDict):
    profiles_archived: int
    """Number of archived profiles"""
    memberships_removed: int
    """Number of removed memberships"""
    invitations_revoked: int
    """Number of revoked invitations"""
    api_keys_revoked: int
    """Number of revoked API keys"""
    webhook_subscriptions_paused: int
    """Number of paused webhook subscriptions"""
    retained_conversion_exports: int
    """Number of sent conversions retained as evidence"""
    retained_signal_audit_rows: int
    """Number of audit log rows retained as evidence"""

class ArchiveProfileReply(TypedDict):
    profile_id: str
    """Id of the profile"""
    archived: bool
    """Whether it is archived"""
    archived_at: str
    """When it was archived"""

class ArchiveWorkspaceMeta(TypedDict):
    """Context of the response"""

    workspace_id: str
    """Id of the workspace"""

class ArchiveWorkspaceReply(TypedDict):
    workspace_id: str
    """Id of the workspace"""
    archived: bool
    """Whether it is archived"""
    archived_at: str
    """When it was archived"""
    counts: "ArchiveCounts"
    """Count per kind"""
    profiles_purged: int
    """Number of deleted profiles"""

class AttributionSettings(TypedDict):
    lookback_days: int
    """Lookback window in days: visits within it can get credit"""
    first_touch_lookback_days: int
    """Lookback window in days for the model first_touch"""
    half_life_days: int
    """For the model time_decay: the weight of a visit halves every this many days"""
    grace_hours: int
    """Hours that a day stays open for late events after it ends"""
    updated_at: Union[str, None]
    """When it was last changed; null if it never was"""

class Branding(TypedDict):
    display_name: Union[str, None]
    """Business name on hand-off pages and in mails; null if it is not set"""
    primary_color: Union[str, None]
    """Color of buttons and links, such as `#1a2b3c`; null if it is not set"""
    accent_color: Union[str, None]
    """Accent color of pages and mails, such as `#1a2b3c`; null if it is not set"""
    support_email: Union[str, None]
    """Email address to which customers may write; null if it is not set"""
    website_url: Union[str, None]
    """URL of the business’s website; null if there is none"""
    logo_url: Union[str, None]
    """Public address of the logo; null without a logo"""
    updated_at: Union[str, None]
    """When it was last changed; null if it never was"""

class BriefSentence_parts_item_link(TypedDict):
    """Page of the figure; null for plain text"""

    page: Literal["overview", "campaigns", "unattributed", "connections", "data-health", "pacing", "goals"]
    """Page of the console"""
    campaign_id: Union[str, None]
    """Id of the campaign to open; null for other pages"""
    date_from: Union[str, None]
    """First day of the range to open; null for pages without a range"""
    date_to: Union[str, None]
    """Last day of the range to open, inclusive; null for pages without a range"""
    api: str
    """API request that returns the figure"""

class BriefSentence_parts_item(TypedDict):
    text: str
    """Text of this part of the sentence"""
    link: Union["BriefSentence_parts_item_link", None]
    """Page of the figure; null for plain text"""

class BriefSentence(TypedDict):
    kind: Literal["stale", "empty", "revenue", "mover", "spend", "data_problem", "goal", "pacing", "restated"]
    """Topic of the sentence"""
    tone: Literal["good", "bad", "neutral"]
    """Whether the news is good or bad; neutral for a change of a size that the profile often shows"""
    text: str
    """The complete sentence"""
    parts: list["BriefSentence_parts_item"]
    """The same text, split at figures that link to their report"""

class BriefSubscription(TypedDict):
    profile_id: str
    """Id of the profile"""
    cadence: Literal["daily", "weekly", "never"]
    """When briefs are sent. daily: covers yesterday; weekly: covers the last 7 days; never: alerts only"""
    weekday: int
    """For weekly briefs; 1 is Monday"""
    time: str
    """Wall-clock time in the profile’s time zone, such as 08:00"""
    language: Literal["en", "es"]
    """Language of the text"""
    alerts: bool
    """Whether alerts are sent to this receiver too; default: true unless cadence is never"""
    next_run_at: Union[str, None]
    """When the next brief is due; null for never"""

class BriefWebhook(TypedDict):
    id: str
    """Id of the brief webhook"""
    profile_id: str
    """Id of the profile"""
    cadence: Literal["daily", "weekly", "never"]
    """When briefs are sent. daily: covers yesterday; weekly: covers the last 7 days; never: alerts only"""
    weekday: int
    """For weekly briefs; 1 is Monday"""
    time: str
    """Wall-clock time in the profile’s time zone, such as 08:00"""
    language: Literal["en", "es"]
    """Language of the text"""
    alerts: bool
    """Whether alerts are sent to this receiver too; default: true unless cadence is never"""
    next_run_at: Union[str, None]
    """When the next brief is due; null for never"""
    kind: Literal["slack", "teams"]
    """Chat service that receives the message"""
    name: str
    """Display name of the channel"""
    host: str
    """Host of the address; the address itself is a secret and is not returned"""
    last_sent_at: Union[str, None]
    """When the most recent message was delivered; null if none was"""
    last_error: Union[str, None]
    """Why the most recent message was not delivered; null if it was"""

class Budget(TypedDict):
    daily_budget: NotRequired[Union[float, str]]
    """Budget per day in the currency of the account"""
    lifetime_budget: NotRequired[Union[float, str]]
    """Budget for the whole run in the currency of the account"""

class BudgetChange(TypedDict):
    platform_id: str
    """The platform’s id"""
    outcome: Literal["changed", "no_change"]
    """Whether the platform made the change"""
    budget_type: Literal["daily", "lifetime"]
    """daily or lifetime"""
    previous_budget: Union[float, None]
    """Budget before the change; null if there was none"""
    budget: float
    """Budget in the currency of the account"""
    currency: str
    """ISO 4217 code of the currency"""

class Calendar(TypedDict):
    id: str
    """The platform’s id"""
    connection_id: str
    """Id of the connection"""
    provider: Literal["engine_calendar", "external_calendar"]
    """Provider of the account, for example social_ads"""
    name: str
    """Name of the calendar"""
    timezone: Union[str, None]
    """IANA time zone; null if the provider does not report it"""
    is_primary: bool
    """Whether it is the main calendar of the account"""
    is_managed: bool
    """Created by `POST /calendars`"""

class CalendarEvent_guests_item(TypedDict):
    email: str
    """Email address of the guest"""
    name: Union[str, None]
    """Name of the guest; null if the calendar does not report it"""
    reply: Literal["accepted", "declined", "open"]
    """Response of the guest"""
    customer_id: str
    """Id of the customer"""

class CalendarEvent(TypedDict):
    id: str
    """Id of the appointment at the provider"""
    title: Union[str, None]
    """Null if no guest is a customer"""
    starts_at: str
    """When the appointment starts"""
    ends_at: str
    """When the appointment ends"""
    is_all_day: bool
    """Whether it is an all-day event"""
    is_recurring: bool
    """Whether it repeats"""
    booked_at: Union[str, None]
    """When the appointment was booked; null if the calendar does not report it"""
    guests: list["CalendarEvent_guests_item"]
    """The guests who are invited"""
    other_guests: int
    """Number of guests who are not customers"""

class Calibration_buyers(TypedDict):
    """For a lift study that counts buyers: people who would not have bought without the ads, in the days of the study; null for other studies"""

    incremental: float
    """Incremental buyers according to the study"""
    incremental_low: float
    """Lower bound of the interval"""
    incremental_high: float
    """Upper bound of the interval"""
    credited: int
    """Distinct customers with a payment credited to these ads in those days"""

class Calibration(TypedDict):
    experiment_id: str
    """The study, as in GET …/experiments"""
    kind: Literal["lift", "geo"]
    """Kind of study that the factor comes from"""
    name: str
    """Name of the study"""
    ends_at: str
    """When the study ended"""
    level: float
    """Confidence level of the intervals, such as 0.95"""
    factor: Union[float, None]
    """Incremental over credited outcomes in the days of the study; null for a study that counts buyers"""
    factor_low: Union[float, None]
    """Lower bound of the interval of `factor`; null without an interval"""
    factor_high: Union[float, None]
    """Upper bound of the interval of `factor`; null without an interval"""
    incremental_value: Union[float, None]
    """`outcome_value` times `factor`; null without a study"""
    incremental_low: Union[float, None]
    """Lower bound of the interval of `incremental_value`; null without an interval"""
    incremental_high: Union[float, None]
    """Upper bound of the interval of `incremental_value`; null without an interval"""
    buyers: Union["Calibration_buyers", None]
    """For a lift study that counts buyers: people who would not have bought without the ads, in the days of the study; null for other studies"""

class CampaignTotal(TypedDict):
    """Total of all rows, on all pages; a payment shared by several rows counts once. With parent_id, the figures of the parent."""

    outcome_count: int
    """Payments in which the row has a part"""
    outcome_credit: float
    """The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments"""
    outcome_value: Union[float, None]
    """Credited cash less refunds; null if no exchange rate is known"""
    attributed_outcome_count: int
    """Conversions of all types that the row has credit for"""
    attributed_outcomes_by_type: "OutcomesByType"
    """`attributed_outcome_count` by `outcome_type`"""
    fx_missing: int
    """Amounts left out because their exchange rate is missing"""
    spend: Union[float, None]
    """Null if no exchange rate is known"""
    roas: Union[float, None]
    """`outcome_value` divided by `spend`; null without spend"""
    cac: Union[float, None]
    """`spend` divided by `outcome_count`; null without payments or spend"""
    new_customer_count: int
    """First payments in which the row has a part; a deposit and its balance within 7 days count as one"""
    new_customer_value: Union[float, None]
    """Cash of these payments less refunds; null if an exchange rate is missing"""
    new_customer_cac: Union[float, None]
    """`spend` divided by `new_customer_count`; null without new customers or spend"""
    new_customer_roas: Union[float, None]
    """`new_customer_value` divided by `spend`; null without spend"""
    impressions: int
    """Impressions, as the platform reports them"""
    clicks: int
    """Clicks, as the platform reports them"""
    reach: Union[int, None]
    """Unique accounts as reported by the platform for the range; null otherwise, because reach of days or ads does not add up"""
    ctr: Union[float, None]
    """Clicks per 100 impressions; null without impressions"""
    avg_cpm: Union[float, None]
    """Spend per 1,000 impressions; null without impressions"""
    avg_cpc: Union[float, None]
    """Spend per click; null without clicks"""
    messaging_conversations_started_7d: Union[int, None]
    """Conversations started within 7 days of a click, as the platform reports them; null if it does not"""
    ratios_over: Literal["credited"]
    """roas and cac use credited money and payments, not all of the profile’s"""

class Candidate(TypedDict):
    id: str
    """Id of the account, to pass as `candidate_id`"""
    name: str
    """Name of the account at the provider"""
    kind: Literal["ad_account", "property", "location", "account", "store"]
    """What kind of account it is at the provider"""
    currency: Union[str, None]
    """ISO 4217 code of the account’s currency; null if the provider does not report it"""
    timezone: Union[str, None]
    """IANA time zone; null if the provider does not report it"""

class CatalogConversion(TypedDict):
    conversion_key: str
    """Key of the goal, unique in the profile"""
    enabled: bool
    """Whether it is enabled"""
    send_value: bool
    """Whether the amount is sent to the platform"""
    consent_default: Literal["granted", "denied", "unspecified"]
    """Consent of events without `properties.consent`"""

class CatalogUpdatedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    provider: str
    """Provider of the account, for example social_ads"""
    connection_id: str
    """Id of the connection"""
    account_id: str
    """The account’s id at the provider"""
    product_id: str
    """The store’s id of the product"""
    change: Literal["created", "updated", "deleted"]
    """What happened to the product"""

class CatalogUpdatedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["catalog.updated"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "CatalogUpdatedEvent_data"
    """Payload of the event"""

class ChangeEmailRequest(TypedDict):
    email: str
    """Email address of the account"""
    current_password: NotRequired[str]
    """The current password"""

class ChangePasswordRequest(TypedDict):
    current_password: NotRequired[str]
    """The current password"""
    new_password: str
    """The new password"""

class ChangedFigures(TypedDict):
    outcome_count: int
    """Number of payments that have credit"""
    attributed_outcome_count: int
    """Conversions of all types that have credit"""
    outcome_value: float
    """Cash less refunds; amounts without an exchange rate are not included"""
    spend: float
    """Ad spend in the reporting currency"""

Channel = Literal["social_ads", "engine_ads", "engine_search_console", "engine_calendar", "external_calendar", "microsoft_ads", "crmsuite", "cardpay", "regionalpay", "storefront", "woocommerce", "hubspot", "linkedin_ads", "tiktok_ads", "banklink", "chatbot", "pagechat", "photoapp", "chatapp", "mailbox"]

class ChannelHealthUpdatedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    provider: str
    """Provider of the account, for example social_ads"""
    connection_id: str
    """Id of the connection"""
    status: str
    """Status of the connection after the change"""
    reason: Union[str, None]
    """Why the status changed; null if the provider gives no reason"""

class ChannelHealthUpdatedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["channel.health.updated"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "ChannelHealthUpdatedEvent_data"
    """Payload of the event"""

class ChannelOverride(TypedDict):
    kind: Literal["host", "source"]
    """`host`: a site and its subdomains; `source`: a complete utm_source"""
    value: str
    """The host, or the complete utm_source, in lower case"""
    channel: "OverrideChannel"
    """Channel of the visits that the rule matches"""

class ChannelOverrideInput(TypedDict):
    kind: Literal["host", "source"]
    """`host`: a site and its subdomains; `source`: a complete utm_source"""
    value: str
    """The host, or the complete utm_source, in lower case"""
    channel: "OverrideChannel"
    """Channel of the visits that the rule matches"""

class ChannelRow_days_item(TypedDict):
    date: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    value: float
    """Revenue of the day"""

class ChannelRow(TypedDict):
    channel: str
    """paid_search, paid_social, paid_other, organic_search, email, direct …; `unknown` is revenue without a touch"""
    outcome_count: int
    """Payments in which the row has a part"""
    outcome_credit: float
    """The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments"""
    outcome_value: Union[float, None]
    """Credited cash less refunds; null if no exchange rate is known"""
    attributed_outcome_count: int
    """Conversions of all types that the row has credit for"""
    attributed_outcomes_by_type: "OutcomesByType"
    """`attributed_outcome_count` by `outcome_type`"""
    fx_missing: int
    """Amounts left out because their exchange rate is missing"""
    spend: Union[float, None]
    """Null if no exchange rate is known"""
    roas: Union[float, None]
    """`outcome_value` divided by `spend`; null without spend"""
    cac: Union[float, None]
    """`spend` divided by `outcome_count`; null without payments or spend"""
    new_customer_count: int
    """First payments in which the row has a part; a deposit and its balance within 7 days count as one"""
    new_customer_value: Union[float, None]
    """Cash of these payments less refunds; null if an exchange rate is missing"""
    new_customer_cac: Union[float, None]
    """`spend` divided by `new_customer_count`; null without new customers or spend"""
    new_customer_roas: Union[float, None]
    """`new_customer_value` divided by `spend`; null without spend"""
    sources: list["ChannelSource"]
    """By outcome_value, highest first"""
    days: NotRequired[list["ChannelRow_days_item"]]
    """With `by_day`: every day of the range; the days add up to outcome_value"""

class ChannelSource(TypedDict):
    source: Union[str, None]
    """The ad platform, utm_source or site; null if unknown"""
    kind: Literal["ads", "clicks_without_ad", "visits"]
    """Known ads, paid clicks without an ad, or visits without a paid click"""
    outcome_count: int
    """Payments in which the row has a part"""
    outcome_credit: float
    """The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments"""
    outcome_value: Union[float, None]
    """Credited cash less refunds; null if no exchange rate is known"""
    attributed_outcome_count: int
    """Conversions of all types that the row has credit for"""
    attributed_outcomes_by_type: "OutcomesByType"
    """`attributed_outcome_count` by `outcome_type`"""
    fx_missing: int
    """Amounts left out because their exchange rate is missing"""
    spend: Union[float, None]
    """Null if no exchange rate is known"""
    roas: Union[float, None]
    """`outcome_value` divided by `spend`; null without spend"""
    cac: Union[float, None]
    """`spend` divided by `outcome_count`; null without payments or spend"""
    new_customer_count: int
    """First payments in which the row has a part; a deposit and its balance within 7 days count as one"""
    new_customer_value: Union[float, None]
    """Cash of these payments less refunds; null if an exchange rate is missing"""
    new_customer_cac: Union[float, None]
    """`spend` divided by `new_customer_count`; null without new customers or spend"""
    new_customer_roas: Union[float, None]
    """`new_customer_value` divided by `spend`; null without spend"""

class ChatNumber(TypedDict):
    id: str
    """The platform’s id of the phone number"""
    number: Union[str, None]
    """The phone number, as the platform shows it; null if it reports none"""
    verification: Union[str, None]
    """Verification status at the platform; null if it reports none"""
    status: Union[str, None]
    """Status of the number at the platform; null if it reports none"""

class ChatTemplate_insights_item(TypedDict):
    day: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    sent: Union[int, None]
    """Number of messages that were sent; null if the platform reports no figures"""
    delivered: Union[int, None]
    """Number of messages that were delivered; null if the platform reports no figures"""
    read: Union[int, None]
    """Number of messages that were read; null if the platform reports no figures"""
    clicked: Union[int, None]
    """Number of people who clicked; null if the platform reports no figures"""

class ChatTemplate(TypedDict):
    id: str
    """The platform’s id of the template"""
    account_id: str
    """The account’s id at the provider"""
    name: str
    """Name of the chat template"""
    language: str
    """Language of the text, for example en"""
    status: Union[str, None]
    """Status of the template at the platform; null if it reports none"""
    category: Union[str, None]
    """The page’s category at the platform; null if the platform reports none"""
    updated_at: str
    """When it was last changed"""
    insights: Union[list["ChatTemplate_insights_item"], None]
    """By UTC day, oldest first; null if not requested"""

class ClientReport_recipients(TypedDict):
    """Email addresses that receive the report"""

    total: int
    """Number of recipients"""
    sent: int
    """Number of recipients who were mailed"""
    unsubscribed: int
    """Number of unsubscribed addresses"""
    failed: int
    """Number of recipients whose mail failed"""

class ClientReport(TypedDict):
    id: str
    """Id of the client report"""
    batch_id: str
    """Shared by the reports of one request"""
    profile_id: str
    """Id of the profile"""
    profile_name: str
    """Name of the profile"""
    period: Literal["last_7_days", "last_28_days", "last_30_days", "last_month", "custom"]
    """Days that the report covers"""
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]
    """Attribution model that splits the credit"""
    format: Literal["pdf", "html", "csv"]
    """File format of the report"""
    language: Literal["en", "es"]
    """Language of the report"""
    status: Literal["queued", "ready", "awaiting_approval", "sent", "failed", "skipped"]
    """queued: being built, or held while data is missing; ready: built, and being mailed if it has recipients; awaiting_approval: mailed once a member approves it; skipped: not built or not mailed, see reason"""
    reason: Union[Literal["data_stale", "no_data", "build_failed", "mail_failed", "some_mails_failed", "all_unsubscribed", "not_allowed", "no_mail_server"], None]
    """no_mail_server: with the status sent, the mail was only written to the data folder. Null if there is nothing to explain"""
    detail: Union[str, None]
    """The reason as a sentence; null without a reason"""
    is_scheduled: bool
    """True if a schedule created it"""
    recipients: "ClientReport_recipients"
    """Email addresses that receive the report"""
    download_url: Union[str, None]
    """URL of the file; valid for a short time; null until the report is built"""
    result_hash: Union[str, None]
    """Equals the result_hash of GET /reports/overview over the same days and model while the data is the same; null until the report is built"""
    created_at: str
    """When it was created"""
    sent_at: Union[str, None]
    """When it was sent; null until then"""

class Cohort(TypedDict):
    key: Union[str, None]
    """The month (YYYY-MM), campaign_id or channel; null for customers without a campaign"""
    name: Union[str, None]
    """Name of the group; null for customers without one"""
    size: int
    """Customers whose first payment is in the range and is credited to the cohort, at least in part"""
    spend: Union[float, None]
    """Spend in the range; null if no exchange rate is known"""
    cumulative_revenue: list[Union[float, None]]
    """Cumulative payments of these customers less refunds at the end of each month; index 0 is the month of the first payment"""
    paying_customers: list[Union[int, None]]
    """Number of them who paid in that month"""
    payback_month: Union[int, None]
    """First index at which cumulative revenue reaches spend; null if it has not, and without spend"""

CohortBy = Literal["month", "campaign", "channel"]

class CohortTotal(TypedDict):
    size: int
    """Customers whose first payment is in the range, each once; rows that share a customer add up to more"""
    spend: Union[float, None]
    """Spend in the range; null if no exchange rate is known"""
    cumulative_revenue: list[Union[float, None]]
    """Cumulative payments of these customers less refunds at the end of each month; index 0 is the month of the first payment"""
    paying_customers: list[Union[int, None]]
    """Number of them who paid in that month"""
    payback_month: Union[int, None]
    """First index at which cumulative revenue reaches spend; null if it has not, and without spend"""

class ComparePlatformsReply_platforms_item_compared(TypedDict):
    """Totals of the entities of the level for which the platform reports conversions. Revenue, values and ROAS of both sides cover only the valued_entities, for which the platform also reports a value, if there are any. Null without such entities, and under linear and time_decay, where rows share conversions"""

    entities: int
    """Campaigns, ad sets or ads with figures from both sides"""
    valued_entities: int
    """Entities for which the platform reports a value"""
    spend: Union[float, None]
    """Ad spend; null if the exchange rate is missing"""
    platform_conversions: Union[float, None]
    """Conversions that the platform reports; null if it reports none"""
    platform_conversion_value: Union[str, None]
    """Value of the conversions that the platform reports; null if it reports none"""
    atribu_conversions: int
    """Conversions credited here"""
    atribu_cash_conversions: int
    """Payments credited here"""
    atribu_cash_revenue: Union[str, None]
    """Cash credited here, less refunds; null if the exchange rate is missing"""
    conversion_gap: Union[float, None]
    """Conversions credited here minus those that the platform reports; null if the platform reports none"""
    conversion_gap_pct: Union[float, None]
    """The gap in per cent of the conversions that the platform reports; null if it reports none"""
    value_gap: Union[str, None]
    """Cash credited here minus the value that the platform reports; null if it reports none"""
    platform_roas: Union[float, None]
    """Return on ad spend as the platform reports it; null without spend or if it reports no value"""
    atribu_roas: Union[float, None]
    """Return on ad spend from the credit here; null without spend"""

class ComparePlatformsReply_platforms_item(TypedDict):
    platform: str
    """Ad platform, for example social_ads"""
    spend: Union[float, None]
    """Ad spend; null if the exchange rate is missing"""
    platform_conversions: Union[float, None]
    """Conversions that the platform reports; null if it reports none"""
    platform_conversion_value: Union[str, None]
    """Value of the conversions that the platform reports; null if it reports none"""
    atribu_conversions: int
    """Conversions credited here"""
    atribu_cash_conversions: int
    """Payments credited here"""
    atribu_cash_revenue: Union[str, None]
    """Cash credited here, less refunds; null if the exchange rate is missing"""
    conversion_gap: Union[float, None]
    """Conversions credited here minus those that the platform reports; null if the platform reports none"""
    conversion_gap_pct: Union[float, None]
    """The gap in per cent of the conversions that the platform reports; null if it reports none"""
    value_gap: Union[str, None]
    """Cash credited here minus the value that the platform reports; null if it reports none"""
    platform_roas: Union[float, None]
    """Return on ad spend as the platform reports it; null without spend or if it reports no value"""
    atribu_roas: Union[float, None]
    """Return on ad spend from the credit here; null without spend"""
    compared: Union["ComparePlatformsReply_platforms_item_compared", None]
    """Totals of the entities of the level for which the platform reports conversions. Revenue, values and ROAS of both sides cover only the valued_entities, for which the platform also reports a value, if there are any. Null without such entities, and under linear and time_decay, where rows share conversions"""
    reported_basis: str
    """How the platform assigns a conversion to a day"""
    has_delivery: bool
    """Whether the platform delivered ads in the range"""
    delivery_through: Union[str, None]
    """Last day with data from the platform; null if there is none"""
    unassigned_conversions: int
    """Conversions credited to the platform but to none of its rows"""
    unassigned_cash_revenue: Union[str, None]
    """Cash credited to the platform but to none of its rows; null if an exchange rate is missing"""

class ComparePlatformsReply_rows_item(TypedDict):
    kind: Literal["entity", "not_assigned"]
    """Whether the row is an entity or the part without one"""
    entity_id: Union[str, None]
    """Id of the campaign, ad set or ad; null for the part without one"""
    entity_level: "AdLevel"
    """campaign, ad_set or ad"""
    platform: str
    """Ad platform, for example social_ads"""
    platform_id: Union[str, None]
    """The platform’s id of the campaign, ad set or ad; null for the part without one"""
    name: Union[str, None]
    """Name of the campaign, ad set or ad; null if the platform has not reported it"""
    spend: Union[float, None]
    """Ad spend; null if the exchange rate is missing"""
    platform_conversions: Union[float, None]
    """Conversions that the platform reports; null if it reports none"""
    platform_conversion_value: Union[str, None]
    """Value of the conversions that the platform reports; null if it reports none"""
    atribu_conversions: int
    """Conversions credited here"""
    atribu_cash_conversions: int
    """Payments credited here"""
    atribu_cash_revenue: Union[str, None]
    """Cash credited here, less refunds; null if the exchange rate is missing"""
    conversion_gap: Union[float, None]
    """Conversions credited here minus those that the platform reports; null if the platform reports none"""
    conversion_gap_pct: Union[float, None]
    """The gap in per cent of the conversions that the platform reports; null if it reports none"""
    value_gap: Union[str, None]
    """Cash credited here minus the value that the platform reports; null if it reports none"""
    platform_roas: Union[float, None]
    """Return on ad spend as the platform reports it; null without spend or if it reports no value"""
    atribu_roas: Union[float, None]
    """Return on ad spend from the credit here; null without spend"""

class ComparePlatformsReply(TypedDict):
    platforms: list["ComparePlatformsReply_platforms_item"]
    """Figures of each ad platform"""
    rows: list["ComparePlatformsReply_rows_item"]
    """Figures of each campaign, ad set or ad"""

class ComplianceOverview_profiles_item(TypedDict):
    profile_id: str
    """Id of the profile"""
    name: str
    """Name of the profile"""
    privacy_mode: Literal["standard", "platform_safe", "hipaa"]
    """What data about people may be sent to ad platforms"""
    is_healthcare: bool
    """Profile with health data: stricter rules for people and exports"""
    hipaa_agreement_signed_at: Union[str, None]
    """When the agreement for health data was signed; null if it is not signed"""
    export_destinations: int
    """Number of enabled export destinations"""
    provisioned_by_app_id: Union[str, None]
    """Id of the partner app that created the profile; null if a person did"""
    partner_apps: int
    """Number of apps with a valid authorization"""
    partner_apps_reading_people: int
    """Partner apps with access to people"""

class ComplianceOverview(TypedDict):
    healthcare: bool
    """True if the workspace is a healthcare agency; all its profiles are then healthcare profiles"""
    profiles: list["ComplianceOverview_profiles_item"]
    """The profiles of the workspace"""

class ConfirmAddressRequest(TypedDict):
    token: str
    """Token from the link in the mail"""

class ConfirmFactorReply(TypedDict):
    recovery_codes: Union[list[str], None]
    """Returned once, with the first second factor; null with further ones"""

class ConfirmFactorRequest(TypedDict):
    code: NotRequired[str]
    """Six digits that the authenticator app shows"""
    registration: NotRequired[dict[str, Any]]
    """What the browser’s `navigator.credentials.create` returned, as `toJSON()` writes it"""

class ConnectBankLinkRequest(TypedDict):
    link_token: NotRequired[str]
    """Token of the bank link"""
    public_token: NotRequired[str]
    """Token that the bank link returned"""

class Connection_missing_abilities_item(TypedDict):
    ability: Literal["leads", "form_submissions", "conversions", "ad_texts", "reservation_spend"]
    """What the connection lacks"""
    reason: str
    """What is not read or sent, and what changes that"""

class Connection(TypedDict):
    id: str
    """Id of the connection"""
    channel: "Channel"
    """Messaging channel of the connection"""
    status: Literal["connected", "needs_action", "reconnect_required", "revoked", "error"]
    """State of the connection"""
    display_name: str
    """Name of the connection"""
    external_id: str
    """The provider’s id of the connected account"""
    provider_subtype: Union[str, None]
    """Kind of account at the provider; null if there is only one"""
    dataset_id: Union[str, None]
    """The platform’s id of the dataset; null if there is none"""
    authorized_at: str
    """When a person authorized it"""
    consent_ends_at: Union[str, None]
    """When the consent expires and has to be renewed by a person; null if the provider sets no end"""
    created_at: str
    """When it was created"""
    sync: "SyncState"
    """State of the data synchronisation"""
    missing_abilities: list["Connection_missing_abilities_item"]
    """What this connection lacks because the app, the plan or the consent does not cover it; found by the last sync. Not an error: everything else is read"""

class ConnectionConnectedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    provider: str
    """Provider of the account, for example social_ads"""
    connection_id: str
    """Id of the connection"""
    status: str
    """Status of the connection after the change"""
    reason: Union[str, None]
    """Why the status changed; null if the provider gives no reason"""

class ConnectionConnectedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["connection.connected"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "ConnectionConnectedEvent_data"
    """Payload of the event"""

class ConnectionReconnectRequiredEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    provider: str
    """Provider of the account, for example social_ads"""
    connection_id: str
    """Id of the connection"""
    status: str
    """Status of the connection after the change"""
    reason: Union[str, None]
    """Why the status changed; null if the provider gives no reason"""

class ConnectionReconnectRequiredEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["connection.reconnect_required"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "ConnectionReconnectRequiredEvent_data"
    """Payload of the event"""

class ConnectionRevokedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    provider: str
    """Provider of the account, for example social_ads"""
    connection_id: str
    """Id of the connection"""
    status: str
    """Status of the connection after the change"""
    reason: Union[str, None]
    """Why the status changed; null if the provider gives no reason"""

class ConnectionRevokedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["connection.revoked"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "ConnectionRevokedEvent_data"
    """Payload of the event"""

class Contact(TypedDict):
    first_name: Union[str, None]
    """First name of the person; null if it is not known"""
    last_name: Union[str, None]
    """Last name of the person; null if it is not known"""
    email: Union[str, None]
    """Email address of the person; null if it is not known"""
    phone: Union[str, None]
    """Phone number with country code; null if it is not known"""

class Conversation_referral(TypedDict):
    """Source of the first message: `ads` or `ad`, a post or a link; null if it had none"""

    source: str
    """Source of the data"""
    ad_id: Union[str, None]
    """Id of the ad; null if it is not known"""
    ad_name: Union[str, None]
    """Name of the ad; null if the platform does not report it"""

class Conversation_reply_window(TypedDict):
    """How long a reply is still allowed; null if none is"""

    open: bool
    """Whether a reply is still allowed now"""
    closes_at: str
    """When replies are no longer allowed"""
    human_agent_closes_at: Union[str, None]
    """When replies by a human agent are no longer allowed; null if the channel has no such window"""

class Conversation(TypedDict):
    id: str
    """Id of the conversation"""
    channel: Literal["chatapp", "photoapp", "pagechat"]
    """Messaging channel of the conversation"""
    account_id: Union[str, None]
    """The page, photo account or chat account that received the messages; null if it is not known"""
    customer_id: Union[str, None]
    """Id of the customer; null after an erasure, or if no customer is known"""
    contact: Union["Contact", None]
    """Null if no contact data is stored"""
    started_at: str
    """When it started"""
    last_message_at: Union[str, None]
    """Time of the last message; null without one"""
    first_reply_at: Union[str, None]
    """First reply of the business; null without one, or if the platform does not report it"""
    messages: int
    """Number of messages from the person; messages of the business are not counted"""
    referral: Union["Conversation_referral", None]
    """Source of the first message: `ads` or `ad`, a post or a link; null if it had none"""
    origin: Literal["ad", "chat_code", "short_link", "link", "unknown"]
    """What opened it: an ad, a link of a page with a chat code, a short link, another link or post. `unknown` also if the person removed the code"""
    account_status: Union[str, None]
    """State of the connected account that received the message; null if it is no longer connected"""
    reply_window: Union["Conversation_reply_window", None]
    """How long a reply is still allowed; null if none is"""
    started_event_id: Union[str, None]
    """The `dm_started` event; null if there is none"""
    lead_event_id: Union[str, None]
    """The event recorded as lead of this conversation; null if none was"""

class ConversionAttributedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    goal_id: str
    """Id of the goal"""
    conversion_key: str
    """Key of the goal, unique in the profile"""
    conversion_id: str
    """Id of the conversion"""

class ConversionAttributedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["conversion.attributed"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "ConversionAttributedEvent_data"
    """Payload of the event"""

class ConversionCreditedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    conversion_id: str
    """Id of the conversion"""
    goal_id: str
    """Id of the goal"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    revenue_type: str
    """Only cash counts for revenue, ROAS and CAC"""
    converted_at: str
    """When the conversion happened"""
    value: Union[float, None]
    """In `currency`; null without an amount or exchange rate"""
    currency: str
    """The currency of the profile"""
    touches: int
    """Visits and clicks that share the credit"""

class ConversionCreditedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["conversion.credited"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    historical: NotRequired[Literal[True]]
    """Present if it happened more than two days before it was recorded"""
    data: "ConversionCreditedEvent_data"
    """Payload of the event"""

class ConversionDataSource(TypedDict):
    kind: Literal["website", "crm", "chatapp", "photoapp", "clean_dataset"]
    """Where its conversions come from"""
    available: bool
    """Whether it is available"""
    dataset_id: Union[str, None]
    """The platform’s id of the dataset that receives its conversions; null if there is none"""
    is_target: bool
    """True if its conversions are sent to a destination"""
    reason_code: Union[Literal["chatapp_not_connected", "photoapp_not_connected", "photoapp_facebook_login_required"], None]
    """Why it cannot be used; null if it can"""

class ConversionSyncCatalog(TypedDict):
    privacy_mode: "PrivacyMode"
    conversions: list["CatalogConversion"]
    """Goals to send, with their settings"""
    healthcare_export_allowlist: list[str]
    """Goals that may be sent in the mode hipaa"""
    hipaa_agreement: Union["HipaaAgreement", None]
    """Acceptance of the agreement for health data, without which nothing is sent in the mode hipaa; null if it is not accepted"""
    partner_customer_list: bool
    """True if customer lists may be sent in the mode platform_safe"""
    updated_at: Union[str, None]
    """When it was last changed; null if it never was"""

class CreateAlertRequest(TypedDict):
    name: str
    """Name of the alert, as people see it"""
    condition: Union["ThresholdConditionInput", "FindingConditionInput"]
    """Condition of the alert"""

class CreateAnnotationRequest(TypedDict):
    day: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    text: str
    """Text of the note"""

class CreateApiKeyRequest(TypedDict):
    profile_id: str
    """Id of the profile"""
    name: str
    """Name of the API key"""
    scopes: NotRequired[list["KeyScope"]]
    """Default: analytics:read campaigns:read conversions:read realtime:read"""

class CreateAudienceReply(TypedDict):
    audience_id: Union[str, None]
    """Id of the audience at the platform; null until the platform has created it"""
    matched: int
    """Number of people matched"""
    consent_refused: int
    """People excluded because they refused consent"""
    excluded: int
    """Number of people on the exclusion list"""
    no_match_keys: int
    """Customers without an email, phone or id to match by"""
    queued: int
    """Number of people that wait to be sent"""

class CreateAudienceRequest_filter(TypedDict):
    """Filter for customers"""

    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    outcome_type: NotRequired[str]
    """Customers with a conversion of this type on these days; default: any conversion"""
    revenue_min: NotRequired[str]
    """Minimum cash revenue of these days, less refunds, in the reporting currency"""
    revenue_max: NotRequired[str]
    """Maximum revenue of the customer"""
    none_since: NotRequired[bool]
    """Only customers without a conversion after date_to"""

class CreateAudienceRequest(TypedDict):
    connection_id: str
    """Id of the connection"""
    name: str
    """Name of the audience at the platform"""
    filter: "CreateAudienceRequest_filter"
    """Filter for customers"""
    consent: "ListConsent"
    terms_accepted: NotRequired[bool]
    """True if a user of the ad account accepted the platform’s terms for customer lists"""
    dry_run: NotRequired[bool]
    """Count only; nothing is sent"""

class CreateBillingPortalSessionReply(TypedDict):
    url: str
    """Page on which the person manages the subscription"""

CreateBillingPortalSessionRequest = dict[str, Any]

class CreateBriefWebhookRequest(TypedDict):
    profile_id: str
    """Id of the profile"""
    weekday: NotRequired[int]
    """For weekly briefs; 1 is Monday"""
    time: NotRequired[str]
    """Wall-clock time in the profile’s time zone, such as 08:00"""
    language: NotRequired[Literal["en", "es"]]
    """Language of the text"""
    alerts: NotRequired[bool]
    """Whether alerts are sent to this receiver too; default: true unless cadence is never"""
    cadence: NotRequired[Literal["daily", "weekly", "never"]]
    """When briefs are sent. daily: covers yesterday; weekly: covers the last 7 days; never: alerts only"""
    kind: Literal["slack", "teams"]
    """Chat service that receives the message"""
    name: str
    """Display name of the channel"""
    url: str
    """Address of the incoming webhook"""

class CreateCalendarRequest(TypedDict):
    name: str
    """Name of the calendar"""
    timezone: str
    """IANA time zone, for example Europe/Madrid"""
    connection_id: NotRequired[str]
    """Id of the connection"""

class CreateChatTemplateRequest_header_media(TypedDict):
    """Media file in the message header"""

    media_id: str
    """Id of the uploaded file"""

class CreateChatTemplateRequest(TypedDict):
    name: str
    """Name of the template"""
    language: str
    """Language of the text, for example en"""
    category: Literal["authentication", "marketing", "utility"]
    """The platform’s category"""
    components: list[dict[str, Any]]
    """Parts of the message, as the platform defines them"""
    header_media: NotRequired["CreateChatTemplateRequest_header_media"]
    """Media file in the message header"""

class CreateCheckoutSessionReply(TypedDict):
    id: str
    """Id of the checkout session"""
    url: str
    """Page on which the person pays"""
    expires_at: str
    """When it expires"""

class CreateCheckoutSessionRequest(TypedDict):
    plan: Literal["growth", "agency"]
    """Plan of the workspace"""

class CreateDemoProfileReply(TypedDict):
    profile_id: str
    """Id of the profile"""
    workspace_id: str
    """Id of the workspace"""
    created: bool
    """Whether it is new"""

class CreateDemoProfileRequest(TypedDict):
    workspace_id: str
    """Id of the workspace"""

class CreateGeoExperimentReply(TypedDict):
    id: str
    """Id of the study"""
    name: str
    """Name of the study"""
    starts_on: str
    """First day of the study, YYYY-MM-DD"""
    ends_on: str
    """Last day of the study"""
    metric: Literal["payments", "conversions"]
    """Figure that the study measures"""
    detectable_effect: float
    """Minimum detectable effect at this power, as a share"""
    power: float
    """Share of simulated effects detected in earlier weeks"""
    by_lot: bool
    """Whether the regions were assigned at random"""

class CreateGeoExperimentRequest(TypedDict):
    name: str
    """Name of the study"""
    metric: Literal["payments", "conversions"]
    """Figure that the study measures"""
    days: Union[Literal[14], Literal[21], Literal[28], Literal[42]]
    """Length of the study in days"""
    starts_on: str
    """First day of the study, YYYY-MM-DD"""
    treated: list[str]
    """Regions in which the ads change"""
    control: list[str]
    """Regions without a change, which serve as comparison"""

class CreateGoalRequest(TypedDict):
    display_name: str
    """Name of the goal, as people see it"""
    conversion_key: str
    """Key of the goal, unique in the profile"""
    source_event_names: list[str]
    """Events with these names are conversions of the goal"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    revenue_type: "RevenueType"
    attribution_eligible: NotRequired[bool]
    """Whether conversions of this goal get credit"""

class CreateLinkTokenReply(TypedDict):
    token: str
    """Token that identifies the customer in links of mails"""
    url: Union[str, None]
    """`url` with the token as parameter `whence_link`; null without a url"""
    expires_at: str
    """When it expires"""

class CreateLinkTokenRequest(TypedDict):
    customer_id: NotRequired[str]
    """Id of the customer"""
    external_ref: NotRequired[str]
    """The external_id of the customer"""
    url: NotRequired[str]
    """The URL to add the token to"""
    expires_in_seconds: NotRequired[int]
    """Seconds until it expires"""

class CreateManualStoreRequest(TypedDict):
    shop: str
    """Name or domain of the store"""

class CreateOAuthAppReply_dpa(TypedDict):
    """The data-processing agreement"""

    status: Literal["not_accepted", "accepted", "withdrawn"]
    """Whether the data-processing agreement is signed"""
    version: Union[str, None]
    """Version of the agreement that was signed; null if none was"""
    accepted_at: Union[str, None]
    """When it was accepted; null until then"""
    withdrawn_at: Union[str, None]
    """When it was withdrawn; null if it was not"""

class CreateOAuthAppReply_secrets_item(TypedDict):
    hint: str
    """First and last characters, to recognise it"""
    created_at: str
    """When it was created"""
    expires_at: Union[str, None]
    """When it expires; null if it does not"""

class CreateOAuthAppReply(TypedDict):
    id: str
    """Id of the partner app"""
    client_id: str
    """Public id of the app"""
    name: str
    """Name of the partner app"""
    logo_url: Union[str, None]
    """URL of the app’s logo; null if it has none"""
    redirect_uris: list[str]
    """Allowed redirect URIs after consent"""
    allowed_return_origins: list[str]
    """Origins that a hand-off may return to"""
    allowed_scopes: list[str]
    """Scopes that the app may request"""
    dpa: "CreateOAuthAppReply_dpa"
    """The data-processing agreement"""
    secrets: list["CreateOAuthAppReply_secrets_item"]
    """Valid secrets, at most two"""
    created_at: str
    """When it was created"""
    updated_at: str
    """When it was last changed"""
    client_secret: str
    """Secret of the app; returned only once"""

class CreateOAuthAppRequest(TypedDict):
    name: str
    """Name, as people see it"""
    logo_url: NotRequired[Union[str, None]]
    """URL of the app’s logo; null or absent: none"""
    redirect_uris: NotRequired[list[str]]
    """Allowed redirect URIs after consent"""
    allowed_return_origins: NotRequired[list[str]]
    """Origins that a hand-off may return to"""
    allowed_scopes: NotRequired[list[Literal["connections", "analytics", "analytics_pii", "attribution", "attribution_write", "adoption", "analytics:read", "campaigns:apply", "campaigns:read", "connections:read", "connections:write", "conversions:read", "customers:read", "events:write", "exports:read", "exports:write", "identity:read", "identity:write", "mcp:read", "mcp:read_pii", "mcp:write", "messages:write", "payments:read", "payments:write", "realtime:read", "tracking:read", "tracking:write", "visitors:read", "webhooks:read", "webhooks:write"]]]
    """Grants and scopes that the app may request"""

class CreateOwnBrowserLinkReply(TypedDict):
    url: str
    """The page, with a token of this profile"""
    expires_at: str
    """When the link stops working"""

class CreateOwnBrowserLinkRequest(TypedDict):
    url: str
    """A page with the tracker"""
    is_own: bool
    """True to exclude the browser, false to count it again"""

class CreateProfileReply(TypedDict):
    id: NotRequired[str]
    """Id of the profile"""
    workspace_id: str
    """Id of the workspace"""
    name: NotRequired[str]
    """Name of the profile"""
    timezone: NotRequired[str]
    """IANA time zone, for example Europe/Madrid"""
    currency: NotRequired[str]
    """ISO 4217 code of the currency"""
    country: NotRequired[Union[str, None]]
    """ISO 3166 code of the country assumed for phone numbers without a country code. Null: such numbers identify no one."""
    privacy_mode: NotRequired[Literal["standard", "platform_safe", "hipaa"]]
    """What data about people may be sent to ad platforms"""
    provisioned_by_app_id: NotRequired[Union[str, None]]
    """Id of the partner app that created the profile; null if a person did"""
    is_demo: NotRequired[bool]
    """True for sample data"""
    created_at: NotRequired[str]
    """When it was created"""
    archived_at: NotRequired[Union[str, None]]
    """When it was archived; null if it is not"""
    profile_id: str
    """Id of the profile"""
    api_key: NotRequired[str]
    """App only, shown once"""
    connections_key: NotRequired[str]
    """App only: a second key, if the connections grant was requested in addition to data grants"""

class CreateProfileRequest_user(TypedDict):
    """App only: the person who gets the profile"""

    email: str
    """Email address of the person who will own the profile"""
    name: NotRequired[str]
    """Name of the person"""

class CreateProfileRequest(TypedDict):
    workspace_id: NotRequired[str]
    """Required for a person"""
    name: str
    """Name of the profile"""
    timezone: NotRequired[str]
    """Default: the workspace's"""
    currency: NotRequired[str]
    """Default: the workspace's reporting currency, else USD"""
    country: NotRequired[Union[str, None]]
    """ISO 3166 code of its country; null or absent: the country of the time zone, or else of the currency"""
    user: NotRequired["CreateProfileRequest_user"]
    """App only: the person who gets the profile"""
    scopes: NotRequired[list[str]]
    """App only: grants of the key; default: all grants that the app is registered for"""

class CreateRecoveryCodesReply(TypedDict):
    codes: list[str]
    """Ten codes; returned once"""

class CreateShortLinkRequest_chat(TypedDict):
    """Opens a chat with a code, so that the conversation has its source"""

    app: Literal["chatapp", "pagechat", "photoapp"]
    """Messaging channel that the link opens"""
    account: str
    """Number with country code (chatapp), page name (pagechat) or user name (photoapp)"""
    text: NotRequired[str]
    """First message; the person may change it"""

class CreateShortLinkRequest_utm(TypedDict):
    """Campaign parameters of the link, for example `utm_source`"""

    source: NotRequired[str]
    """Value of `utm_source`"""
    medium: NotRequired[str]
    """Such as `flyer`; some values decide the channel, see the guide on channels"""
    campaign: NotRequired[str]
    """Value of `utm_campaign`"""
    term: NotRequired[str]
    """Only added to the address"""
    content: NotRequired[str]
    """Only added to the address"""

class CreateShortLinkRequest_ad(TypedDict):
    """The ad that the link is printed in or used by"""

    campaign_id: NotRequired[str]
    """Id of the campaign"""
    ad_set_id: NotRequired[str]
    """Id of the ad set"""
    ad_id: NotRequired[str]
    """The platform’s id of the ad"""

class CreateShortLinkRequest(TypedDict):
    slug: str
    """Last part of the address; `api` and `share` are reserved"""
    target_url: NotRequired[str]
    """An https address on a domain of the tracking settings (`allowed_domains`), or of a chat"""
    chat: NotRequired["CreateShortLinkRequest_chat"]
    """Opens a chat with a code, so that the conversation has its source"""
    title: NotRequired[str]
    """Name of the link, as people see it"""
    utm: NotRequired["CreateShortLinkRequest_utm"]
    """Campaign parameters of the link, for example `utm_source`"""
    ad: NotRequired["CreateShortLinkRequest_ad"]
    """The ad that the link is printed in or used by"""
    enabled: NotRequired[bool]
    """Whether the link works"""

class CreateTrackingDomainRequest(TypedDict):
    domain: str
    """Domain that serves the tracker’s script"""

class CreateUserTokenReply(TypedDict):
    id: str
    """Id of the user token"""
    hint: str
    """First and last characters, to recognise it"""
    name: str
    """Name of the user token"""
    scopes: list[str]
    """Scopes of the credential"""
    created_at: str
    """When it was created"""
    expires_at: Union[str, None]
    """When it expires; null if it does not"""
    token: str
    """The user token; returned only once"""

class CreateUserTokenRequest(TypedDict):
    name: str
    """Name of the token, to recognise it"""
    scopes: NotRequired[list[Literal["analytics:read", "campaigns:apply", "campaigns:read", "connections:read", "connections:write", "conversions:read", "customers:read", "events:write", "exports:read", "exports:write", "identity:read", "identity:write", "mcp:read", "mcp:read_pii", "mcp:write", "messages:write", "payments:read", "payments:write", "realtime:read", "tracking:read", "tracking:write", "visitors:read", "webhooks:read", "webhooks:write", "workspaces:write"]]]
    """What the token may do; default: mcp:read"""

class CreateWebhookSubscriptionRequest(TypedDict):
    url: str
    """https, public, without a user name"""
    events: "SubscribedEvents"
    """Types of events to send"""
    providers: "SubscribedProviders"
    """Providers whose events are sent; `platform` for events of the service itself"""
    include_history: NotRequired[bool]
    """False leaves out events with `historical`: they happened more than two days before they were recorded, mostly in the first sync of a connection"""

class CreateWorkspaceReply_checkout(TypedDict):
    """Checkout page for the plan; null if no payment is needed"""

    id: str
    """Id of the checkout session"""
    url: str
    """Page on which the person pays"""
    expires_at: str
    """When it expires"""

class CreateWorkspaceReply_warnings_item(TypedDict):
    code: str
    """Code of the warning, for programs"""
    message: str
    """What is probably wrong"""

class CreateWorkspaceReply(TypedDict):
    workspace_id: str
    """Id of the workspace"""
    name: str
    """Name of the workspace"""
    created: bool
    """Whether it is new"""
    checkout: Union["CreateWorkspaceReply_checkout", None]
    """Checkout page for the plan; null if no payment is needed"""
    warnings: NotRequired[list["CreateWorkspaceReply_warnings_item"]]
    """Probable mistakes in the request"""

class CreateWorkspaceRequest(TypedDict):
    name: NotRequired[str]
    """Required for a person; for an app the default is the address"""
    timezone: NotRequired[str]
    """IANA time zone, for example Europe/Madrid"""
    plan: NotRequired["Plan"]
    email: NotRequired[str]
    """App only: the person who owns the workspace"""
    store_install: NotRequired[str]
    """Person only: the signed query string with which the store platform opened the app; the store then bills the workspace"""

class CreatingApp_value(TypedDict):
    """The partner app that created it; it stops when the authorization of the app ends. Null if a person or a direct key created it"""

    id: str
    """Id of the partner app"""
    name: str
    """Name of the partner app"""

# The partner app that created it; it stops when the authorization of the app ends. Null if a person or a direct key created it
CreatingApp = Union["CreatingApp_value", None]

class CreativeArchetype(TypedDict):
    archetype: str
    """Name of the archetype"""
    definition: str
    """Rule that defines the archetype"""
    ads: int
    """Ads of this archetype"""
    ad_ids: list[str]
    """Up to 100 ads by spend, highest first; with several currencies, alternating between them"""
    win_rate: float
    """Share of its ads that are better than their peer group’s median with a probability of 0.9"""
    win_rate_low: float
    """Lower bound of the share of winners"""
    win_rate_high: float
    """Upper bound of the share of winners"""
    sample_ad_ids: list[str]
    """Ids of some ads of this archetype"""

class CreativeDimension(TypedDict):
    ad_ids: list[str]
    """Up to 100 ads by spend, highest first; with several currencies, alternating between them"""
    ads: int
    """Ads with the trait, in campaigns that also have ads without it"""
    profiles: int
    """Number of profiles with such ads"""
    spend: Union[float, None]
    """Null if the profiles report in different currencies"""
    currency: Union[str, None]
    """ISO 4217 code of `spend`; null if the profiles report in different currencies"""
    lift: float
    """1.2: ads with the trait perform 1.2 times as well as the others of their campaign; an association, not a cause"""
    lift_low: float
    """Lower bound of the 95 % interval"""
    lift_high: float
    """Upper bound of the lift"""
    p_value: float
    """Share of random permutations with an equal or larger difference; never 0 or 1"""
    q_value: float
    """False discovery rate; up to 0.10 the verdict is winning or losing"""
    verdict: Literal["winning", "losing", "unclear"]
    """Conclusion from the figures"""
    confounded_with: list[str]
    """Traits that almost always occur together with it: their effects are not separable"""
    dimension: str
    """Grouping dimension of the ads"""
    value: str
    """Value of the trait, for example `question`"""

class CreativeOfAd(TypedDict):
    campaign_id: str
    """Id of the ad"""
    name: Union[str, None]
    """Name of the creative; null if the platform does not report it"""
    format: Union[str, None]
    """Format of the file, or of the ad; null if the platform does not report it"""
    title: Union[str, None]
    """Headline of the ad; null if it has none"""
    body: Union[str, None]
    """Text of the ad; null if it has none"""
    cta_type: Union[str, None]
    """The platform’s call-to-action type; null if the ad has none"""
    thumbnail_url: Union[str, None]
    """URL of the preview image; null if there is none"""

class CreativePattern_traits_item(TypedDict):
    dimension: str
    """Grouping dimension of the ads"""
    value: str
    """Value of the trait, for example `question`"""

class CreativePattern(TypedDict):
    ad_ids: list[str]
    """Up to 100 ads by spend, highest first; with several currencies, alternating between them"""
    ads: int
    """Ads with the trait, in campaigns that also have ads without it"""
    profiles: int
    """Number of profiles with such ads"""
    spend: Union[float, None]
    """Null if the profiles report in different currencies"""
    currency: Union[str, None]
    """ISO 4217 code of `spend`; null if the profiles report in different currencies"""
    lift: float
    """1.2: ads with the trait perform 1.2 times as well as the others of their campaign; an association, not a cause"""
    lift_low: float
    """Lower bound of the 95 % interval"""
    lift_high: float
    """Upper bound of the lift"""
    p_value: float
    """Share of random permutations with an equal or larger difference; never 0 or 1"""
    q_value: float
    """False discovery rate; up to 0.10 the verdict is winning or losing"""
    verdict: Literal["winning", "losing", "unclear"]
    """Conclusion from the figures"""
    confounded_with: list[str]
    """Traits that almost always occur together with it: their effects are not separable"""
    traits: list["CreativePattern_traits_item"]
    """Common traits of the ads"""
    profiles_agreeing: int
    """Profiles whose own ads show a difference in the same direction"""

class CreditedConversion(TypedDict):
    kind: Literal["conversion", "refund"]
    """Whether the row is a conversion or a refund"""
    conversion_id: str
    """Id of the conversion"""
    refund_id: Union[str, None]
    """Set on a refund; conversion_id is the refunded conversion; null otherwise"""
    outcome_event_id: str
    """Id of the event of the conversion"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    revenue_type: "RevenueType"
    occurred_at: str
    """When it happened"""
    value: Union[float, None]
    """Value of the conversion in `currency`; null if it has none"""
    currency: Union[str, None]
    """ISO 4217 code of the currency; null if there is no amount"""
    credit: float
    """The share of the conversion that was credited, from 0 to 1, exact to 1e-9"""
    credited_value: Union[float, None]
    """Value of the credit, less refunds; null if it is excluded or the exchange rate is missing"""

class Customer(TypedDict):
    customer_id: str
    """Id of the customer"""
    identifier_kinds: list[Literal["external_id", "crm_contact_id", "national_id", "email", "phone", "provider_customer_id", "anonymous_id"]]
    """Strongest first; one entry per identifier"""
    contact: Union["Contact", None]
    """Name, email and phone; null if the caller may not see people"""
    first_seen_at: Union[str, None]
    """Time of the first visit; null without a visit"""
    first_channel: Union[str, None]
    """Channel of the first visit, before applying the profile’s channel rules; null without a visit"""
    last_seen_at: Union[str, None]
    """Time of the last visit; null without a visit"""
    conversions: int
    """Conversions counted in reports: without duplicates and unconfirmed money, with cash of every goal"""
    payments: int
    """Payments, without failed and pending ones"""
    revenue: Union[float, None]
    """Cash less refunds in the reporting currency, without amounts that lack an exchange rate; null if all lack one"""
    fx_missing: int
    """Payments and refunds not included in revenue for lack of an exchange rate"""
    last_conversion_at: Union[str, None]
    """Time of the last conversion; null without one"""

class CustomerDataExport_sections_item(TypedDict):
    name: str
    """Name of the section, and of its file in the archive"""
    records: int
    """Number of records in the section"""

class CustomerDataExport(TypedDict):
    data_export_id: str
    """Id of the request, its receipt and its file"""
    profile_id: str
    """Id of the profile"""
    status: Literal["awaiting_identity", "pending", "ready", "expired", "failed", "cancelled"]
    """awaiting_identity: how the person was identified is not stated yet. cancelled: also by an erasure"""
    law: Literal["gdpr", "lgpd", "chile", "ccpa", "other"]
    """The law that the person refers to"""
    requested_on: str
    """Day on which the person asked"""
    due_on: str
    """Last day to answer, by the law"""
    is_overdue: bool
    """The due day has passed, and no file was downloaded"""
    identity_method: Union[Literal["account", "reply_from_address", "in_person", "other", "mail_code"], None]
    """How the person was or will be identified; null until it is stated"""
    created_at: str
    """When it was created"""
    ready_at: Union[str, None]
    """When the file was complete; null before"""
    expires_at: str
    """When the file is deleted, or the request ends without an identity check"""
    sections: list["CustomerDataExport_sections_item"]
    """Parts of the file"""
    sha256: Union[str, None]
    """SHA-256 of the file, hexadecimal; null until it is ready"""
    bytes: Union[int, None]
    """Size of the file; null until it is ready"""
    downloads: int
    """How often the file was downloaded"""

class CustomerListMember_value_1(TypedDict):
    customer_id: str
    """Id of the customer"""

class CustomerListMember_value_2(TypedDict):
    email: NotRequired[str]
    """Email address of the person"""
    phone: NotRequired[str]
    """Phone number with country code"""
    country: NotRequired[str]
    """ISO 3166 code of the country of `phone`; default: the profile's country"""
    external_id: NotRequired[str]
    """The sender’s own id of the customer"""

CustomerListMember = Union["CustomerListMember_value_1", "CustomerListMember_value_2"]

CustomerSort = Literal["last_conversion", "revenue", "last_seen", "first_channel"]

class DataDestination_target_1(TypedDict):
    folder: str
    """Folder in which the files are written"""

class DataDestination_target_2(TypedDict):
    endpoint: str
    """Address of the store, such as https://s3.eu-west-1.amazonaws.com"""
    region: str
    """Region that requests are signed for"""
    bucket: str
    """Name of the bucket"""
    prefix: str
    """Path inside the bucket; empty for its root"""
    path_style: bool
    """Put the bucket in the path instead of the host name"""
    server_side_encryption: Union[Literal["AES256", "aws:kms"], None]
    """Encryption header sent with every file; null: none"""

class DataDestination(TypedDict):
    id: str
    """Id of the destination"""
    kind: Literal["file", "s3"]
    """Storage service that receives the files"""
    name: str
    """Name of the destination, as people see it"""
    target: Union["DataDestination_target_1", "DataDestination_target_2"]
    """Without the access keys"""
    tables: list[Literal["events", "customers", "identities", "touches", "conversions", "payments", "refunds", "credits", "paths", "campaigns", "ad_sets", "ads", "ad_versions", "creatives", "delivery", "rates", "daily"]]
    """Empty: every table"""
    include_identifiers: bool
    """Include SHA-256 hashes of email addresses and phone numbers in `identities`"""
    schedule: Literal["hourly", "daily", "on_demand"]
    """How often the tables are written"""
    enabled: bool
    """Whether it is enabled"""
    next_run_at: Union[str, None]
    """Null if runs are only started on demand"""
    last_completed_at: Union[str, None]
    """End of the last run that completed; null if none did"""
    last_error: Union[str, None]
    """Why the last run failed; null if it succeeded"""
    files: int
    """Number of files in the manifest"""
    bytes: int
    """Total size of these files"""
    erasures_waiting: int
    """People erased since the last completed run; files may still contain them"""
    created_at: str
    """When it was created"""
    updated_at: str
    """When it was last changed"""

class DataDrivenModel_learned(TypedDict):
    """Training data of the model; null before the first run"""

    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    visits: int
    """Number of visits"""
    payments: int
    """Visits followed by a payment"""
    paths: int
    """Number of distinct paths"""
    paths_hash: str
    """Hash of the journeys that the model was trained on"""
    version: int
    """Version of the method"""

class DataDrivenModel_against_last_touch(TypedDict):
    """Comparison with last touch on later days than the training data; null before the first run"""

    gain: float
    """Reduction of the squared error per payment on the test days"""
    sigmas: float
    """`gain` in standard errors; figures are shown from 2 on"""

class DataDrivenModel_against_one_rate(TypedDict):
    """Comparison with one rate for all paths, on the same days; null before the first run"""

    gain: float
    """Reduction of the squared error per payment on the test days"""
    sigmas: float
    """`gain` in standard errors; figures are shown from 2 on"""

class DataDrivenModel_channels_item(TypedDict):
    channel: str
    """Channel, for example paid_social"""
    outcome_credit: float
    """Payments credited to the channel; a payment counts in parts"""
    outcome_value: float
    """Credited cash, less refunds"""
    outcome_value_low: float
    """Lower bound of a 95 % bootstrap interval over people: it shows the sampling error only and seldom contains the true share"""
    outcome_value_high: float
    """Upper bound of the value"""
    last_touch_value: float
    """Value of the same payments under last touch"""

class DataDrivenModel_total(TypedDict):
    """Payments of the last 90 days eligible for attribution, less refunds; null unless `served`"""

    payments: int
    """Number of payments"""
    outcome_value: float
    """Credited cash, less refunds"""
    fx_missing: int
    """Number of days or rows excluded because the exchange rate is missing"""

class DataDrivenModel(TypedDict):
    served: bool
    """Whether the model is used in reports"""
    reason: Union["DataDrivenReason", None]
    """Why no figures are shown; null if `served`"""
    computed_at: Union[str, None]
    """When it was computed; null before the first run"""
    learned: Union["DataDrivenModel_learned", None]
    """Training data of the model; null before the first run"""
    against_last_touch: Union["DataDrivenModel_against_last_touch", None]
    """Comparison with last touch on later days than the training data; null before the first run"""
    against_one_rate: Union["DataDrivenModel_against_one_rate", None]
    """Comparison with one rate for all paths, on the same days; null before the first run"""
    channels: list["DataDrivenModel_channels_item"]
    """By value, highest first; they add up to `total`. Empty unless `served`"""
    total: Union["DataDrivenModel_total", None]
    """Payments of the last 90 days eligible for attribution, less refunds; null unless `served`"""

DataDrivenReason = Literal["too_few_payments", "too_few_visits_without_payment", "one_channel_per_path", "not_better_than_chance", "not_better_than_last_touch", "channel_follows_buyers", "not_computed", "too_much_data"]

class DataExportCompletedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    run_id: str
    """Id of the run"""
    destination_id: str
    """Id of the destination"""
    files: int
    """Number of files that were written"""
    rows: int
    """Number of rows that were written"""

class DataExportCompletedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["data_export.completed"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "DataExportCompletedEvent_data"
    """Payload of the event"""

class DataExportFailedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    run_id: str
    """Id of the run"""
    destination_id: str
    """Id of the destination"""
    files: int
    """Number of files that were written"""
    rows: int
    """Number of rows that were written"""

class DataExportFailedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["data_export.failed"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "DataExportFailedEvent_data"
    """Payload of the event"""

class DataRun_tables_item(TypedDict):
    table: Literal["events", "customers", "identities", "touches", "conversions", "payments", "refunds", "credits", "paths", "campaigns", "ad_sets", "ads", "ad_versions", "creatives", "delivery", "rates", "daily"]
    """Name of the table"""
    rows: int
    """Number of rows written"""
    bytes: int
    """Size of the files in bytes"""
    files: int
    """Files that were written"""
    days: list[str]
    """Days written, at most 400; empty for tables without days"""
    days_written: int
    """Number of days with new files"""
    days_removed: int
    """Number of days that no longer have rows"""

class DataRun(TypedDict):
    id: str
    """Id of the run"""
    destination_id: str
    """Id of the export destination"""
    full: bool
    """True if all days were written, not only changed ones"""
    status: Literal["queued", "running", "completed", "failed"]
    """A failed run leaves the last manifest in place"""
    tables: list["DataRun_tables_item"]
    """Tables that were written; unchanged tables are absent"""
    erasures: int
    """People erased since the previous run; if any, replaced files were removed immediately"""
    error: Union[str, None]
    """Why the run failed; null if it did not"""
    created_at: str
    """When it was created"""
    started_at: Union[str, None]
    """When it started; null until then"""
    finished_at: Union[str, None]
    """When it ended; null until then"""

DataSourceKind = Literal["website", "crm", "chatapp", "photoapp"]

class DecideIdentityLinkRequest(TypedDict):
    decision: Literal["accept", "reject"]
    """Decision of the person"""

class DecideMergeProposalRequest(TypedDict):
    decision: Literal["merge", "dismiss", "snooze"]
    """Decision of the person"""
    into_customer_id: NotRequired[str]
    """The customer to keep; default: the first side"""
    snooze_days: NotRequired[int]
    """Days until the proposal is shown again"""

class DeclareSourceReply(TypedDict):
    id: str
    """Id of the answer"""

class DeclareSourceRequest_customer(TypedDict):
    """The customer who answered, by at least one identifier"""

    external_ref: NotRequired[str]
    """The external_id of the customer"""
    email: NotRequired[str]
    """Email address of the person"""
    phone: NotRequired[str]
    """Phone number with country code"""

class DeclareSourceRequest(TypedDict):
    answer_key: str
    """Key of the answer in the vocabulary"""
    answer_text: NotRequired[str]
    """Required with the key `other`"""
    customer: NotRequired["DeclareSourceRequest_customer"]
    """The customer who answered, by at least one identifier"""
    order_id: NotRequired[str]
    """The shop’s order number"""
    asked_at: str
    """When the customer answered the question"""
    idempotency_key: str
    """An event with the same key updates the stored event instead of adding one"""

class DeclaredReport_answers_item(TypedDict):
    answer_key: str
    """Key of the answer in the vocabulary"""
    label_en: Union[str, None]
    """Null for a key that was removed from the vocabulary"""
    label_es: Union[str, None]
    """Display label in Spanish; null for a key that was removed from the vocabulary"""
    count: int
    """Number of people who gave the answer"""
    share: Union[float, None]
    """Share of the customers who answered, 0 to 1; null without answers"""
    share_low: Union[float, None]
    """Lower bound of the 95 % interval (Wilson); null without answers"""
    share_high: Union[float, None]
    """Upper bound of the 95 % interval; null without answers"""
    credited_share: Union[float, None]
    """Share of the same customers credited to the channels of the answer; null for an answer without channels"""

class DeclaredReport_channels_item(TypedDict):
    channel: str
    """Channel of the answers"""
    credit: float
    """Share of the conversion, 0 to 1"""
    answers: list["AnswerShare"]
    """Most frequent first"""

class DeclaredReport_campaigns_item(TypedDict):
    campaign_id: str
    """Id of the campaign"""
    platform_id: Union[str, None]
    """The platform’s id of the campaign; null if it is not known"""
    campaign_name: Union[str, None]
    """Name of the campaign; null if the platform has not reported it"""
    credit: float
    """Share of the conversion, 0 to 1"""
    answers: list["AnswerShare"]
    """Most frequent first"""

class DeclaredReport_texts_item(TypedDict):
    text: str
    """Answer in the customer’s own words"""
    count: int
    """Number of people who gave the answer"""

class DeclaredReport(TypedDict):
    customers: int
    """Customers who paid in the range"""
    answered: int
    """Those of them who answered"""
    response_rate: Union[float, None]
    """Share of paying customers who answered, 0 to 1; null without paying customers"""
    response_rate_low: Union[float, None]
    """Lower bound of its 95 % interval; null without paying customers"""
    response_rate_high: Union[float, None]
    """Upper bound of its 95 % interval; null without paying customers"""
    answers: list["DeclaredReport_answers_item"]
    """Answers with their counts"""
    channels: list["DeclaredReport_channels_item"]
    """Answers by channel, next to the credit of the channel"""
    campaigns: list["DeclaredReport_campaigns_item"]
    """Campaigns with their figures"""
    texts: list["DeclaredReport_texts_item"]
    """Free-text answers in lower case; only texts that at least three customers wrote"""

class Delivery(TypedDict):
    id: str
    """Id of the delivery"""
    subscription_id: str
    """Id of the webhook subscription"""
    event_id: str
    """Id of the stored event"""
    event_type: str
    """Alias of `event_name`"""
    status: Literal["pending", "delivered", "failed", "cancelled"]
    """State of the delivery"""
    status_reason: Union[str, None]
    """Reason for the status; null if there is no problem"""
    attempt_count: int
    """Attempts so far"""
    next_attempt_at: Union[str, None]
    """Time of the next attempt; null if there is none"""
    created_at: str
    """When it was created"""
    settled_at: Union[str, None]
    """When it ended; null until then"""

class DetailedRow(TypedDict):
    campaign_id: str
    """Id of the campaign"""
    platform_id: str
    """The platform’s id"""
    campaign_name: Union[str, None]
    """Name of the campaign; null if the platform has not reported it"""
    outcome_count: int
    """Payments in which the row has a part"""
    outcome_credit: float
    """The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments"""
    outcome_value: Union[float, None]
    """Credited cash less refunds; null if no exchange rate is known"""
    attributed_outcome_count: int
    """Conversions of all types that the row has credit for"""
    attributed_outcomes_by_type: "OutcomesByType"
    """`attributed_outcome_count` by `outcome_type`"""
    fx_missing: int
    """Amounts left out because their exchange rate is missing"""
    spend: Union[float, None]
    """Null if no exchange rate is known"""
    roas: Union[float, None]
    """`outcome_value` divided by `spend`; null without spend"""
    impressions: int
    """Impressions, as the platform reports them"""
    clicks: int
    """Clicks, as the platform reports them"""
    reach: Union[int, None]
    """Unique accounts as reported by the platform for the range; null otherwise, because reach of days or ads does not add up"""
    ctr: Union[float, None]
    """Clicks per 100 impressions; null without impressions"""
    avg_cpm: Union[float, None]
    """Spend per 1,000 impressions; null without impressions"""
    avg_cpc: Union[float, None]
    """Spend per click; null without clicks"""
    messaging_conversations_started_7d: Union[int, None]
    """Conversations started within 7 days of a click, as the platform reports them; null if it does not"""
    entity_level: "AdLevel"
    """campaign, ad_set or ad"""
    parent_name: Union[str, None]
    """Name of the parent campaign or ad set; null for campaigns"""
    cac: Union[float, None]
    """`spend` divided by `outcome_count`; null without payments or spend"""
    new_customer_count: int
    """First payments in which the row has a part; a deposit and its balance within 7 days count as one"""
    new_customer_value: Union[float, None]
    """Cash of these payments less refunds; null if an exchange rate is missing"""
    new_customer_cac: Union[float, None]
    """`spend` divided by `new_customer_count`; null without new customers or spend"""
    new_customer_roas: Union[float, None]
    """`new_customer_value` divided by `spend`; null without spend"""
    status: Union[str, None]
    """Status of the campaign, ad set or ad at the platform; null if it does not report one"""
    objective: Union[str, None]
    """Goal of the campaign, as the platform names it; null if it does not report one"""
    daily_budget: Union[float, None]
    """Budget per day in the currency of the account; null if there is none"""
    platform_actions: list[Literal["pause", "resume", "budget"]]
    """Changes that the connected platform currently accepts; empty for imported entities"""
    campaign_external_id: Union[str, None]
    """The platform’s id of the campaign; null if it is not known"""
    ad_set_external_id: Union[str, None]
    """The platform’s id of the ad set; null if it is not known"""

class DoctorFindingOpenedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    check_id: str
    """Id of the check"""
    status: Literal["ok", "warning", "problem", "not_applicable"]
    """Result of the check"""
    count: int
    """Number of affected clicks, sales, events, customers or connections"""
    value: Union[float, None]
    """Affected revenue or spend; null if no amount is known"""
    since: Union[str, None]
    """First day within the last 28 days on which it was detected; null without a finding"""

class DoctorFindingOpenedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["doctor.finding.opened"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "DoctorFindingOpenedEvent_data"
    """Payload of the event"""

class DoctorFindingResolvedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    check_id: str
    """Id of the check"""
    status: Literal["ok", "warning", "problem", "not_applicable"]
    """Result of the check"""
    count: int
    """Number of affected clicks, sales, events, customers or connections"""
    value: Union[float, None]
    """Affected revenue or spend; null if no amount is known"""
    since: Union[str, None]
    """First day within the last 28 days on which it was detected; null without a finding"""

class DoctorFindingResolvedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["doctor.finding.resolved"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "DoctorFindingResolvedEvent_data"
    """Payload of the event"""

class DropProblemReply(TypedDict):
    id: str
    """Id of the problem"""
    state: Literal["dropped"]
    """What became of the problem"""

class DropProblemRequest(TypedDict):
    reason: str
    """Why the operator does it, for the audit log"""

class EraseCustomerRequest(TypedDict):
    customer_id: NotRequired[str]
    """Id of the customer"""
    email: NotRequired[str]
    """Email address of the customer"""
    phone: NotRequired[str]
    """Phone number with country code"""
    external_id: NotRequired[str]
    """The sender’s own id of the customer"""
    anonymous_id: NotRequired[str]
    """The visitor’s id in the browser or app"""

class EraseWorkspaceCustomerRequest(TypedDict):
    profile_id: str
    """Id of the profile"""
    customer_id: NotRequired[str]
    """Id of the customer"""
    email: NotRequired[str]
    """Email address of the customer"""
    phone: NotRequired[str]
    """Phone number with country code"""
    external_id: NotRequired[str]
    """The sender’s own id of the customer"""
    anonymous_id: NotRequired[str]
    """The visitor’s id in the browser or app"""

class ErasureReceipt_counts(TypedDict):
    """Count per kind"""

    identifiers: int
    """Number of anonymised records; report totals do not change"""
    events: int
    """Number of anonymised records; report totals do not change"""
    touches: int
    """Number of anonymised records; report totals do not change"""
    conversions: int
    """Number of anonymised records; report totals do not change"""
    payments: int
    """Number of anonymised records; report totals do not change"""

class ErasureReceipt(TypedDict):
    erasure_id: str
    """Id of the erasure"""
    profile_id: str
    """Id of the profile"""
    status: Literal["pending", "completed"]
    """How far the erasure is"""
    requested_at: str
    """When it was requested"""
    completed_at: Union[str, None]
    """When it ended; null until then"""
    counts: "ErasureReceipt_counts"
    """Count per kind"""

class EventInput_ad(TypedDict):
    """The ad that led to the event, if the sender knows it"""

    ad_id: NotRequired[Union[str, None]]
    """Id of the ad; null if it is not known"""
    ad_set_id: NotRequired[Union[str, None]]
    """Id of the ad set; null if it is not known"""
    campaign_id: NotRequired[Union[str, None]]
    """Id of the campaign; null if it is not known"""

class EventInput_page(TypedDict):
    """The visited page. Its referrer creates organic and referral touches. Null or absent: no page"""

    url: str
    """URL of the visited page"""
    referrer: NotRequired[Union[str, None]]
    """Address of the page that linked here; null if there is none"""
    title: NotRequired[Union[str, None]]
    """Title of the page; null if there is none"""

class EventInput(TypedDict):
    event_name: NotRequired[str]
    """Required. Every profile counts these as conversions: payment_received (cash), order_placed (gross), lead_created, dm_started, appointment_booked, appointment_attended, quote_presented and closed_won (pipeline). page_view, visit, identify, session_start, form_submit, click and ad_referral create visits and identities. refund reduces the payments of its order_id by its value, or without a value by all that is left. Events with any other name are stored; a goal (POST /goals) counts them as conversions."""
    event_type: NotRequired[str]
    """Alias of `event_name`"""
    anonymous_id: NotRequired[Union[str, None]]
    """The visitor’s id in the browser or app; null if none was sent"""
    session_id: NotRequired[Union[str, None]]
    """Id of the visit; null if none was sent"""
    timestamp: NotRequired[str]
    """When it happened, with a time zone; default: now"""
    occurred_at: NotRequired[str]
    """Alias of timestamp, under the name of responses"""
    properties: NotRequired[dict[str, Any]]
    """Properties of the event; `value`, `currency`, `order_id` and `subject_ref` have a defined meaning"""
    user_traits: NotRequired["UserTraits"]
    """Traits of the person"""
    utm: NotRequired[dict[str, str]]
    """Campaign parameters of the link, for example `utm_source`"""
    click_ids: NotRequired[dict[str, str]]
    """Click ids of ad platforms by their parameter, for example `gclid`"""
    ad: NotRequired["EventInput_ad"]
    """The ad that led to the event, if the sender knows it"""
    page: NotRequired[Union["EventInput_page", None]]
    """The visited page. Its referrer creates organic and referral touches. Null or absent: no page"""
    session_start: NotRequired[Union[bool, None]]
    """True for the first event of a visit. A visit without any source is direct. Null or absent: not known"""
    idempotency_key: NotRequired[str]
    """An event with the same key updates the stored event instead of adding one"""
    user_agent: NotRequired[Union[str, None]]
    """User agent of the visitor’s browser, for website events that a server reports. With `page`, the conversion is sent to the ad platforms as a website event. Stored for 7 days, and only while a destination sends this event. Null or absent: not known"""
    ip: NotRequired[Union[str, None]]
    """IP address of the visitor; stored and sent like `user_agent`. Null or absent: not known"""

class EventMap_value_item(TypedDict):
    conversion_key: str
    """Key of the goal, unique in the profile"""
    event_name: str
    """Name of the event; goals select events by it"""

# Goals to send, each with its event name at the platform. Other goals are not sent
EventMap = list["EventMap_value_item"]

class EventMapInput_value_item(TypedDict):
    conversion_key: str
    """Key of the goal, unique in the profile"""
    event_name: str
    """Name of the event; goals select events by it"""

# Goals to send, each with its event name at the platform. Other goals are not sent
EventMapInput = list["EventMapInput_value_item"]

class EventResult_counts_as_item(TypedDict):
    conversion_key: str
    """Key of the goal, unique in the profile"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    revenue_type: "RevenueType"

class EventResult_warnings_item(TypedDict):
    code: Literal["unknown_event_name", "money_not_counted", "value_missing", "no_identity"]
    """Code of the warning, for programs"""
    message: str
    """Explanation for people"""

class EventResult(TypedDict):
    event_id: str
    """Id of the stored event"""
    status: Literal["accepted", "updated", "unchanged"]
    """Whether the event was stored, updated, unchanged or rejected"""
    counts_as: list["EventResult_counts_as_item"]
    """The goals that currently count this event name. Processing may still exclude the event as a duplicate or as unconfirmed money."""
    warnings: list["EventResult_warnings_item"]
    """Probable mistakes; the event is stored nevertheless"""

class ExchangeRate(TypedDict):
    currency: str
    """ISO 4217 code of the currency"""
    day: str
    """First day on which the rate applies"""
    target: str
    """Reporting currency that the rate was entered for"""
    rate: str
    """Units of `target` for one unit of `currency`"""
    updated_at: str
    """When it was last changed"""

class Experiment_cells_item(TypedDict):
    name: str
    """Name of the group in the study"""
    is_control: bool
    """Whether it is the control group"""
    percentage: Union[float, None]
    """Share of the group in percent; null if the platform does not report it"""
    population: Union[int, None]
    """People in the group; null if the platform does not report it"""
    campaigns: list[str]
    """Ids of its campaigns at the platform"""
    ad_sets: list[str]
    """Ids of its ad sets at the platform"""
    regions: list[str]
    """Only for studies created through POST /experiments"""

class Experiment_design(TypedDict):
    """The design of a study created through POST /experiments; null for studies of the platforms"""

    metric: str
    """Figure that the study measures"""
    days: int
    """Length of the study in days"""
    detectable_effect: float
    """Minimum detectable effect at this power, as a share"""
    power: float
    """Share of simulated effects detected in earlier weeks"""
    by_lot: bool
    """Whether the regions were assigned at random"""

class Experiment_checks(TypedDict):
    """Tests of whether the study can be trusted"""

    sample_ratio_p: Union[float, None]
    """p-value of the sample ratio test; below 0.001 the split is broken. Null without enough data for the test"""
    pre_period_ok: Union[bool, None]
    """Whether the groups behaved alike before the start; null without enough data for the test"""
    divergent_delivery: Union[bool, None]
    """True if the platform’s delivery to the cells differs far from the planned shares; null without enough data for the test"""
    placebo_ratio: Union[float, None]
    """For a geo study: the change at its start relative to the changes at earlier placebo starts. Above 1 it exceeds 95 % of the changes without an experiment; null with too few earlier days"""
    region_placebo_ratio: Union[float, None]
    """For a geo study: the same change relative to the changes of its control regions at the same time. Above 1 it exceeds 97 % of them; null with fewer than 4 control campaigns or ad sets that ran throughout"""

class Experiment(TypedDict):
    id: str
    """Id of the study"""
    profile_id: str
    """Id of the profile"""
    provider: str
    """Provider of the account, for example social_ads"""
    kind: Literal["lift", "split", "geo"]
    """Kind of study: of lift, of split audiences or of regions"""
    name: str
    """Name of the study"""
    status: Literal["planned", "running", "observing", "complete", "canceled"]
    """observing: ended, but conversions are still arriving"""
    starts_at: Union[str, None]
    """When the study starts; null if the platform does not report it"""
    ends_at: Union[str, None]
    """When the study ends; null if the platform does not report it"""
    readable_from: Union[str, None]
    """Earliest time of a verdict; null if the end is not known"""
    cells: list["Experiment_cells_item"]
    """Groups of the experiment"""
    design: Union["Experiment_design", None]
    """The design of a study created through POST /experiments; null for studies of the platforms"""
    platform_reading: Union["ExperimentReading", None]
    """What the platform reports for the experiment; null until it does"""
    own_reading: Union["ExperimentReading", None]
    """Computed by us from the spend and credited conversions of the cells; null until it can be computed"""
    checks: "Experiment_checks"
    """Tests of whether the study can be trusted"""
    verdict: Union[Literal["positive", "negative", "inconclusive", "invalid"], None]
    """Conclusion from the figures; null until there is one"""
    truth_grade: Union[Literal["lift"], None]
    """For a lift study whose interval excludes zero, and a geo study with both placebo ratios above 1; a split test does not prove causality. Null for all others"""
    decided_at: Union[str, None]
    """When the verdict was reached or last changed; null without a verdict"""
    reason: str
    """Reason for the verdict, or what it is waiting for; after a change also the previous verdict"""

class ExperimentReading(TypedDict):
    metric: str
    """Figure that the study measures"""
    effect: float
    """Relative to the control: 0.1 is ten percent more"""
    low: float
    """Lower bound of the interval of `effect`"""
    high: float
    """Upper bound of the interval of `effect`"""
    level: float
    """Confidence level of the interval, such as 0.95"""

class ExplainConversionMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    currency: str
    """ISO 4217 code of the currency"""

class ExplainConversionReply_privacy_mode(TypedDict):
    """Data that the profile’s privacy mode withholds from the ad platforms; `conversion` if the whole conversion is withheld. Null in the mode standard. Credit is the same in every mode"""

    mode: Literal["platform_safe", "hipaa"]
    """Privacy mode of the profile"""
    withheld: list[str]
    """What was withheld, and why"""

class ExplainConversionReply_declared_source(TypedDict):
    """The customer’s latest answer to "How did you hear about us?"; null without one. It never changes credit"""

    answer_key: str
    """Key of the answer in the vocabulary"""
    asked_at: str
    """When the customer answered the question"""

class ExplainConversionReply_steps_item(TypedDict):
    kind: Literal["outcome", "reply"]
    """What the step does"""
    outcome_type: Union[str, None]
    """Null for a reply"""
    occurred_at: str
    """When it happened"""

class ExplainConversionReply_models_item(TypedDict):
    model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]
    """Attribution model of this split"""
    lookback_days: int
    """Lookback window in days: visits within it can get credit"""
    credited_value: Union[float, None]
    """Before refunds; null if the exchange rate is missing"""
    touches: list["ExplainedTouch"]
    """Visits and clicks before the conversion"""

class ExplainConversionReply(TypedDict):
    conversion_id: str
    """Id of the conversion"""
    outcome_event_id: str
    """Id of the event of the conversion"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    revenue_type: "RevenueType"
    occurred_at: str
    """When it happened"""
    value: Union[float, None]
    """Value of the conversion in `currency`; null if it has none"""
    currency: Union[str, None]
    """ISO 4217 code of the currency; null if there is no amount"""
    report_value: Union[float, None]
    """Value in the profile’s currency; null if the exchange rate is missing"""
    refunds: list["ExplainedRefund"]
    """Refunds of the payment. Each counts on its own day, not on the day of the conversion"""
    attribution_eligible: bool
    """Whether conversions of this goal get credit"""
    erased: bool
    """True after the person was erased"""
    duplicate_of: Union[str, None]
    """Id of the conversion that counts instead; null if this one counts"""
    unconfirmed: bool
    """True until the payment is confirmed"""
    privacy_mode: Union["ExplainConversionReply_privacy_mode", None]
    """Data that the profile’s privacy mode withholds from the ad platforms; `conversion` if the whole conversion is withheld. Null in the mode standard. Credit is the same in every mode"""
    consent: Union["AppliedConsent", None]
    """Consent to the use for ads: the stricter of what the event and the customer stated. Null if the person was erased"""
    declared_source: Union["ExplainConversionReply_declared_source", None]
    """The customer’s latest answer to "How did you hear about us?"; null without one. It never changes credit"""
    steps: list["ExplainConversionReply_steps_item"]
    """The last 50 earlier outcomes of the customer and, with customers:read, replies of the business in their conversations, oldest first. They get no credit"""
    models: list["ExplainConversionReply_models_item"]
    """Credit by each model"""

class ExplainPlatformGapReply_steps_item_examples_item(TypedDict):
    conversion_id: str
    """Id of the conversion"""
    occurred_at: str
    """When it happened"""
    value: Union[float, None]
    """Value of the conversion, in the profile’s currency; null if the exchange rate is missing"""

class ExplainPlatformGapReply_steps_item(TypedDict):
    kind: "GapKind"
    """Reason that the step measures or infers"""
    label: Literal["measured", "inferred"]
    """measured: from facts; inferred: by a rule"""
    conversions: float
    """Difference added to the platform’s count; mostly negative"""
    value: float
    """Value of the conversion, in the profile’s currency"""
    sales: int
    """Sales behind the step; for an inferred step, candidate sales"""
    examples: list["ExplainPlatformGapReply_steps_item_examples_item"]
    """A few examples"""

class ExplainPlatformGapReply(TypedDict):
    platform: str
    """Ad platform, for example social_ads"""
    reported_basis: str
    """How the platform assigns a conversion to a day"""
    click_window_days: int
    """The platform’s click-through attribution window in days"""
    entities: int
    """Number of compared entities"""
    valued_entities: int
    """Those whose money is compared"""
    reported: "GapSide"
    """Null if the platform reports no conversions"""
    credited: "GapSide"
    """Cash that is credited to a campaign, ad set or ad"""
    gap: "GapSide"
    """Difference between the platform’s figure and the credit here"""
    steps: list["ExplainPlatformGapReply_steps_item"]
    """The parts of the gap, which add up to it"""

class ExplainedRefund(TypedDict):
    refund_id: str
    """Id of the refund"""
    occurred_at: str
    """When it happened"""
    value: float
    """Negative, in the refund’s `currency`"""
    currency: str
    """ISO 4217 code of the currency"""
    report_value: Union[float, None]
    """In the reporting currency; null if the exchange rate is missing"""

class ExplainedTouch_refunds_item(TypedDict):
    refund_id: str
    """Id of the refund"""
    credited_value: Union[float, None]
    """Value of the credit, less refunds; null if it is excluded or the exchange rate is missing"""

class ExplainedTouch(TypedDict):
    touch_id: str
    """Id of the visit or click"""
    occurred_at: str
    """When it happened"""
    channel: str
    """Channel, for example paid_social"""
    origin: str
    """How the visit was recorded, for example web or conversation_referral"""
    platform: Union[str, None]
    """Ad platform, for example social_ads; null if it is none"""
    is_direct: bool
    """A visit without ad, campaign link or referrer"""
    reported: bool
    """Whether the provider reported it"""
    campaign: Union["NamedEntity", None]
    """Campaign of the touch; null if it is not known"""
    ad_set: Union["NamedEntity", None]
    """Ad set of the touch; null if it is not known"""
    ad: Union["NamedEntity", None]
    """Ad of the touch; null if it is not known"""
    status: Literal["credited", "excluded"]
    """Whether the touch has credit"""
    weight: Union[float, None]
    """Share of the conversion that the visit gets, 0 to 1; null if it is excluded"""
    credited_value: Union[float, None]
    """Value of the credit, less refunds; null if it is excluded or the exchange rate is missing"""
    refunds: list["ExplainedTouch_refunds_item"]
    """Amount that each refund subtracts from this touch, negative; empty if excluded"""
    reason: Union[Literal["after_conversion", "outside_lookback", "direct_skipped_by_model", "not_first", "not_last", "superseded_by_merge"], None]
    """Why the touch got no credit; null if it got some"""

class ExportCompletedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    run_id: str
    """Id of the export run"""
    destination_id: str
    """Id of the export destination"""
    sent: int
    """Number of conversions that were sent"""
    failed: int
    """Number of conversions that failed"""
    skipped: int
    """Number of conversions that were skipped"""

class ExportCompletedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["export.completed"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "ExportCompletedEvent_data"
    """Payload of the event"""

class ExportDestination_warnings_item(TypedDict):
    code: Literal["pixel_counts_too"]
    """Kind of warning, for programs"""
    conversions: int
    """Affected conversions of the last 7 days"""

class ExportDestination_last_run(TypedDict):
    """The last run; null before the first"""

    run_id: str
    """Id of the export run"""
    status: Literal["queued", "sent", "failed", "skipped"]
    """How the run ended"""
    sent: int
    """Number of conversions that were sent"""
    failed: int
    """Number of conversions that failed"""
    skipped: int
    """Number of conversions that were skipped"""
    provider_status: Union["ProviderStatus", None]
    """The platform’s diagnostics of accepted conversions; null if it reports none"""

class ExportDestination(TypedDict):
    id: str
    """Id of the export destination"""
    kind: "ExportKind"
    """Ad platform that receives the conversions"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    social_pixel_id: Union[str, None]
    """Id of the pixel at the platform; null for other kinds"""
    engine_conversion_action: Union[str, None]
    """Google’s id of the conversion action; null for other kinds"""
    shortvideo_pixel_code: Union[str, None]
    """TikTok pixel code; null for other kinds"""
    microsoft_uet_tag_id: Union[str, None]
    """The UET tag; null for other kinds"""
    linkedin_conversion_id: Union[str, None]
    """The conversion rule; null for other kinds"""
    display_name: str
    """Name of the export destination"""
    enabled: bool
    """Whether it is enabled"""
    data_source: Union["DataSourceKind", None]
    """Send only conversions of this source; null: all"""
    event_map: "EventMap"
    event_id_source: str
    """The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id"""
    test_event_code: Union[str, None]
    """The platform’s code for test events; null if there is none"""
    status: Literal["active", "disabled", "needs_action"]
    """State of the export destination"""
    status_reason: Union[str, None]
    """Why sending is stopped until a person acts; null if it is not"""
    warnings: list["ExportDestination_warnings_item"]
    """`pixel_counts_too`: the platform’s pixel ran in the browser of these conversions, and they were sent with our id, which the pixel does not know. If the pixel also reports them, the platform counts each twice; choose an `event_id_source` that both use"""
    waiting: int
    """Number of queued conversions"""
    last_run: Union["ExportDestination_last_run", None]
    """The last run; null before the first"""
    created_by_app: "CreatingApp"
    created_at: str
    """When it was created"""
    updated_at: str
    """When it was last changed"""

class ExportFailedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    run_id: str
    """Id of the export run"""
    destination_id: str
    """Id of the export destination"""
    sent: int
    """Number of conversions that were sent"""
    failed: int
    """Number of conversions that failed"""
    skipped: int
    """Number of conversions that were skipped"""

class ExportFailedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["export.failed"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "ExportFailedEvent_data"
    """Payload of the event"""

ExportKind = Literal["social", "engine", "shortvideo", "linkedin", "microsoft"]

class ExportLedgerRow(TypedDict):
    id: str
    """Id of the row in the ledger"""
    conversion_id: str
    """Id of the conversion"""
    destination_id: str
    """Id of the export destination"""
    run_id: Union[str, None]
    """Id of the export run; null until a run takes it"""
    event_key: str
    """Id of the conversion at the platform"""
    event_name: Union[str, None]
    """Name of the event at the platform; null if nothing was sent"""
    status: Literal["queued", "sent", "failed", "skipped"]
    """Whether the conversion was sent"""
    reason: Union[str, None]
    """Why it was skipped or failed, or why the platform later refused its whole request; null otherwise"""
    message: Union[str, None]
    """Message of the platform; null if it sent none"""
    attempts: int
    """Attempts so far"""
    payload_hash: Union[str, None]
    """Keyed hash of what was sent, for comparison; null if nothing was sent"""
    value: Union[float, None]
    """Value that was sent, in `currency`; null if none was"""
    currency: Union[str, None]
    """ISO 4217 code of the currency; null if there is no amount"""
    provider_request_id: Union[str, None]
    """The provider’s request id, for its support; null if it sent none"""
    provider_status: Union["ProviderStatus", None]
    """The platform’s diagnostics of accepted conversions; null if it reports none"""
    adjustment: Literal["none", "restate", "retract", "unsupported"]
    """Result of a refund, update or merge after it was sent; `unsupported` if the platform accepts no adjustments"""
    adjustment_no: int
    """Number of the correction that was sent; 0 is the conversion itself"""
    consent: Union["AppliedConsent", None]
    """The consent that decided when the row was sent or withheld; null before, and if another rule decided"""
    queued_at: str
    """When it was queued"""
    sent_at: Union[str, None]
    """When it was sent; null until then"""

class ExportPreview_withheld_item(TypedDict):
    conversion_id: str
    """Id of the conversion"""
    reason: str
    """Why it would not be sent"""

class ExportPreview(TypedDict):
    bodies: list[dict[str, Any]]
    """The JSON that would be sent now; people are hashed as the platform requires"""
    withheld: list["ExportPreview_withheld_item"]
    """What was withheld, and why"""

class ExportRun_diagnostics_item(TypedDict):
    reason: str
    """The platform’s reason, for programs"""
    count: int
    """Number of conversions with this diagnosis"""

class ExportRun(TypedDict):
    run_id: str
    """Id of the export run"""
    destination_id: str
    """Id of the export destination"""
    status: Literal["queued", "sent", "failed", "skipped"]
    """How far the run is"""
    sent: int
    """Number of conversions that were sent"""
    failed: int
    """Number of conversions that failed"""
    skipped: int
    """Number of conversions that were skipped"""
    reason: Union[str, None]
    """Why the run was skipped or failed; null if it was not"""
    provider_status: Union["ProviderStatus", None]
    """The platform’s diagnostics of accepted conversions; null if it reports none"""
    requests: int
    """Number of requests"""
    diagnostics: list["ExportRun_diagnostics_item"]
    """Number of conversions per reason; the platform does not report which ones"""
    started_at: str
    """When it started"""
    finished_at: Union[str, None]
    """When it ended; null until then"""

class FinalizeConnectionReply(TypedDict):
    provider: str
    """Provider of the account, for example social_ads"""
    connection_id: str
    """Id of the connection"""
    already_finalized: bool
    """True if an earlier request already chose the account"""

class FinalizeConnectionRequest(TypedDict):
    candidate_id: str
    """Id of the chosen account"""

class FindingCondition(TypedDict):
    kind: Literal["finding"]
    """The rule fires on a finding of the checks"""
    check_id: Union[str, None]
    """Id of a doctor check; null: any check"""

class FindingConditionInput(TypedDict):
    kind: Literal["finding"]
    """The rule fires on a finding of the checks"""
    check_id: Union[str, None]
    """Id of a doctor check; null: any check"""

class FinishSignInRequest(TypedDict):
    challenge: str
    """From the response that asks for this proof"""
    code: NotRequired[str]
    """Six digits that the authenticator app shows"""
    assertion: NotRequired[dict[str, Any]]
    """What the browser’s `navigator.credentials.get` returned, as `toJSON()` writes it"""
    recovery_code: NotRequired[str]
    """Used up by a correct use"""
    remember_device: NotRequired[bool]
    """True: this browser signs in without the second factor for 30 days"""

GapKind = Literal["not_seen", "untagged_click", "platform_modelled_or_delayed", "unexplained", "not_comparable", "different_day", "outside_our_lookback", "claimed_by_two_platforms", "credited_elsewhere", "outside_platform_window", "refunded", "currency"]

class GapSide(TypedDict):
    conversions: Union[float, None]
    """Number of conversions on this side; null if the platform reports none"""
    value: Union[float, None]
    """Value of the conversions, in the profile’s currency; null if the platform reports none"""

class GenerateReportsReply_reports_item(TypedDict):
    profile_id: str
    """Id of the profile"""
    report_id: str
    """Id of the report"""
    status: Literal["queued"]
    """Whether the report was queued"""

class GenerateReportsReply(TypedDict):
    batch_id: str
    """Id of the batch that creates the reports"""
    reports: list["GenerateReportsReply_reports_item"]
    """The reports that were queued"""

class GenerateReportsRequest(TypedDict):
    profile_ids: NotRequired[list[str]]
    """Default: every profile that you can open"""
    period: NotRequired[Literal["last_7_days", "last_28_days", "last_30_days", "last_month"]]
    """Days that the report covers"""
    date_from: NotRequired[str]
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: NotRequired[str]
    """Last day of the range, inclusive, YYYY-MM-DD"""
    model: NotRequired[Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]]
    """Attribution model that splits the credit"""
    format: NotRequired[Literal["pdf", "html", "csv"]]
    """File format of the report"""
    language: NotRequired[Literal["en", "es"]]
    """Language of the report"""
    send: NotRequired[bool]
    """True to send it to the recipients immediately"""
    recipients: NotRequired[list[str]]
    """Email addresses that receive the report"""

class GeoDesign_past(TypedDict):
    """Historical data behind the design"""

    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    outcomes: int
    """Number of outcomes"""
    with_region: int
    """Outcomes whose region is known"""
    regions: int
    """Regions with enough outcomes"""

class GeoDesign_treated_item(TypedDict):
    region: str
    """State or province, such as ES-MADRID"""
    outcomes: int
    """Outcomes in the `past` range"""

class GeoDesign_control_item(TypedDict):
    region: str
    """State or province, such as ES-MADRID"""
    outcomes: int
    """Outcomes in the `past` range"""

class GeoDesign_options_item(TypedDict):
    days: int
    """Length of the study in days"""
    detectable_effect: Union[float, None]
    """The smallest increase detected in 19 of 20 earlier windows into which it was simulated; null if none was"""
    windows: int
    """Number of earlier windows simulated"""
    false_verdicts: float
    """Share of these windows with a verdict without a simulated effect"""

class GeoDesign(TypedDict):
    supported: bool
    """Whether the profile’s history supports a study"""
    reason: Union[Literal["no_regions", "regions_unknown", "too_few_regions", "past_too_short", "nothing_detectable"], None]
    """Why the historical data does not support a study; null if it does"""
    metric: Literal["payments", "conversions"]
    """Figure that the study measures"""
    past: "GeoDesign_past"
    """Historical data behind the design"""
    by_lot: bool
    """Whether the regions were assigned at random"""
    treated: list["GeoDesign_treated_item"]
    """Regions in which the ads change"""
    control: list["GeoDesign_control_item"]
    """Regions without a change, which serve as comparison"""
    power: float
    """Planned probability of detecting an increase of `detectable_effect`"""
    options: list["GeoDesign_options_item"]
    """Evaluated durations with their minimum detectable effect"""
    recommended_days: Union[int, None]
    """Minimum duration in days to detect the effect; null if none is long enough"""

class GetAdIdQualityReply_platforms_item(TypedDict):
    platform: str
    """Ad platform, for example social_ads"""
    paid_clicks: int
    """Visits from paid clicks"""
    with_ad_id: int
    """Paid clicks that named their ad"""
    without_ad_id: int
    """Paid clicks that did not name their ad"""
    with_ad_id_pct: Union[float, None]
    """Visits that name an ad, in percent; null without visits"""
    unassigned_conversions: int
    """Conversions credited to the platform but to none of its rows"""
    unassigned_cash_revenue: Union[str, None]
    """Cash credited to the platform but to none of its rows; null if an exchange rate is missing"""

class GetAdIdQualityReply_unknown_ads_item(TypedDict):
    ad_id: str
    """Id of the ad"""
    entity_id: str
    """Id of the campaign, ad set or ad"""

class GetAdIdQualityReply(TypedDict):
    platforms: list["GetAdIdQualityReply_platforms_item"]
    """Figures of each ad platform"""
    unknown_ads: list["GetAdIdQualityReply_unknown_ads_item"]
    """Ad ids in visits that belong to no connected account"""
    unknown_ads_total: int
    """Total number of such ids"""

class GetApiUsageReply_keys_item_days_item(TypedDict):
    date: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    requests: int
    """Number of requests"""
    errors: int
    """Number of requests that were refused or failed"""

class GetApiUsageReply_keys_item(TypedDict):
    api_key_id: str
    """Id of the API key"""
    hint: str
    """First and last characters, to recognise it"""
    name: Union[str, None]
    """Name of the API key; null if it has none"""
    profile_id: str
    """Id of the profile"""
    requests: int
    """Number of requests"""
    errors: int
    """Number of requests that were refused or failed"""
    last_used_on: Union[str, None]
    """Last day of use; null if there was none"""
    days: list["GetApiUsageReply_keys_item_days_item"]
    """Requests per day"""

class GetApiUsageReply(TypedDict):
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    keys: list["GetApiUsageReply_keys_item"]
    """API keys with their request counts"""

class GetAuthOptionsReply(TypedDict):
    sign_up: Literal["open", "closed"]
    """open: anyone can sign up; closed: by invitation only"""

class GetBriefMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]
    """Attribution model that splits the credit"""
    currency: str
    """ISO 4217 code of the currency"""
    stale: bool
    """True if data of the range is missing or still being processed"""
    result_hash: str
    """Hash of the figures: equal hashes mean equal figures"""

class GetBriefReply_previous(TypedDict):
    """The days that the range is compared with"""

    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""

class GetBriefReply_revenue(TypedDict):
    """Null if an exchange rate is missing"""

    now: Union[float, None]
    """All cash of the range, less refunds; null if an exchange rate is missing"""
    before: Union[float, None]
    """All cash of the preceding period, less refunds; null if an exchange rate is missing"""
    change: Union[float, None]
    """`now` minus `before`; null if an exchange rate is missing"""

class GetBriefReply_contributions_item(TypedDict):
    kind: Literal["campaign", "unattributed", "other"]
    """Whether it is a campaign, revenue without credit, or the sum of all others"""
    campaign_id: Union[str, None]
    """Id of the campaign; null for the other parts"""
    name: Union[str, None]
    """Name of the campaign; null for the other parts"""
    now: float
    """Credited revenue of the range"""
    before: float
    """Credited revenue of the preceding period"""
    change: float
    """now minus before"""

class GetBriefReply(TypedDict):
    previous: "GetBriefReply_previous"
    """The days that the range is compared with"""
    sentences: list["BriefSentence"]
    """Most important first"""
    revenue: "GetBriefReply_revenue"
    """Null if an exchange rate is missing"""
    contributions: Union[list["GetBriefReply_contributions_item"], None]
    """The 10 largest gains and 10 largest losses, then the sum of all others; null if an exchange rate is missing or the parts do not add up"""

class GetCampaignReply_parents_item(TypedDict):
    entity_level: "AdLevel"
    """campaign, ad_set or ad"""
    campaign_id: str
    """Id of the campaign"""
    name: Union[str, None]
    """Name of the campaign, ad set or ad; null if the platform has not reported it"""

class GetCampaignReply_by_model_item(TypedDict):
    model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]
    """Attribution model of these figures"""
    outcome_count: int
    """Payments in which the row has a part"""
    outcome_credit: float
    """The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments"""
    outcome_value: Union[float, None]
    """Credited cash less refunds; null if no exchange rate is known"""
    roas: Union[float, None]
    """Return on ad spend: credited cash / spend; null without spend"""
    cac: Union[float, None]
    """`spend` divided by `outcome_count`; null without payments or spend"""

class GetCampaignReply_days_item(TypedDict):
    date: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    spend: Union[float, None]
    """Ad spend; null if the exchange rate is missing"""
    impressions: int
    """Impressions, as the platform reports them"""
    clicks: int
    """Clicks, as the platform reports them"""
    outcome_count: int
    """Payments that the row has credit for"""
    outcome_value: Union[float, None]
    """Credited cash, less refunds; null if an exchange rate is missing"""

class GetCampaignReply(TypedDict):
    campaign_id: str
    """Id of the campaign"""
    platform_id: str
    """The platform’s id"""
    campaign_name: Union[str, None]
    """Name of the campaign; null if the platform has not reported it"""
    outcome_count: int
    """Payments in which the row has a part"""
    outcome_credit: float
    """The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments"""
    outcome_value: Union[float, None]
    """Credited cash less refunds; null if no exchange rate is known"""
    attributed_outcome_count: int
    """Conversions of all types that the row has credit for"""
    attributed_outcomes_by_type: "OutcomesByType"
    """`attributed_outcome_count` by `outcome_type`"""
    fx_missing: int
    """Amounts left out because their exchange rate is missing"""
    spend: Union[float, None]
    """Null if no exchange rate is known"""
    roas: Union[float, None]
    """`outcome_value` divided by `spend`; null without spend"""
    impressions: int
    """Impressions, as the platform reports them"""
    clicks: int
    """Clicks, as the platform reports them"""
    reach: Union[int, None]
    """Unique accounts as reported by the platform for the range; null otherwise, because reach of days or ads does not add up"""
    ctr: Union[float, None]
    """Clicks per 100 impressions; null without impressions"""
    avg_cpm: Union[float, None]
    """Spend per 1,000 impressions; null without impressions"""
    avg_cpc: Union[float, None]
    """Spend per click; null without clicks"""
    messaging_conversations_started_7d: Union[int, None]
    """Conversations started within 7 days of a click, as the platform reports them; null if it does not"""
    entity_level: "AdLevel"
    """campaign, ad_set or ad"""
    parent_name: Union[str, None]
    """Name of the parent campaign or ad set; null for campaigns"""
    cac: Union[float, None]
    """`spend` divided by `outcome_count`; null without payments or spend"""
    new_customer_count: int
    """First payments in which the row has a part; a deposit and its balance within 7 days count as one"""
    new_customer_value: Union[float, None]
    """Cash of these payments less refunds; null if an exchange rate is missing"""
    new_customer_cac: Union[float, None]
    """`spend` divided by `new_customer_count`; null without new customers or spend"""
    new_customer_roas: Union[float, None]
    """`new_customer_value` divided by `spend`; null without spend"""
    status: Union[str, None]
    """Status of the campaign, ad set or ad at the platform; null if it does not report one"""
    objective: Union[str, None]
    """Goal of the campaign, as the platform names it; null if it does not report one"""
    daily_budget: Union[float, None]
    """Budget per day in the currency of the account; null if there is none"""
    platform_actions: list[Literal["pause", "resume", "budget"]]
    """Changes that the connected platform currently accepts; empty for imported entities"""
    campaign_external_id: Union[str, None]
    """The platform’s id of the campaign; null if it is not known"""
    ad_set_external_id: Union[str, None]
    """The platform’s id of the ad set; null if it is not known"""
    platform: str
    """Ad platform, for example social_ads"""
    parents: list["GetCampaignReply_parents_item"]
    """The campaign, then the ad set"""
    platform_conversions: Union[float, None]
    """Conversions that the platform reports; null if it reports none"""
    platform_conversion_value: Union[str, None]
    """Value of the conversions that the platform reports; null if it reports none"""
    by_model: list["GetCampaignReply_by_model_item"]
    """The figures of each model"""
    days: list["GetCampaignReply_days_item"]
    """Figures of each day of the range"""
    creatives: list["CreativeOfAd"]
    """Creative of the ad; for a campaign or ad set, of its six ads with the highest spend. Empty with as_of"""
    calibration: Union["Calibration", None]
    """From its latest valid lift or geo study; null without one, and with as_of"""

class GetCampaignStatusReply(TypedDict):
    campaign_id: str
    """Id of the campaign"""
    platform_id: str
    """The platform’s id"""
    status: str
    """Status of the campaign at the platform"""
    effective_status: Union[str, None]
    """Status of the campaign at the platform, with that of its account and parents; null if it does not report one"""
    daily_budget: Union[float, None]
    """Budget per day in the currency of the account; null if there is none"""
    lifetime_budget: Union[float, None]
    """Budget for the whole run in the currency of the account; null if there is none"""
    currency: Union[str, None]
    """ISO 4217 code of the account’s currency; null if it is not known"""

class GetChangesMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    result_hash: str
    """Hash of the response without examples"""

class GetChangesReply_total(TypedDict):
    """Figures of the whole profile"""

    before: "ChangedFigures"
    """The figures before the change"""
    after: "ChangedFigures"
    """The figures after the change"""
    delta: "ChangedFigures"
    """`after` minus `before`"""

class GetChangesReply_by_cause_item_examples_item(TypedDict):
    fact_type: Literal["conversion", "payment", "merge", "recompute", "connection"]
    """Kind of the fact that changed"""
    fact_id: str
    """Id of the fact that changed"""
    occurred_at: Union[str, None]
    """Null unless it is a conversion or payment that still exists"""
    recorded_at: str
    """When the service recorded it"""
    delta: "ChangedFigures"
    """`after` minus `before`"""

class GetChangesReply_by_cause_item(TypedDict):
    cause: "RestatementCause"
    """Cause of the change"""
    delta: "ChangedFigures"
    """`after` minus `before`"""
    examples: list["GetChangesReply_by_cause_item_examples_item"]
    """At most 3"""

class GetChangesReply_rows_item_by_cause_item(TypedDict):
    cause: "RestatementCause"
    """Cause of the change"""
    delta: "ChangedFigures"
    """`after` minus `before`"""

class GetChangesReply_rows_item(TypedDict):
    kind: Literal["entity", "unattributed", "other"]
    """`unattributed` is the part without an entity of the level; `other` is the sum of the rows beyond `limit`"""
    entity_id: Union[str, None]
    """Id of the campaign, ad set or ad; null for the part without one"""
    name: Union[str, None]
    """Name of the campaign, ad set or ad; null if the platform has not reported it"""
    before: "ChangedFigures"
    """The figures before the change"""
    after: "ChangedFigures"
    """The figures after the change"""
    delta: "ChangedFigures"
    """`after` minus `before`"""
    by_cause: list["GetChangesReply_rows_item_by_cause_item"]
    """The change by cause"""

class GetChangesReply(TypedDict):
    since: Union[str, None]
    """Null, without changes, while a day of the range is open"""
    total: "GetChangesReply_total"
    """Figures of the whole profile"""
    by_cause: list["GetChangesReply_by_cause_item"]
    """The change by cause"""
    rows: list["GetChangesReply_rows_item"]
    """Changes by campaign, ad set or ad, largest first"""

class GetChannelRulesReply(TypedDict):
    overrides: list["ChannelOverride"]
    """In order of precedence; the first match decides"""
    list_version: str
    """Version of the built-in list of search, social, mail, shopping and AI-assistant sites"""
    updated_at: Union[str, None]
    """When it was last changed; null if it never was"""

class GetConversationReply_messages_item(TypedDict):
    id: str
    """Id of the message"""
    occurred_at: str
    """When it happened"""
    direction: Literal["in", "out"]
    """above or below the threshold; for a message, in or out"""
    kind: Literal["message", "postback", "text", "template", "media"]
    """Form of the message, for example text or image"""
    template: Union[str, None]
    """Name of the template that was sent; null if none was"""
    status: Union[Literal["sending", "sent", "delivered", "failed", "unknown"], None]
    """Delivery status of the message; null for received messages"""
    ad_id: Union[str, None]
    """Id of the ad; null if it is not known"""

class GetConversationReply(TypedDict):
    conversation: "Conversation"
    """The conversation and its state"""
    messages: list["GetConversationReply_messages_item"]
    """Messages of the conversation, oldest first"""

class GetCustomerReply_identifiers_item(TypedDict):
    identifier_id: str
    """Id of the identifier"""
    kind: Literal["external_id", "crm_contact_id", "national_id", "email", "phone", "provider_customer_id", "anonymous_id"]
    """Identifier type, for example email"""

class GetCustomerReply_consent(TypedDict):
    """The newest statement over all devices and identifiers; null if there is none"""

    ad_user_data: Literal["granted", "denied", "unspecified"]
    """Consent to send data of the person to ad platforms"""
    ad_personalization: Literal["granted", "denied", "unspecified"]
    """Consent to personalised ads"""
    source: Union[Literal["gpc", "page", "tcf", "consent_mode", "shopify", "wp", "attribute", "tracker", "api", "integration", "import", "default"], None]
    """What stated it; null if nothing did"""
    told_at: str
    """When the decision was made"""

class GetCustomerReply_journey_item_1(TypedDict):
    kind: Literal["touch"]
    """What happened: a touch, a conversion, a payment or a reply"""
    occurred_at: str
    """When it happened"""
    touch_id: str
    """Id of the visit or click"""
    channel: str
    """Channel, for example paid_social"""
    origin: str
    """How the visit was recorded, for example web or conversation_referral"""
    platform: Union[str, None]
    """Ad platform, for example social_ads; null if it is none"""
    is_direct: bool
    """A visit without ad, campaign link or referrer"""
    reported: bool
    """Whether the provider reported it"""
    campaign: Union["NamedEntity", None]
    """Campaign of the touch; null if it is not known"""
    ad_set: Union["NamedEntity", None]
    """Ad set of the touch; null if it is not known"""
    ad: Union["NamedEntity", None]
    """Ad of the touch; null if it is not known"""
    identifier_id: str
    """The device or account of the touch"""
    landing_path: Union[str, None]
    """Path of the first page; null if it is not known"""
    referrer_host: Union[str, None]
    """Host of the page that linked here; null if there is none"""
    utm_source: Union[str, None]
    """Source of the link, for example newsletter; null if it names none"""
    utm_medium: Union[str, None]
    """Medium of the link, for example email; null if it names none"""
    utm_campaign: Union[str, None]
    """Campaign of the link; null if it names none"""

class GetCustomerReply_journey_item_2(TypedDict):
    kind: Literal["conversion"]
    """What happened: a touch, a conversion, a payment or a reply"""
    occurred_at: str
    """When it happened"""
    conversion_id: str
    """Id of the conversion"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    revenue_type: "RevenueType"
    value: Union[float, None]
    """Value in `currency`; null if it has none"""
    currency: Union[str, None]
    """ISO 4217 code of the currency; null if there is no amount"""
    attribution_eligible: bool
    """Whether conversions of this goal get credit"""
    duplicate_of: Union[str, None]
    """Id of the conversion that counts instead; null if this one counts"""
    unconfirmed: bool
    """True until the payment is confirmed"""

class GetCustomerReply_journey_item_3(TypedDict):
    kind: Literal["payment"]
    """What happened: a touch, a conversion, a payment or a reply"""
    occurred_at: str
    """When it happened"""
    payment_id: str
    """Id of the payment"""
    provider: str
    """Provider of the account, for example social_ads"""
    status: str
    """Status of the payment"""
    value: float
    """Value in `currency`"""
    refunded_value: float
    """Value refunded so far"""
    currency: str
    """ISO 4217 code of the currency"""
    is_first_payment: bool
    """The customer’s first payment"""

class GetCustomerReply_journey_item_4(TypedDict):
    kind: Literal["reply"]
    """A reply of the business in a conversation"""
    occurred_at: str
    """When it happened"""
    conversation_id: str
    """Id of the conversation"""
    message_id: str
    """Id of the message"""
    template: Union[str, None]
    """Name of the template; null if none was sent"""

class GetCustomerReply(TypedDict):
    customer_id: str
    """Id of the customer"""
    identifier_kinds: list[Literal["external_id", "crm_contact_id", "national_id", "email", "phone", "provider_customer_id", "anonymous_id"]]
    """Strongest first; one entry per identifier"""
    contact: Union["Contact", None]
    """Name, email and phone; null if the caller may not see people"""
    first_seen_at: Union[str, None]
    """Time of the first visit; null without a visit"""
    first_channel: Union[str, None]
    """Channel of the first visit, before applying the profile’s channel rules; null without a visit"""
    last_seen_at: Union[str, None]
    """Time of the last visit; null without a visit"""
    conversions: int
    """Conversions counted in reports: without duplicates and unconfirmed money, with cash of every goal"""
    payments: int
    """Payments, without failed and pending ones"""
    revenue: Union[float, None]
    """Cash less refunds in the reporting currency, without amounts that lack an exchange rate; null if all lack one"""
    fx_missing: int
    """Payments and refunds not included in revenue for lack of an exchange rate"""
    last_conversion_at: Union[str, None]
    """Time of the last conversion; null without one"""
    identifiers: list["GetCustomerReply_identifiers_item"]
    """Identifiers of the customer"""
    consent: Union["GetCustomerReply_consent", None]
    """The newest statement over all devices and identifiers; null if there is none"""
    excluded_from_audiences: bool
    """Excluded from all customer lists sent to platforms"""
    merged_customer_ids: list[str]
    """Customers who were merged into this one"""
    journey: list[Union["GetCustomerReply_journey_item_1", "GetCustomerReply_journey_item_2", "GetCustomerReply_journey_item_3", "GetCustomerReply_journey_item_4"]]
    """Touches, conversions, payments and replies, oldest first"""
    journey_truncated: bool
    """Whether the oldest steps were omitted"""

class GetDataDrivenMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    currency: str
    """ISO 4217 code of the currency"""
    date_from: Union[str, None]
    """First day of the figures; null before the first run"""
    date_to: Union[str, None]
    """Last day of the figures, inclusive; null before the first run"""
    result_hash: str
    """Hash of the figures: equal hashes mean equal figures"""

class GetDataSchemaReply_tables_item_columns_item(TypedDict):
    name: str
    """Name of the column"""
    type: str
    """Type of the column’s values"""
    nullable: bool
    """Whether it can be null"""
    about: str
    """Description of the content"""

class GetDataSchemaReply_tables_item(TypedDict):
    name: Literal["events", "customers", "identities", "touches", "conversions", "payments", "refunds", "credits", "paths", "campaigns", "ad_sets", "ads", "ad_versions", "creatives", "delivery", "rates", "daily"]
    """Name of the table"""
    about: str
    """Description of the content"""
    by_day: bool
    """One folder per day"""
    columns: list["GetDataSchemaReply_tables_item_columns_item"]
    """Columns of the table"""

class GetDataSchemaReply(TypedDict):
    version: int
    """Increases when the meaning of a column changes"""
    tables: list["GetDataSchemaReply_tables_item"]
    """Tables of the export"""

class GetDeclaredVocabularyReply(TypedDict):
    question_en: str
    """The question in English"""
    question_es: str
    """The question in Spanish"""
    entries: list["VocabularyEntry"]
    """Answers of the vocabulary"""

class GetDoctorReply_checks_item_examples_item(TypedDict):
    kind: Literal["ad", "campaign", "connection", "conversion", "currency", "customer", "data_request", "event_name", "goal", "page", "platform", "process", "sender", "site"]
    """What the example is"""
    id: str
    """Id or name of the example"""
    count: Union[int, None]
    """How often it occurred; null if it is not counted"""
    detail: Union[str, None]
    """What was seen; null if there is nothing to add"""

class GetDoctorReply_checks_item_advice(TypedDict):
    """Recommended action, and the console page for it"""

    text: str
    """Recommended action, as a sentence"""
    page: Literal["campaigns", "connections", "goals", "identity", "payments", "settings", "tracking", "unattributed"]
    """Page of the console"""

class GetDoctorReply_checks_item(TypedDict):
    id: str
    """Id of the check, such as `event_drop`"""
    question: str
    """Question that the check answers"""
    status: Literal["ok", "warning", "problem", "not_applicable"]
    """Result of the check"""
    count: int
    """Number of affected clicks, sales, events, customers or connections"""
    value: Union[float, None]
    """Affected revenue or spend; null if no amount is known"""
    since: Union[str, None]
    """First day within the last 28 days on which it was detected; null without a finding"""
    opened_at: Union[str, None]
    """When the finding was opened; null without a finding"""
    examples: list["GetDoctorReply_checks_item_examples_item"]
    """A few examples"""
    advice: "GetDoctorReply_checks_item_advice"
    """Recommended action, and the console page for it"""

class GetDoctorReply(TypedDict):
    status: Union[Literal["ok", "warning", "problem", "not_applicable"], None]
    """The worst status of the checks; null before the first run"""
    checked_at: Union[str, None]
    """When the checks last ran; null before the first run"""
    currency: str
    """ISO 4217 code of the currency"""
    checks: list["GetDoctorReply_checks_item"]
    """Result of each check, findings first"""

class GetFactorsReply_factors_item(TypedDict):
    id: str
    """Id of the second factor"""
    kind: Literal["totp", "passkey"]
    """Authenticator app or passkey"""
    name: str
    """Name of the device"""
    created_at: str
    """When it was created"""
    last_used_at: Union[str, None]
    """When it last proved a sign-in; null if never"""

GetFactorsReply_required_by_item = TypedDict("GetFactorsReply_required_by_item", {
    "id": str,
    "name": str,
    "from": str,
})

class GetFactorsReply(TypedDict):
    factors: list["GetFactorsReply_factors_item"]
    """Without unfinished enrolments"""
    recovery_codes_left: int
    """Codes that were not used yet"""
    remembered_devices: int
    """Devices that sign in without the second factor for up to 30 days"""
    has_password: bool
    """False: a passkey signs in alone"""
    required_by: list["GetFactorsReply_required_by_item"]
    """Workspaces that require a second factor, and from when"""

class GetHandoffMeta(TypedDict):
    """Context of the response"""

    profile_id: NotRequired[str]
    """Id of the profile"""
    workspace_id: NotRequired[str]
    """Id of the workspace"""

class GetJourneysMeta_fx_missing_rates_item(TypedDict):
    currency: str
    """ISO 4217 code of the currency"""
    day: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""

class GetJourneysMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]
    """Attribution model that splits the credit"""
    lookback_days: int
    """The lookback that the figures were computed with"""
    reconciliation: "Reconciliation"
    """Check that the rows add up: total = credited + unattributed"""
    freshness: "ReportFreshness"
    """How current the figures are"""
    currency: str
    """ISO 4217 code of the currency"""
    fx_missing: int
    """Payments, refunds and spend of the range without an exchange rate for their day; they add nothing until it is known"""
    fx_missing_rates: list["GetJourneysMeta_fx_missing_rates_item"]
    """The missing rates, newest first, at most 100"""
    result_hash: str
    """Hash of the figures: equal hashes mean equal figures"""
    truncated: bool
    """True if there are more payments than were read"""

class GetMeReply(TypedDict):
    id: str
    """Id of the user"""
    email: str
    """Email address of the account"""
    name: str
    """Name of the person"""
    email_verified: bool
    """True once the person has proved ownership of the address; until then, access granted to the address has no effect"""
    created_at: str
    """When it was created"""
    is_operator: bool
    """Whether the account may open the operator page (OPERATORS)"""

class GetOperatorStatusReply_nodes_item(TypedDict):
    name: str
    """Address of the database node"""
    is_up: bool
    """True if the node responds"""

class GetOperatorStatusReply(TypedDict):
    version: str
    """Version of the release"""
    build: str
    """Id of the build"""
    processes: list["ServiceProcess"]
    """Processes of the service"""
    lag: "ServiceLag"
    """How far the work of the service is behind"""
    nodes: list["GetOperatorStatusReply_nodes_item"]
    """Nodes of the database"""

class GetOverviewReply_totals(TypedDict):
    """Sums of all rows"""

    spend: Union[float, None]
    """Spend of campaigns. GET /reports/channels also includes ads without a known campaign. Null if an exchange rate is missing"""
    revenue: Union[float, None]
    """All cash of the profile less refunds; null if an exchange rate is missing"""
    credited_revenue: Union[float, None]
    """Revenue credited to campaigns; null if an exchange rate is missing"""
    payments: int
    """All payments of the profile, without failed and pending ones"""
    total_roas: Union[float, None]
    """Revenue divided by spend; null without spend"""
    credited_payments: int
    """Payments that have credit"""
    outcome_credit: float
    """The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments"""
    roas: Union[float, None]
    """Return on ad spend: credited cash / spend; null without spend"""
    cac: Union[float, None]
    """Spend per payment; null without payments"""

class GetOverviewReply_days_item(TypedDict):
    date: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    spend: Union[float, None]
    """Spend of campaigns. GET /reports/channels also includes ads without a known campaign. Null if an exchange rate is missing"""
    revenue: Union[float, None]
    """All cash of the profile less refunds; null if an exchange rate is missing"""
    credited_revenue: Union[float, None]
    """Revenue credited to campaigns; null if an exchange rate is missing"""
    payments: int
    """All payments of the profile, without failed and pending ones"""

class GetOverviewReply(TypedDict):
    totals: "GetOverviewReply_totals"
    """Sums of all rows"""
    days: list["GetOverviewReply_days_item"]
    """Figures of each day of the range"""

class GetProblemReply(TypedDict):
    id: str
    """Id of the problem"""
    kind: "ProblemKind"
    profile_id: Union[str, None]
    """Id of the profile; null if it belongs to none"""
    what: str
    """Name of the job, event or webhook event"""
    reason: Union[str, None]
    """Why it failed; null if it is not known"""
    attempts: Union[int, None]
    """Attempts so far; null if the kind of problem has no attempts"""
    since: str
    """When it first occurred"""
    age_seconds: float
    """Age in seconds"""
    detail: dict[str, Any]
    """Ids and the redacted error, without personal data"""

class GetReadinessMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""

class GetReadinessReply(TypedDict):
    ready: bool
    """Whether setup is complete"""
    steps: list["ReadinessStep"]
    """What remains to be set up, in order"""

class GetRealtimeReply_minutes_item(TypedDict):
    minute: str
    """Start of the minute"""
    events: int
    """Number of events"""
    visitors: int
    """Number of visitors"""

class GetRealtimeReply_pages_item(TypedDict):
    path: str
    """Path of the page"""
    views: int
    """Number of page views"""
    visitors: int
    """Number of visitors"""

class GetRealtimeReply_channels_item(TypedDict):
    channel: str
    """Channel, for example paid_social"""
    visits: int
    """Number of visits"""

class GetRealtimeReply_conversions_item(TypedDict):
    conversion_id: str
    """Id of the conversion"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    revenue_type: "RevenueType"
    occurred_at: str
    """When it happened"""
    value: Union[float, None]
    """Value of the conversion, in the profile’s currency; null if it has none"""
    currency: Union[str, None]
    """ISO 4217 code of the currency; null if there is no amount"""

class GetRealtimeReply(TypedDict):
    as_of: str
    """Day or time to which the figures refer"""
    window_minutes: int
    """Minutes that the figures cover"""
    active_visitors: int
    """Visitors reported by the tracker, or by a server with a page, a click or an ad, in the last 5 minutes; an outcome alone is not a visit"""
    events: int
    """Number of events"""
    is_sampled: bool
    """Whether the figures come from a sample"""
    minutes: list["GetRealtimeReply_minutes_item"]
    """One entry per minute, oldest first"""
    pages: list["GetRealtimeReply_pages_item"]
    """The ten most viewed"""
    channels: list["GetRealtimeReply_channels_item"]
    """Visits of the last 30 minutes by channel"""
    conversions: list["GetRealtimeReply_conversions_item"]
    """The ten newest of the window"""

class GetReportsHubReply_batches_item(TypedDict):
    id: str
    """Id of the request"""
    created_at: str
    """When it was created"""
    total: int
    """Number of reports of the request"""
    done: int
    """Number of reports that are finished"""
    failed: int
    """Number of reports that failed"""
    skipped: int
    """Number of reports that were skipped"""

class GetReportsHubReply(TypedDict):
    reports: list["ClientReport"]
    """The newest reports"""
    schedules: list["ReportSchedule"]
    """Report schedules of the profiles"""
    batches: list["GetReportsHubReply_batches_item"]
    """Requests that generated reports, newest first"""

class GetStorefrontPixelInstallerReply_settings(TypedDict):
    """Values that the code contains"""

    tracking_key: str
    """Public key of the tracker"""
    collector_url: str
    """URL to which the tracker sends its events"""

class GetStorefrontPixelInstallerReply(TypedDict):
    name: str
    """Name of the pixel, to enter in the store"""
    code: str
    """Code of the pixel, to paste in the store"""
    settings: "GetStorefrontPixelInstallerReply_settings"
    """Values that the code contains"""

class GetSubscriptionReply_active_profiles(TypedDict):
    """Number of active profiles, and the limit of the plan"""

    used: int
    """Used amount of the limit"""
    limit: int
    """Rows per page"""

class GetSubscriptionReply(TypedDict):
    plan: "Plan"
    status: Literal["trialing", "active", "past_due", "canceled"]
    """Status of the subscription at the payment provider"""
    trial_ends_at: Union[str, None]
    """When the trial ends; null without a trial"""
    current_period_start: str
    """Start of the paid period"""
    current_period_end: Union[str, None]
    """End of the paid period; null without a subscription"""
    cancels_at: Union[str, None]
    """When the plan ends; null unless the payer cancelled it"""
    billed_by: Literal["payment_provider", "store", "none"]
    """Who bills the plan"""
    active_profiles: "GetSubscriptionReply_active_profiles"
    """Number of active profiles, and the limit of the plan"""

class GetSyncStatusReply_progress(TypedDict):
    """How far the running sync is; null if none runs"""

    done: int
    """Parts that are finished, out of `total`"""
    total: Union[int, None]
    """Number of parts; null until it is known"""
    unit: str
    """Unit of the count"""

class GetSyncStatusReply_set_aside(TypedDict):
    """Number of records set aside"""

    records: int
    """Records that were set aside"""
    last_reason: Union[str, None]
    """Reason why the last record was set aside; null if none was"""

class GetSyncStatusReply(TypedDict):
    state: Literal["idle", "queued", "running", "failed"]
    """What the sync does now"""
    last_success_at: Union[str, None]
    """Time of the last success; null if there was none"""
    complete_until: Union[str, None]
    """Start of the last complete sync: all earlier data has been read; null if there was none"""
    last_attempt_at: Union[str, None]
    """Time of the last attempt; null before the first"""
    last_error: Union[str, None]
    """Error of the last failed attempt; null after a success"""
    next_run_at: Union[str, None]
    """Time of the next run; null if none is planned"""
    progress: Union["GetSyncStatusReply_progress", None]
    """How far the running sync is; null if none runs"""
    set_aside: "GetSyncStatusReply_set_aside"
    """Number of records set aside"""
    provider: str
    """Provider of the account, for example social_ads"""
    connection_id: str
    """Id of the connection"""

class GetTabCountsReply_since(TypedDict):
    """When you last viewed each tab; at most 30 days ago"""

    top_performers: str
    """Ads that were scored for the first time"""
    recommendations: str
    """Recommendations that are open"""
    experiments: str
    """Studies that started or ended"""
    reports: str
    """Client reports that are finished"""
    patterns: str
    """Profiles with recomputed creative patterns"""
    proposals: str
    """Merge proposals that are open"""
    connections: str
    """Connections that were added or stopped working"""

class GetTabCountsReply_tabs(TypedDict):
    """Number of new items per tab"""

    top_performers: int
    """Ads that were scored for the first time"""
    recommendations: int
    """Recommendations that are open"""
    experiments: int
    """Studies that started or ended"""
    reports: int
    """Client reports that are finished"""
    patterns: int
    """Profiles with recomputed creative patterns"""
    proposals: int
    """Merge proposals that are open"""
    connections: int
    """Connections that were added or stopped working"""

class GetTabCountsReply(TypedDict):
    since: "GetTabCountsReply_since"
    """When you last viewed each tab; at most 30 days ago"""
    tabs: "GetTabCountsReply_tabs"
    """Number of new items per tab"""

GetTagManagerInstallerReply = dict[str, Any]

class GetTopPerformersBriefReply(TypedDict):
    ads_scored: int
    """Ads with a score"""
    winners: int
    """Number of winning ads"""
    rising: int
    """Number of rising ads"""
    fatiguing: int
    """Number of fatiguing ads"""
    cold: int
    """Number of cold ads"""
    profiles_not_scored: int
    """Profiles without scores yet"""
    as_of: Union[str, None]
    """When the newest scores were computed; null before the first"""

class GetTrackingConsentMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    date_from: str
    """First day of the counts"""
    date_to: str
    """Last day of the counts"""

class GetTrackingConsentReply_days_item(TypedDict):
    day: str
    """Day in the time zone of the profile"""
    source: str
    """What stated it: a signal, or the kind of event"""
    purpose: Literal["statistics", "ad_user_data", "ad_personalization"]
    """What it is about"""
    state: Literal["granted", "denied"]
    """What was stated"""
    events: int
    """Number of events with it"""
    sessions: int
    """Sessions that began with it"""

class GetTrackingConsentReply_withheld_item(TypedDict):
    platform: Literal["social", "engine", "shortvideo", "microsoft", "linkedin"]
    """Platform that did not receive them"""
    conversions: int
    """Number of conversions"""
    value: Union[float, None]
    """In the reporting currency; null if no amount is known"""

class GetTrackingConsentReply_excluded_item(TypedDict):
    day: str
    """Day in the time zone of the profile"""
    reason: Literal["own", "path"]
    """A browser of your own, or an excluded path"""
    page_views: int
    """Number of page views that do not count"""

class GetTrackingConsentReply(TypedDict):
    days: list["GetTrackingConsentReply_days_item"]
    """By day, source, purpose and state"""
    withheld: list["GetTrackingConsentReply_withheld_item"]
    """Conversions queued in these days that were not sent because of a refusal"""
    pending_share: Union[float, None]
    """Share of sessions that began before the visitor answered a banner; null without sessions"""
    conflicts: int
    """Events on pages whose banners contradict each other; the refusal applies"""
    excluded: list["GetTrackingConsentReply_excluded_item"]
    """Page views of own browsers and excluded paths, by day"""

class GetTrackingOpsReply_last_24_hours(TypedDict):
    """Counts for the last 24 hours"""

    events: int
    """Number of events of the last 24 hours"""
    touches: int
    """Number of visits and clicks of the last 24 hours"""
    conversions: int
    """Number of conversions of the last 24 hours"""

class GetTrackingOpsReply_quarantine_events_item(TypedDict):
    event_id: str
    """Id of the stored event"""
    reason: Literal["processing_failed", "amount_too_large", "day_total_too_large"]
    """Why the event could not be processed, for programs"""
    detail: Union[str, None]
    """Why the event could not be processed; null if it is not known"""
    set_aside_at: str
    """When it was set aside"""

class GetTrackingOpsReply_quarantine(TypedDict):
    """Events that could not be processed. They are kept but not counted, and are retried when a new version of them is sent. The newest 50 are listed."""

    count: int
    """Number of quarantined events"""
    events: list["GetTrackingOpsReply_quarantine_events_item"]
    """The newest quarantined events"""

class GetTrackingOpsReply(TypedDict):
    waiting: int
    """Number of events waiting to be processed"""
    oldest_waiting_at: Union[str, None]
    """When the oldest waiting item was queued; null if none waits"""
    last_24_hours: "GetTrackingOpsReply_last_24_hours"
    """Counts for the last 24 hours"""
    quarantine: "GetTrackingOpsReply_quarantine"
    """Events that could not be processed. They are kept but not counted, and are retried when a new version of them is sent. The newest 50 are listed."""

class GetTrackingOriginReply(TypedDict):
    origin: str
    """Origin that the tracker sends events to"""
    canonical_origin: str
    """Where the script is served from"""
    custom_domain: Union[str, None]
    """Custom domain of the script; null if none is configured"""
    collect_url: str
    """URL to which the tracker sends its events"""

class GetTrackingQualityReply_excluded(TypedDict):
    """Page views that do not count"""

    own_browsers: int
    """Page views of browsers that were marked as your own"""
    paths: int
    """Page views of excluded paths"""

class GetTrackingQualityReply_consent_withheld_item(TypedDict):
    platform: Literal["social", "engine", "shortvideo", "microsoft", "linkedin"]
    """Ad platform, for example social_ads"""
    conversions: int
    """Number of conversions that were not sent because of a refusal"""
    value: Union[float, None]
    """In the reporting currency; null if no amount is known"""

class GetTrackingQualityReply_consent(TypedDict):
    """What visitors refused, and what was withheld because of it"""

    sources: list[str]
    """What stated a consent in these days"""
    banner_seen_but_not_read: bool
    """True if a banner is on the page and the tag does not read banners"""
    gpc_events: int
    """Events whose browser sent Global Privacy Control"""
    ads_denied_events: int
    """Events that refuse the use for ads, with or without that signal"""
    withheld: list["GetTrackingQualityReply_consent_withheld_item"]
    """Conversions queued in these days that were not sent because of a refusal"""

class GetTrackingQualityReply_findings_item(TypedDict):
    code: str
    """Code of the finding, for programs"""
    message: str
    """Explanation of the finding for people"""

class GetTrackingQualityReply(TypedDict):
    status: Literal["healthy", "attention", "silent"]
    """Whether events arrive, and whether something needs attention"""
    last_event_at: Union[str, None]
    """Time of the last event; null if there was none"""
    events: int
    """Number of events in the last seven days"""
    bots: int
    """Number of events from bots in the last seven days"""
    page_views: int
    """Number of page views"""
    sessions: int
    """Number of visits"""
    visitors: int
    """Number of visitors"""
    identified: int
    """Number of visitors with a personal identifier"""
    with_click_id: int
    """Visits with a click id"""
    with_ad: int
    """Visits with a click id that also name an ad"""
    excluded: "GetTrackingQualityReply_excluded"
    """Page views that do not count"""
    consent: "GetTrackingQualityReply_consent"
    """What visitors refused, and what was withheld because of it"""
    findings: list["GetTrackingQualityReply_findings_item"]
    """What could be wrong, most severe first"""

class GetTrackingSnippetReply(TypedDict):
    html: str
    """HTML to insert into the page"""
    key: str
    """Public key of the tracker"""
    src: str
    """URL of the script"""

class GetUnattributedReply(TypedDict):
    outcome_count: int
    """Payments in which the row has a part"""
    outcome_credit: float
    """The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments"""
    outcome_value: Union[float, None]
    """Credited cash less refunds; null if no exchange rate is known"""
    attributed_outcome_count: int
    """Conversions of all types that the row has credit for"""
    attributed_outcomes_by_type: "OutcomesByType"
    """`attributed_outcome_count` by `outcome_type`"""
    fx_missing: int
    """Amounts left out because their exchange rate is missing"""
    new_customer_count: int
    """First payments in which the row has a part; a deposit and its balance within 7 days count as one"""
    new_customer_value: Union[float, None]
    """Cash of these payments less refunds; null if an exchange rate is missing"""

class GetUtmHealthMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    currency: str
    """ISO 4217 code of the currency"""

class GetWebhookDeliveryReply_attempts_item(TypedDict):
    attempt: int
    """Number of the attempt, from 1"""
    at: str
    """When it happened"""
    response_status: Union[int, None]
    """HTTP status of the response; null if there was none"""
    error: Union[str, None]
    """Error; null if there was none"""
    duration_ms: int
    """Duration in milliseconds"""

class GetWebhookDeliveryReply(TypedDict):
    id: str
    """Id of the delivery"""
    subscription_id: str
    """Id of the webhook subscription"""
    event_id: str
    """Id of the stored event"""
    event_type: str
    """Alias of `event_name`"""
    status: Literal["pending", "delivered", "failed", "cancelled"]
    """State of the delivery"""
    status_reason: Union[str, None]
    """Reason for the status; null if there is no problem"""
    attempt_count: int
    """Attempts so far"""
    next_attempt_at: Union[str, None]
    """Time of the next attempt; null if there is none"""
    created_at: str
    """When it was created"""
    settled_at: Union[str, None]
    """When it ended; null until then"""
    attempts: list["GetWebhookDeliveryReply_attempts_item"]
    """Attempts so far"""
    payload: dict[str, Any]
    """As stored, without the person"""

class Goal_fired(TypedDict):
    """In lists: how often reports counted the outcome; null for a goal that is not in reports (neither credited to ads nor cash)"""

    last_28_days: int
    """Number of days of the last 28, today included"""
    last_day: Union[str, None]
    """Last day on which the condition held; null if it never did"""
    shared: bool
    """Another goal has the same outcome; these figures include both"""

class Goal(TypedDict):
    id: str
    """Id of the goal"""
    display_name: str
    """Name of the goal"""
    conversion_key: str
    """Key of the goal, unique in the profile"""
    source_event_names: list[str]
    """Events with these names are conversions of the goal"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    revenue_type: "RevenueType"
    attribution_eligible: bool
    """Whether conversions of this goal get credit"""
    fired: NotRequired[Union["Goal_fired", None]]
    """In lists: how often reports counted the outcome; null for a goal that is not in reports (neither credited to ads nor cash)"""
    target: NotRequired[Union["GoalTarget", None]]
    """In lists: progress towards the target; null for API keys"""

class GoalTarget(TypedDict):
    metric: Literal["count", "value", "cac", "roas"]
    """cac: all ad spend per outcome; roas: value of all outcomes, credited to ads or not, over all ad spend; for a goal of all cash that is total_roas of GET /reports/overview, not its roas"""
    period: Literal["week", "month"]
    """Monday to Sunday, or the calendar month, in the profile’s time zone"""
    target: float
    """The value to reach in the period"""
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    through: Union[str, None]
    """The last closed day; for cac and roas, the last with complete ad data. Null if there is none yet"""
    actual: Union[float, None]
    """Result of the closed days; null while no day is closed"""
    expected: Union[float, None]
    """Part of the target that is due after the closed days, by the weekday pattern of the 8 weeks before; null without an estimate"""
    status: Literal["ahead", "on_track", "behind", "too_early", "unknown"]
    """`too_early` until there are 5 outcomes, actual or expected; for money, at the latest after 7 closed days"""

class Handoff_last_attempt(TypedDict):
    """While pending: the last visit that was refused without ending the hand-off, such as `state_invalid` in another browser. The link still works. Null without one"""

    at: str
    """When it happened"""
    reason: Literal["user_cancelled", "provider_denied", "provider_error", "token_exchange_failed", "account_connected_elsewhere", "no_candidates", "connect_failed", "internal_error", "state_expired", "state_invalid", "handoff_expired", "handoff_used", "provider_not_configured", "origin_not_allowed"]
    """Why the visit was refused or the connection failed, for programs"""

class Handoff(TypedDict):
    id: str
    """Id of the hand-off"""
    kind: Literal["connect", "checkout"]
    """Whether the person connects an account or pays for a plan"""
    status: Literal["pending", "completed", "failed", "cancelled"]
    """How far the person has come"""
    url: str
    """Link for the person who connects the account"""
    start_url: str
    """Link for a user of an app: opens the consent page of the provider"""
    expires_at: str
    """When it expires"""
    created_at: str
    """When it was created"""
    completed_at: Union[str, None]
    """When it ended; null until then"""
    result: Union["HandoffResult", None]
    """Result; null while it is pending"""
    last_attempt: Union["Handoff_last_attempt", None]
    """While pending: the last visit that was refused without ending the hand-off, such as `state_invalid` in another browser. The link still works. Null without one"""

class HandoffCompletedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    id: str
    """Id of the hand-off"""
    kind: str
    """Whether the person connects an account or pays for a plan"""
    status: str
    """How it ended: completed, failed or cancelled"""
    result: Union[dict[str, Any], None]
    """Outcome of the hand-off, as `GET /handoffs/{id}` returns it; null without one"""

class HandoffCompletedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["handoff.completed"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "HandoffCompletedEvent_data"
    """Payload of the event"""

class HandoffResult_value_1(TypedDict):
    provider: str
    """Provider of the account, for example social_ads"""
    connection_id: str
    """Id of the connection"""

class HandoffResult_value_2_pending_selection(TypedDict):
    """Several accounts are available: a person must choose one"""

    candidate_count: int
    """Number of accounts to choose from"""
    expires_at: str
    """When it expires"""

class HandoffResult_value_2(TypedDict):
    provider: str
    """Provider of the account, for example social_ads"""
    pending_selection: "HandoffResult_value_2_pending_selection"
    """Several accounts are available: a person must choose one"""

class HandoffResult_value_3(TypedDict):
    provider: NotRequired[str]
    """Provider of the account, for example social_ads"""
    reason: Literal["user_cancelled", "provider_denied", "provider_error", "token_exchange_failed", "account_connected_elsewhere", "no_candidates", "connect_failed", "internal_error", "state_expired", "state_invalid", "handoff_expired", "handoff_used", "provider_not_configured", "origin_not_allowed"]
    """Why the visit was refused or the connection failed, for programs"""

class HandoffResult_value_4(TypedDict):
    plan: str
    """Plan of the workspace"""

HandoffResult = Union["HandoffResult_value_1", "HandoffResult_value_2", "HandoffResult_value_3", "HandoffResult_value_4"]

class HipaaAgreement(TypedDict):
    signed_by: str
    """Name of the person who signed"""
    signed_at: str
    """When it was signed"""

class IdentityLink_weaker(TypedDict):
    """The identifier that was linked"""

    identifier_id: str
    """Id of the identifier"""
    kind: Literal["external_id", "crm_contact_id", "national_id", "email", "phone", "provider_customer_id", "anonymous_id"]
    """Identifier type, for example email"""
    customer_id: str
    """Id of the customer"""

class IdentityLink_stronger(TypedDict):
    """The identifier with higher precedence"""

    identifier_id: str
    """Id of the identifier"""
    kind: Literal["external_id", "crm_contact_id", "national_id", "email", "phone", "provider_customer_id", "anonymous_id"]
    """Identifier type, for example email"""
    customer_id: str
    """Id of the customer"""

class IdentityLink(TypedDict):
    id: str
    """Ids of the two identifiers, the weaker one first"""
    status: "LinkStatus"
    """Whether the link joins the customers"""
    weaker: "IdentityLink_weaker"
    """The identifier that was linked"""
    stronger: "IdentityLink_stronger"
    """The identifier with higher precedence"""
    first_observed_at: str
    """When it was first seen"""
    last_observed_at: str
    """When it was last seen"""
    events: int
    """Number of events that contain both"""
    decided_at: Union[str, None]
    """When a person decided; null until then"""

class ImportSpendReply(TypedDict):
    inserted: int
    """Number of new rows"""
    updated: int
    """Number of existing items that changed"""
    unchanged: int
    """Number of events already stored with the same content"""

class ImportSpendRequest(TypedDict):
    rows: list["SpendRow"]
    """Spend per day and campaign"""

class Invitation(TypedDict):
    id: str
    """Id of the invitation"""
    email: str
    """Email address of the invited person"""
    role: Literal["owner", "admin", "editor", "viewer"]
    """Role in the workspace"""
    profile_id: Union[str, None]
    """Id of the profile that the invitation is for; null if it is for the workspace"""
    permissions: list[str]
    """Permissions of the member"""
    invited_by_user_id: Union[str, None]
    """Id of the user who sent the invitation; null if an app sent it"""
    created_at: str
    """When it was created"""
    expires_at: str
    """When it expires"""

class InviteMemberReply(TypedDict):
    id: str
    """Id of the invitation"""
    email: str
    """Email address of the invited person"""
    role: Literal["owner", "admin", "editor", "viewer"]
    """Role in the workspace"""
    profile_id: Union[str, None]
    """Id of the profile that the invitation is for; null if it is for the workspace"""
    permissions: list[str]
    """Permissions of the member"""
    invited_by_user_id: Union[str, None]
    """Id of the user who sent the invitation; null if an app sent it"""
    created_at: str
    """When it was created"""
    expires_at: str
    """When it expires"""
    accept_url: Union[str, None]
    """A link to pass on; returned once, and only if no mail server is configured, otherwise null. The address of a person who joins with it stays unverified."""

class InviteMemberRequest(TypedDict):
    email: str
    """Email address of the invited person"""
    role: Literal["owner", "admin", "editor", "viewer"]
    """Role in the workspace"""

class InviteProfileMemberReply(TypedDict):
    id: str
    """Id of the invitation"""
    email: str
    """Email address of the invited person"""
    role: Literal["owner", "admin", "editor", "viewer"]
    """Role in the workspace"""
    profile_id: Union[str, None]
    """Id of the profile that the invitation is for; null if it is for the workspace"""
    permissions: list[str]
    """Permissions of the member"""
    invited_by_user_id: Union[str, None]
    """Id of the user who sent the invitation; null if an app sent it"""
    created_at: str
    """When it was created"""
    expires_at: str
    """When it expires"""
    accept_url: Union[str, None]
    """A link to pass on; returned once, and only if no mail server is configured, otherwise null. The address of a person who joins with it stays unverified."""

class InviteProfileMemberRequest(TypedDict):
    email: str
    """Email address of the invited person"""
    role: Literal["editor", "viewer"]
    """Role in the workspace"""
    permissions: NotRequired["Permissions"]

class JourneyPath(TypedDict):
    steps: list[str]
    """Channels in order of time; consecutive visits of one channel are one step. `earlier` replaces the steps before the last six; a single `unknown` means no visit within the lookback, a single `not_creditable` a goal that is never credited"""
    payments: int
    """Payments on these days"""
    customers: int
    """Distinct customers of these payments"""
    outcome_value: float
    """Cash of these days, refunds subtracted on their own days; over all paths it equals the revenue of GET /reports/overview"""
    fx_missing: int
    """Amounts left out because their exchange rate is missing"""

KeyScope = Literal["analytics:read", "campaigns:apply", "campaigns:read", "connections:read", "connections:write", "conversions:read", "customers:read", "events:write", "exports:read", "exports:write", "identity:read", "identity:write", "mcp:read", "mcp:read_pii", "mcp:write", "messages:write", "payments:read", "payments:write", "realtime:read", "tracking:read", "tracking:write", "visitors:read", "webhooks:read", "webhooks:write"]

class LeadgenReceivedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    page_id: str
    """The platform’s id of the page"""
    leadgen_id: str
    """The platform’s id of the lead"""
    form_id: Union[str, None]
    """The platform’s id of the lead form; null if it sends none"""
    ad_id: Union[str, None]
    """The platform’s id of the ad; null if the form was not opened from an ad"""
    campaign_id: Union[str, None]
    """The platform’s id of the campaign; null if the form was not opened from an ad"""
    field_data: list[dict[str, Any]]
    """The person's answers"""
    contact_withheld: bool
    """True if the subscription may not receive people"""

class LeadgenReceivedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["leadgen.received"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    historical: NotRequired[Literal[True]]
    """Present if it happened more than two days before it was recorded"""
    data: "LeadgenReceivedEvent_data"
    """Payload of the event"""

class LearnedTier(TypedDict):
    value: Union[Literal["low", "medium", "high"], None]
    """The tier; null unless `status` is `served`"""
    status: Literal["served", "withheld", "not_applicable"]
    """Whether the value may be shown"""
    reason: Union[str, None]
    """Why there is no value, such as insufficient_history, no_skill or miscalibrated; null if there is one"""

class LearnedValue(TypedDict):
    """Use `value` only if `status` is `served`; show withheld as "not evaluated", never as 0."""

    value: Union[float, None]
    """The learned value, in the unit of the field; null unless `status` is `served`"""
    status: Literal["served", "withheld", "not_applicable"]
    """Whether the value may be shown"""
    reason: Union[str, None]
    """Why there is no value, such as insufficient_history, no_skill or miscalibrated; null if there is one"""

LinkStatus = Literal["pending", "accepted", "rejected"]

class ListAdPeopleMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    freshness: "ReportFreshness"
    """How current the figures are"""
    result_hash: str
    """Hash of the figures: equal hashes mean equal figures"""

class ListAdPeopleReply_totals_by_origin_partner_ad_referral(TypedDict):
    """Origin: an ad that a partner reported"""

    people: int
    """Number of people"""
    touches: int
    """Number of visits and clicks"""

class ListAdPeopleReply_totals_by_origin_conversation_referral(TypedDict):
    """Origin: a conversation that started from an ad"""

    people: int
    """Number of people"""
    touches: int
    """Number of visits and clicks"""

class ListAdPeopleReply_totals_by_origin_web(TypedDict):
    """Origin: a visit to the website"""

    people: int
    """Number of people"""
    touches: int
    """Number of visits and clicks"""

class ListAdPeopleReply_totals_by_origin_other(TypedDict):
    """Origin: none of the others"""

    people: int
    """Number of people"""
    touches: int
    """Number of visits and clicks"""

class ListAdPeopleReply_totals_by_origin(TypedDict):
    """The figures of each origin"""

    partner_ad_referral: "ListAdPeopleReply_totals_by_origin_partner_ad_referral"
    """Origin: an ad that a partner reported"""
    conversation_referral: "ListAdPeopleReply_totals_by_origin_conversation_referral"
    """Origin: a conversation that started from an ad"""
    web: "ListAdPeopleReply_totals_by_origin_web"
    """Origin: a visit to the website"""
    other: "ListAdPeopleReply_totals_by_origin_other"
    """Origin: none of the others"""

class ListAdPeopleReply_totals(TypedDict):
    """Sums of all rows"""

    ad_people: int
    """People with an ad touch"""
    ad_touches: int
    """Number of visits and clicks from ads"""
    by_origin: "ListAdPeopleReply_totals_by_origin"
    """The figures of each origin"""
    meta_messaging_conversations_started: Union[int, None]
    """Conversations started, as the platform reports them; null if it does not"""

class ListAdPeopleReply_buckets_item_by_origin_partner_ad_referral(TypedDict):
    """Origin: an ad that a partner reported"""

    people: int
    """Number of people"""
    touches: int
    """Number of visits and clicks"""

class ListAdPeopleReply_buckets_item_by_origin_conversation_referral(TypedDict):
    """Origin: a conversation that started from an ad"""

    people: int
    """Number of people"""
    touches: int
    """Number of visits and clicks"""

class ListAdPeopleReply_buckets_item_by_origin_web(TypedDict):
    """Origin: a visit to the website"""

    people: int
    """Number of people"""
    touches: int
    """Number of visits and clicks"""

class ListAdPeopleReply_buckets_item_by_origin_other(TypedDict):
    """Origin: none of the others"""

    people: int
    """Number of people"""
    touches: int
    """Number of visits and clicks"""

class ListAdPeopleReply_buckets_item_by_origin(TypedDict):
    """The figures of each origin"""

    partner_ad_referral: "ListAdPeopleReply_buckets_item_by_origin_partner_ad_referral"
    """Origin: an ad that a partner reported"""
    conversation_referral: "ListAdPeopleReply_buckets_item_by_origin_conversation_referral"
    """Origin: a conversation that started from an ad"""
    web: "ListAdPeopleReply_buckets_item_by_origin_web"
    """Origin: a visit to the website"""
    other: "ListAdPeopleReply_buckets_item_by_origin_other"
    """Origin: none of the others"""

class ListAdPeopleReply_buckets_item(TypedDict):
    key: str
    """The bucket: a month, a day or the id of an ad"""
    start: str
    """Start of the bucket"""
    end: str
    """End of the bucket"""
    ad_id: Union[str, None]
    """Id of the ad of the bucket; null if the buckets are months or days"""
    ad_name: Union[str, None]
    """Name of the ad of the bucket; null if the buckets are months or days"""
    ad_people: int
    """People with an ad touch"""
    ad_touches: int
    """Number of visits and clicks from ads"""
    by_origin: "ListAdPeopleReply_buckets_item_by_origin"
    """The figures of each origin"""
    meta_messaging_conversations_started: Union[int, None]
    """Conversations started, as the platform reports them; null if it does not"""

class ListAdPeopleReply_origin_labels_partner_ad_referral(TypedDict):
    """Origin: an ad that a partner reported"""

    label_en: str
    """Display label in English"""
    label_es: str
    """Display label in Spanish"""
    description: str
    """What the origin means"""

class ListAdPeopleReply_origin_labels_conversation_referral(TypedDict):
    """Origin: a conversation that started from an ad"""

    label_en: str
    """Display label in English"""
    label_es: str
    """Display label in Spanish"""
    description: str
    """What the origin means"""

class ListAdPeopleReply_origin_labels_web(TypedDict):
    """Origin: a visit to the website"""

    label_en: str
    """Display label in English"""
    label_es: str
    """Display label in Spanish"""
    description: str
    """What the origin means"""

class ListAdPeopleReply_origin_labels_other(TypedDict):
    """Origin: none of the others"""

    label_en: str
    """Display label in English"""
    label_es: str
    """Display label in Spanish"""
    description: str
    """What the origin means"""

class ListAdPeopleReply_origin_labels(TypedDict):
    """Names of the origins"""

    partner_ad_referral: "ListAdPeopleReply_origin_labels_partner_ad_referral"
    """Origin: an ad that a partner reported"""
    conversation_referral: "ListAdPeopleReply_origin_labels_conversation_referral"
    """Origin: a conversation that started from an ad"""
    web: "ListAdPeopleReply_origin_labels_web"
    """Origin: a visit to the website"""
    other: "ListAdPeopleReply_origin_labels_other"
    """Origin: none of the others"""

class ListAdPeopleReply(TypedDict):
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    group_by: Literal["month", "day", "ad"]
    """What a bucket is: a month, a day or an ad"""
    channel: Union[Literal["chatapp", "photoapp", "pagechat", "web", "other"], None]
    """Channel of the touches that are counted; null for all"""
    first_only: bool
    """First payments of customers only"""
    timezone: str
    """IANA time zone, for example Europe/Madrid"""
    totals: "ListAdPeopleReply_totals"
    """Sums of all rows"""
    buckets: list["ListAdPeopleReply_buckets_item"]
    """Days, weeks or months of the range"""
    buckets_total: int
    """How many buckets the range has"""
    buckets_truncated: bool
    """Whether buckets were omitted"""
    origin_labels: "ListAdPeopleReply_origin_labels"
    """Names of the origins"""

class ListAnnotationsMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""

class ListBriefReceiversReply(TypedDict):
    subscriptions: list["BriefSubscription"]
    """The caller’s own"""
    webhooks: list["BriefWebhook"]
    """Empty for members who are not owner or admin"""

class ListCampaignsMeta_fx_missing_rates_item(TypedDict):
    currency: str
    """ISO 4217 code of the currency"""
    day: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""

class ListCampaignsMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]
    """Attribution model that splits the credit"""
    lookback_days: int
    """The lookback that the figures were computed with"""
    reconciliation: "Reconciliation"
    """Check that the rows add up: total = credited + unattributed"""
    freshness: "ReportFreshness"
    """How current the figures are"""
    currency: str
    """ISO 4217 code of the currency"""
    fx_missing: int
    """Payments, refunds and spend of the range without an exchange rate for their day; they add nothing until it is known"""
    fx_missing_rates: list["ListCampaignsMeta_fx_missing_rates_item"]
    """The missing rates, newest first, at most 100"""
    result_hash: str
    """Hash of the figures: equal hashes mean equal figures"""
    total_rows: int
    """Number of rows on all pages"""
    truncated: bool
    """True if this page does not contain all rows"""

class ListClientsMeta(TypedDict):
    """Context of the response"""

    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    previous_from: str
    """Start of the previous range"""
    previous_to: str
    """End of the previous range"""

class ListConsent(TypedDict):
    """Consent of everyone on the list; with a filter, of customers whose events state none. A list without consent to `ad_user_data` is refused"""

    ad_user_data: Literal["granted", "denied", "unspecified"]
    """Consent to send data of the person to ad platforms"""
    ad_personalization: Literal["granted", "denied", "unspecified"]
    """Consent to personalised ads"""

class ListPixelsReply(TypedDict):
    pixels: list["Pixel"]
    """Pixels of the ad account"""

class ListRecommendationsMeta_predictions(TypedDict):
    """Accuracy of past predictions"""

    scored: int
    """Number of predictions that could be compared with the outcome"""
    held: int
    """Number of intervals that contained the result"""

class ListRecommendationsMeta(TypedDict):
    """Context of the response"""

    workspace_id: str
    """Id of the workspace"""
    predictions: "ListRecommendationsMeta_predictions"
    """Accuracy of past predictions"""

class ListStagesReply(TypedDict):
    pipelines: list["Pipeline"]
    """Pipelines with their stages"""

class ListTopPerformersMeta_model(TypedDict):
    """The backtests behind the learned values; null before the first"""

    top: "ModelBacktest"
    pause: "ModelBacktest"
    degradation: "ModelBacktest"

class ListTopPerformersMeta_progress(TypedDict):
    """Progress of a running scoring; null if none runs"""

    day: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    steps_done: int
    """Number of completed steps"""
    steps_total: int
    """Total number of steps"""

class ListTopPerformersMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    as_of: Union[str, None]
    """The last day included in the scores; null before the first scoring"""
    model: Union["ListTopPerformersMeta_model", None]
    """The backtests behind the learned values; null before the first"""
    progress: Union["ListTopPerformersMeta_progress", None]
    """Progress of a running scoring; null if none runs"""

class ListWorkspaceProfilesMeta(TypedDict):
    """Context of the response"""

    workspace_id: str
    """Id of the workspace"""

class ListWorkspaceTopPerformersMeta(TypedDict):
    """Context of the response"""

    workspace_id: str
    """Id of the workspace"""
    as_of: Union[str, None]
    """When the newest scores were computed; null before the first"""
    profiles_not_scored: int
    """Profiles without scores yet"""

class LiveAdSet(TypedDict):
    id: str
    """The platform’s id of the ad set"""
    name: str
    """Name of the ad set"""
    campaign_id: Union[str, None]
    """Id of the campaign; null if it is not known"""

class LiveLink(TypedDict):
    id: str
    """Id of the live link"""
    profile_id: str
    """Id of the profile"""
    profile_name: str
    """Name of the profile"""
    name: str
    """Title of the page"""
    url: str
    """Anyone with this address can open the page; a password may be required"""
    reports: list["LiveReport"]
    """Sections of the page, in this order"""
    period: "LivePeriod"
    """Period shown first; the reader can choose another"""
    model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]
    """Attribution model of credited revenue"""
    language: Literal["en", "es"]
    """Language of the page"""
    has_password: bool
    """True if the page needs a password"""
    created_at: str
    """When it was created"""
    expires_at: str
    """When the link expires"""
    views: int
    """How often the page was opened"""
    last_viewed_at: Union[str, None]
    """Null until it is opened for the first time"""

LivePeriod = Literal["last_7_days", "last_28_days", "last_30_days", "last_month"]

LiveReport = Literal["summary", "trend", "changes", "campaigns", "channels"]

class LookUpEventsReply_events_item(TypedDict):
    event_id: str
    """Id of the stored event"""
    state: Literal["waiting", "processed", "quarantined", "retracted"]
    """How far the processing of the event is"""
    reason: Union[str, None]
    """Why it is quarantined; null if it is not"""
    event_name: Union[str, None]
    """Null after the raw event expired"""
    source: Union[str, None]
    """Where the event came from; null if it is not known"""
    occurred_at: str
    """When it happened"""
    received_at: Union[str, None]
    """When the service received it; null if it has not been stored"""

class LookUpEventsReply_refused_item(TypedDict):
    refused_at: str
    """When it was refused"""
    request_id: str
    """Id of the request, also in the header X-Request-Id"""
    status: int
    """HTTP status that the event alone would have had"""
    code: str
    """Code of the error, for programs"""
    message: str
    """Explanation of the error for people"""
    event_name: Union[str, None]
    """Name of the event; null if it could not be read"""

class LookUpEventsReply(TypedDict):
    events: list["LookUpEventsReply_events_item"]
    """The stored events that match"""
    refused: list["LookUpEventsReply_refused_item"]
    """Rejected events of the last 30 days"""

MailboxVendor = Literal["gmail", "microsoft_mail"]

class ManualStore(TypedDict):
    id: str
    """Id of the manual store"""
    shop: str
    """Name or domain of the store"""
    webhook_url: str
    """URL to which the store sends its webhooks"""
    signing_id_set: bool
    """Whether a signing id is stored"""
    status: Literal["awaiting_signing_id", "connected"]
    """Whether the store’s webhooks arrive"""
    created_at: str
    """When it was created"""

class MarkTabSeenReply(TypedDict):
    tab: Literal["top_performers", "recommendations", "experiments", "reports", "patterns", "proposals", "connections"]
    """Tab of the console"""
    seen_at: str
    """When it was last seen"""

MarkTabSeenRequest = dict[str, Any]

class McpSettings(TypedDict):
    enabled: bool
    """If false, every tool call on profiles of this workspace is refused"""
    writeback_enabled: bool
    """If true, assistants may change campaigns and payments, with preview and confirmation"""
    pii_mode: Literal["masked", "full_default"]
    """`full_default` shows personal values to tokens with `mcp:read_pii`; on healthcare profiles they are always masked"""
    allowed_tools: Union[list[str], None]
    """Null allows every tool. Unknown names are ignored"""
    max_rows: int
    """Maximum number of rows in a tool result"""
    budget_step_percent: int
    """Largest change of a budget in one write, in percent"""
    require_confirmation: bool
    """If true, a write requires a preview of the same change; if false, only an idempotency key"""
    updated_by: Union[str, None]
    """User who last saved the settings; null while the defaults apply"""
    updated_at: Union[str, None]
    """When it was last changed; null if it never was"""

class McpWriteback(TypedDict):
    id: str
    """Id of the entry"""
    occurred_at: str
    """When it happened"""
    profile_id: str
    """Id of the profile"""
    user_id: Union[str, None]
    """Null for an API key, which does not act for a person"""
    client_id: Union[str, None]
    """OAuth client to which the token was issued; null for an API key or a user token"""
    client_name: Union[str, None]
    """Name of the client, the token or the key; null if it has none"""
    tool: str
    """Name of the tool"""
    mode: Literal["preview", "dry_run", "confirm"]
    """Whether it was a preview, a dry run or a confirmed write"""
    arguments: dict[str, Any]
    """As sent, with email addresses and phone numbers removed"""
    outcome: Literal["previewed", "applied", "no_change", "refused", "failed"]
    """What became of the call"""
    error_code: Union[str, None]
    """`outcome_unknown` until the platform responds; permanent if the process stopped before that. Null without an error"""
    before: Union[Any, None]
    """State at the platform when the preview was created; null if there was no preview"""
    after: Union[Any, None]
    """Result of the write; null if nothing was written"""
    idempotency_key: Union[str, None]
    """Idempotency key of the call; null if none was sent"""
    confirmation: Literal["elicited", "argument", "none"]
    """elicited: confirmed by the person in the client; argument: by an argument of the call; none: not confirmed"""
    request_id: Union[str, None]
    """Id of the request, also in the header X-Request-Id; null if no request was sent"""

class Member_profiles_item(TypedDict):
    membership_id: str
    """Id of the membership"""
    profile_id: str
    """Id of the profile"""
    role: Literal["editor", "viewer"]
    """Role in the workspace"""
    permissions: list[str]
    """Permissions of the member"""

class Member(TypedDict):
    user_id: str
    """Id of the user"""
    email: str
    """Email address of the person"""
    name: str
    """Name of the person"""
    email_verified: bool
    """While false, a membership that an app gave to this address has no effect"""
    role: Union[Literal["owner", "admin", "editor", "viewer"], None]
    """Null for a person with access to individual profiles only"""
    created_at: Union[str, None]
    """When the person became a member; null while the invitation is pending"""
    profiles: list["Member_profiles_item"]
    """Profiles that the member may open"""

class MergePreview_moves(TypedDict):
    """Records that move from `from` to `into`"""

    identifiers: int
    """Number of identifiers concerned"""
    touches: int
    """Number of visits and clicks concerned"""
    conversions: int
    """Number of conversions concerned"""
    payments: int
    """Number of payments concerned"""

MergePreview = TypedDict("MergePreview", {
    "from": "MergeSide",
    "into": "MergeSide",
    "moves": "MergePreview_moves",
})

class MergeProposal_evidence_item(TypedDict):
    kind: Literal["external_id", "crm_contact_id", "national_id", "email", "phone", "provider_customer_id", "anonymous_id"]
    """Identifier type, for example email"""

class MergeProposal(TypedDict):
    id: str
    """Id of the merge proposal"""
    status: Literal["open", "snoozed", "merged", "dismissed"]
    """What was decided about the proposal"""
    score: int
    """Likelihood that both are the same person, 1 to 99"""
    evidence: list["MergeProposal_evidence_item"]
    """Kinds of identifiers that both sides share"""
    contradictions: list[Literal["name", "email"]]
    """Fields in which both sides have different values; each lowers the score"""
    first: "MergeSide"
    """In a merged proposal, both sides are shown as they were before the merge"""
    second: "MergeSide"
    """The other customer"""
    snoozed_until: Union[str, None]
    """The proposal is hidden until then; null if it is not snoozed"""
    decided_at: Union[str, None]
    """When a person decided; null until then"""
    audit_log_id: Union[str, None]
    """Id of the merge; pass it to `POST /identity/merges/{auditLogId}/undo`. Null unless it is merged"""
    created_at: str
    """When it was created"""

class MergeSide(TypedDict):
    customer_id: str
    """Id of the customer"""
    identifier_kinds: list[Literal["external_id", "crm_contact_id", "national_id", "email", "phone", "provider_customer_id", "anonymous_id"]]
    """Strongest first; one entry per identifier"""
    contact: Union["Contact", None]
    """Name, email and phone; null if the caller may not see people"""
    contact_withheld: bool
    """True if the caller may not see people"""

class MessageDeliveredEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    conversation_id: str
    """Id of the conversation"""
    message_id: str
    """Id of the message"""
    channel: Literal["chatapp", "photoapp", "pagechat"]
    """Messaging channel of the conversation"""
    account_id: str
    """The account’s id at the provider"""
    kind: Literal["text", "template", "media"]
    """Form of the message"""
    template: Union[str, None]
    """Name of the template that was sent; null if none was"""
    reason: Union[str, None]
    """The platform’s code of a failure; null if it did not fail"""

class MessageDeliveredEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["message.delivered"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "MessageDeliveredEvent_data"
    """Payload of the event"""

class MessageFailedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    conversation_id: str
    """Id of the conversation"""
    message_id: str
    """Id of the message"""
    channel: Literal["chatapp", "photoapp", "pagechat"]
    """Messaging channel of the conversation"""
    account_id: str
    """The account’s id at the provider"""
    kind: Literal["text", "template", "media"]
    """Form of the message"""
    template: Union[str, None]
    """Name of the template that was sent; null if none was"""
    reason: Union[str, None]
    """The platform’s code of a failure; null if it did not fail"""

class MessageFailedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["message.failed"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "MessageFailedEvent_data"
    """Payload of the event"""

class MessageReceivedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    conversation_id: str
    """Id of the conversation"""
    message_id: str
    """Id of the message"""
    channel: Literal["chatapp", "photoapp", "pagechat"]
    """Messaging channel of the conversation"""
    account_id: str
    """The account’s id at the provider"""
    kind: Literal["message", "postback"]
    """Whether the person wrote a message or pressed a button"""
    is_first: bool
    """True for the person’s first message to this account"""
    ad_id: Union[str, None]
    """The platform’s id of the ad that started the conversation; null if none did"""

class MessageReceivedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["message.received"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    historical: NotRequired[Literal[True]]
    """Present if it happened more than two days before it was recorded"""
    data: "MessageReceivedEvent_data"
    """Payload of the event"""

class MessageSentEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    conversation_id: str
    """Id of the conversation"""
    message_id: str
    """Id of the message"""
    channel: Literal["chatapp", "photoapp", "pagechat"]
    """Messaging channel of the conversation"""
    account_id: str
    """The account’s id at the provider"""
    kind: Literal["text", "template", "media"]
    """Form of the message"""
    template: Union[str, None]
    """Name of the template that was sent; null if none was"""
    reason: Union[str, None]
    """The platform’s code of a failure; null if it did not fail"""

class MessageSentEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["message.sent"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "MessageSentEvent_data"
    """Payload of the event"""

class MessagingAccount(TypedDict):
    channel: "MessagingChannel"
    """Messaging channel of the account"""
    account_id: str
    """The account’s id at the provider"""
    name: str
    """Name of the account at the platform"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    status: Union[str, None]
    """Status of the account at the platform; null if it reports none"""

MessagingChannel = Literal["pagechat", "photoapp", "chatapp"]

# Context of the response
Meta = dict[str, Any]

class MintHandoffRequest(TypedDict):
    profile_id: NotRequired[str]
    """Id of the profile"""
    return_url: NotRequired[str]
    """Where the person is redirected afterwards; its origin must be in `allowed_return_origins` or `redirect_uris` of the app"""
    shop: NotRequired[str]
    """Name or domain of the store"""

class MintedApiKey(TypedDict):
    id: str
    """Id of the API key"""
    key: str
    """The API key; returned only once"""
    hint: str
    """First and last characters, to recognise it"""
    name: str
    """Name of the API key"""
    profile_id: str
    """Id of the profile"""
    scopes: list[str]
    """Scopes of the credential"""
    created_at: str
    """When it was created"""
    expires_at: Union[str, None]
    """When it expires; null if it does not"""

class ModelBacktest(TypedDict):
    """Performance of the model on held-out weeks. Both lower bounds must be above 0 for it to be served."""

    status: Literal["served", "withheld"]
    """Whether the values of the model are shown"""
    reason: Union[str, None]
    """Why its values are withheld, for programs; null if they are shown"""
    ad_weeks: int
    """Ad weeks that the test covers"""
    positives: int
    """Weeks with the outcome"""
    folds: int
    """Number of parts in the cross-validation"""
    brier: Union[float, None]
    """Brier score of the model; lower is better. Null before a backtest"""
    brier_base_rate: Union[float, None]
    """Brier score of always predicting the mean; null before a backtest"""
    brier_persistence: Union[float, None]
    """Brier score of predicting no change; null before a backtest"""
    skill_over_base_rate_low: Union[float, None]
    """Lower bound of the skill compared with predicting the mean; null before a backtest"""
    skill_over_persistence_low: Union[float, None]
    """Lower bound of the skill compared with predicting no change; null before a backtest"""
    calibration_slope: Union[float, None]
    """Slope of outcomes over predictions; 1 is ideal. Null before a backtest"""
    penalty: Union[float, None]
    """Strength of the regularisation; null before a backtest"""

# Attribution model that splits the credit
ModelParam = Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]

class NamedEntity(TypedDict):
    id: str
    """Id of the campaign, ad set or ad"""
    platform_id: str
    """The platform’s id"""
    name: Union[str, None]
    """Name at the platform; null if the platform has not reported it"""

class NewLiveLink(TypedDict):
    profile_id: str
    """Id of the profile"""
    name: str
    """Title of the page"""
    reports: NotRequired[list["LiveReport"]]
    """Sections of the page"""
    period: NotRequired["LivePeriod"]
    """Period shown first"""
    model: NotRequired[Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]]
    """Attribution model of credited revenue"""
    language: NotRequired[Literal["en", "es"]]
    """Language of the page"""
    expires_in_days: NotRequired[int]
    """Days until the link expires"""
    password: NotRequired[str]
    """Password required to open the page"""

class NewMail(TypedDict):
    connection_id: str
    """Connection of the mailbox"""
    to: list[str]
    """Email addresses of the recipients"""
    subject: str
    """Subject line of the mail"""
    text: str
    """Text of the mail, without formatting"""
    html: NotRequired[str]
    """HTML version of the text"""
    reply_to: NotRequired[str]
    """Address for replies; default: the mailbox"""

class NewMessage_template(TypedDict):
    """An approved template to send instead of a text"""

    name: str
    """Name of the template"""
    language: str
    """Language of the text, for example en"""
    components: NotRequired[list[dict[str, Any]]]
    """Parts of the message, as the platform defines them"""

class NewMessage_media(TypedDict):
    """The file of the message"""

    id: str
    """Id of the uploaded file"""

class NewMessage(TypedDict):
    text: NotRequired[str]
    """Text of the message"""
    template: NotRequired["NewMessage_template"]
    """An approved template to send instead of a text"""
    media: NotRequired["NewMessage_media"]
    """The file of the message"""
    human_agent: NotRequired[bool]
    """True if a person wrote the reply"""

class Notification(TypedDict):
    id: str
    """Id of the notification"""
    kind: Literal["connection_broken", "connection_revoked", "connection_connected", "first_sync_done", "export_failed", "recompute_done", "recommendation_opened", "data_problem", "alert_fired", "alert_recovered"]
    """What the notification is about"""
    at: str
    """When it happened"""
    subject: Union[str, None]
    """The provider, the subject of the recommendation, or the name of the alert; null if there is none"""
    subject_id: Union[str, None]
    """Id of what the notification is about; null if there is none"""
    detail: Union[str, None]
    """The reason, or the number of failed exports, conversions or problems; null if there is none"""
    is_unread: bool
    """Whether it is unread"""

class OfferPasskeyReply(TypedDict):
    challenge: str
    """Sent back with the proof; works once, for five minutes"""
    options: dict[str, Any]
    """Options for the browser"""
    expires_at: str
    """When it expires"""

class OfferReauthenticationReply(TypedDict):
    challenge: str
    """Sent back with the proof; works once, for five minutes"""
    kinds: list[Literal["totp", "passkey", "recovery_code", "password"]]
    """Any one of these is enough; empty for an account without password and second factor"""
    passkey: Union[dict[str, Any], None]
    """Options for the browser; null without a passkey"""
    expires_at: str
    """When it expires"""

class OrderStatusChangedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    provider: str
    """Provider of the account, for example social_ads"""
    connection_id: str
    """Id of the connection"""
    account_id: str
    """The account’s id at the provider"""
    order_id: str
    """The shop’s order number"""
    status: str
    """Status of the order in the store"""
    previous_status: Union[str, None]
    """Status before the change; null if the order is new"""

class OrderStatusChangedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["order.status.changed"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    historical: NotRequired[Literal[True]]
    """Present if it happened more than two days before it was recorded"""
    data: "OrderStatusChangedEvent_data"
    """Payload of the event"""

class OutcomeRecordedEvent_data_contact(TypedDict):
    """Name, email and phone; null if the subscription may not receive people"""

    first_name: Union[str, None]
    """First name of the person; null if it is not known"""
    last_name: Union[str, None]
    """Last name of the person; null if it is not known"""
    email: Union[str, None]
    """Email address of the person; null if it is not known"""
    phone: Union[str, None]
    """Phone number with country code; null if it is not known"""

class OutcomeRecordedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    provider: Literal["crmsuite", "regionalpay", "hubspot"]
    """Provider that reported the outcome"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    occurred_at: str
    """When it happened"""
    recorded_at: str
    """When the service recorded it"""
    external_id: str
    """The provider's id of the outcome"""
    outcome_event_id: str
    """Id of the event of the conversion"""
    conversion_id: Union[str, None]
    """Id of the conversion; null if no goal includes the outcome"""
    customer_key: Union[str, None]
    """External id, email or phone of the customer; null after an erasure"""
    value: Union[float, None]
    """Value of the outcome, in the currency of the profile; null if it has none"""
    contact: Union["OutcomeRecordedEvent_data_contact", None]
    """Name, email and phone; null if the subscription may not receive people"""
    contact_withheld: bool
    """True if the subscription may not receive people"""

class OutcomeRecordedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["outcome.recorded"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    historical: NotRequired[Literal[True]]
    """Present if it happened more than two days before it was recorded"""
    data: "OutcomeRecordedEvent_data"
    """Payload of the event"""

OutcomeType = Literal["lead_created", "dm_started", "appointment_booked", "appointment_attended", "quote_presented", "closed_won"]

OutcomesByType = dict[str, int]

OverrideChannel = Literal["organic_search", "organic_social", "email", "messaging", "referral", "affiliate", "campaign", "display", "paid_search", "paid_social", "paid_other"]

class PacingRow_interval_backtest(TypedDict):
    """How often earlier intervals contained the actual figure"""

    tried: int
    """Number of intervals that were compared with the result"""
    held: int
    """Number of intervals that contained the result"""

class PacingRow_interval(TypedDict):
    """Whether low and high are shown. `backtest`: number of intervals tried on this account’s past, and of those that contained the result; withheld if fewer than half of at least four did"""

    status: Literal["shown", "withheld"]
    """Whether `low` and `high` are shown"""
    reason: Union[Literal["insufficient_history", "backtest_failed"], None]
    """Why the interval is withheld; null if it is shown"""
    backtest: "PacingRow_interval_backtest"
    """How often earlier intervals contained the actual figure"""

class PacingRow_days_item(TypedDict):
    day: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    spend: Union[float, None]
    """Ad spend; null if the exchange rate is missing"""
    expected: Union[float, None]
    """Expected spend of the day; null if the day is settled"""

class PacingRow(TypedDict):
    profile_id: str
    """Id of the profile"""
    provider: str
    """Provider of the account, for example social_ads"""
    currency: str
    """ISO 4217 code of the currency"""
    month: str
    """Month, YYYY-MM, in the time zone of the profile"""
    budget: Union[float, None]
    """Budget of the month in the currency of the account; null without one"""
    budget_source: Literal["target", "platform", "none"]
    """`target`: set by PUT …/pacing/targets; `platform`: the daily budgets of the campaigns that ran on each day of the month"""
    spend_mtd: float
    """Ad spend since the start of the month"""
    outcomes_mtd: int
    """Payments credited to campaigns of the provider by last touch"""
    revenue_mtd: float
    """Cash credited to the provider since the start of the month, less refunds"""
    expected_share: float
    """Share of the month’s usual spend that falls on its settled days, by weekday"""
    pacing_pct: Union[float, None]
    """Spend of the settled days relative to the budgeted spend; 100 is on budget. Null without a budget"""
    projected_spend: Union[float, None]
    """Null with fewer than 14 settled days of history"""
    low: Union[float, None]
    """Lower bound of the 80 % prediction interval; null if the interval is withheld"""
    high: Union[float, None]
    """Upper bound of the 80 % prediction interval; null if the interval is withheld"""
    interval: "PacingRow_interval"
    """Whether low and high are shown. `backtest`: number of intervals tried on this account’s past, and of those that contained the result; withheld if fewer than half of at least four did"""
    required_daily: Union[float, None]
    """Spend per remaining day needed to meet the budget; null without a budget"""
    status: Literal["under", "on", "over", "no_budget"]
    """Whether the spend is on budget"""
    complete_through: str
    """Last settled day; platforms still restate later days"""
    days: list["PacingRow_days_item"]
    """Every day of the month: its spend, and the expected spend of days that are not settled"""

class PacingTarget(TypedDict):
    profile_id: str
    """Id of the profile"""
    provider: str
    """Provider of the account, for example social_ads"""
    month: str
    """Month, YYYY-MM, in the time zone of the profile"""
    budget: Union[float, None]
    """Budget of the month in the currency of the account; null without one"""
    currency: str
    """ISO 4217 code of the currency"""

class Pagination(TypedDict):
    """Whether there is another page, and its cursor"""

    has_next: bool
    """Whether there is another page"""
    cursor: Union[str, None]
    """Cursor of the next page, to pass as `cursor`; null on the last page"""

class PatchSchedulesRequest_patch(TypedDict):
    """Changes to apply"""

    enabled: NotRequired[bool]
    """Whether it is enabled"""
    cadence: NotRequired[Literal["weekly", "monthly"]]
    """How often a report is made"""
    weekday: NotRequired[int]
    """Day of the week, 1 is Monday"""
    day: NotRequired[int]
    """Day of the month, for monthly schedules"""
    time: NotRequired[str]
    """Time of day in the zone of the profile"""
    timezone: NotRequired[Union[str, None]]
    """IANA time zone; null: the profile’s"""
    recipients: NotRequired[list[str]]
    """Email addresses that receive the report"""
    format: NotRequired[Literal["pdf", "html", "csv"]]
    """File format of the report"""
    language: NotRequired[Literal["en", "es"]]
    """Language of the report"""
    model: NotRequired[Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]]
    """Attribution model that splits the credit"""
    approval: NotRequired[bool]
    """True if reports wait for approval by a person before they are sent"""

class PatchSchedulesRequest(TypedDict):
    profile_ids: Union[list[str], Literal["all"]]
    """Ids of profiles"""
    patch: "PatchSchedulesRequest_patch"
    """Changes to apply"""

class Payment_payer(TypedDict):
    """Customer who paid; null if it is not known, or the caller may not see people"""

    customer_id: str
    """Id of the customer"""
    assigned: bool
    """Whether a person assigned the payer"""
    contact: Union["Contact", None]
    """Name, email and phone; null if the caller may not see people"""
    contact_withheld: bool
    """True if the caller may not see people"""

class Payment_refund(TypedDict):
    """The manual refund; null if there is none"""

    value: float
    """Amount in `currency`"""
    currency: str
    """The payment's currency; the refund's own currency while it lacks an exchange rate"""
    reason: Union[str, None]
    """Why it was refunded, as entered; null if no reason was given"""
    refunded_at: str
    """When it was refunded"""

class Payment(TypedDict):
    payment_id: str
    """Id of the payment"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, for example social_ads"""
    value: float
    """Amount in `currency`"""
    currency: str
    """ISO 4217 code of the currency"""
    refunded_value: float
    """Value refunded so far"""
    net_value: Union[float, None]
    """Null for failed and pending payments, and while a refund lacks an exchange rate"""
    refunds_waiting: bool
    """A refund is in another currency than the payment and lacks an exchange rate for its day, so it is not subtracted yet"""
    refunds_capped: bool
    """True if a reported refund is not fully counted, because it exceeds the payment or the payment has not arrived"""
    status: str
    """State of the payment"""
    customer_id: Union[str, None]
    """Id of the customer; null after an erasure, or if no customer is known"""
    payer: Union["Payment_payer", None]
    """Customer who paid; null if it is not known, or the caller may not see people"""
    is_first_payment: bool
    """The customer’s first payment"""
    is_installment: bool
    """A later instalment of a purchase"""
    refund: Union["Payment_refund", None]
    """The manual refund; null if there is none"""

# If not empty, replaces the permissions of the role on this profile
Permissions = list[Literal["analytics:read", "campaigns:apply", "campaigns:read", "connections:read", "connections:write", "conversions:read", "customers:read", "events:write", "exports:read", "exports:write", "identity:read", "identity:write", "mcp:read", "mcp:read_pii", "mcp:write", "messages:write", "payments:read", "payments:write", "realtime:read", "tracking:read", "tracking:write", "visitors:read", "webhooks:read", "webhooks:write"]]

class Pipeline_stages_item(TypedDict):
    id: str
    """Id of the stage in the CRM"""
    name: str
    """Name of the stage in the CRM"""
    position: float
    """Position in the list"""
    suggested_outcome: Union[str, None]
    """Suggested outcome for the stage; null if none fits"""
    current_outcome: Union[str, None]
    """Outcome that the stage is currently mapped to; null if it is not mapped"""

class Pipeline(TypedDict):
    id: str
    """Id of the stage in the CRM"""
    name: str
    """Name of the stage in the CRM"""
    stages: list["Pipeline_stages_item"]
    """Stages of the pipeline"""

class Pixel_owner_business(TypedDict):
    """Business account that owns it; null if the platform does not report it"""

    id: str
    """The platform’s id of the business account"""
    name: str
    """Name of the business account"""

class Pixel(TypedDict):
    id: str
    """The platform’s id of the pixel"""
    name: Union[str, None]
    """Name of the pixel; null if the platform reports none"""
    created_at: Union[str, None]
    """When it was created; null if it is not known"""
    last_fired_at: Union[str, None]
    """When it last received an event; null if it never did, or the platform does not report it"""
    is_unavailable: Union[bool, None]
    """Whether it is no longer available on the platform; null if the platform does not report it"""
    owner_business: Union["Pixel_owner_business", None]
    """Business account that owns it; null if the platform does not report it"""

# Plan of the workspace
Plan = Literal["starter", "growth", "agency"]

class PrefillOutcomesReply_mappings_item(TypedDict):
    pipeline_id: str
    """Id of the pipeline"""
    pipeline_name: str
    """Name of the pipeline"""
    stage_id: str
    """Id of the stage in the CRM"""
    stage_name: str
    """Name of the stage"""
    outcome_type: Union[str, None]
    """Outcome that the stage is mapped to, for example lead_created; null: none"""

class PrefillOutcomesReply(TypedDict):
    mappings: list["PrefillOutcomesReply_mappings_item"]
    """Mapping of stages to outcomes"""

class PreviewAlertRequest(TypedDict):
    condition: Union["ThresholdConditionInput", "FindingConditionInput"]
    """Condition of the alert"""

class PreviewPhoneRepairReply_people_item_misread_item(TypedDict):
    event_id: str
    """Id of the stored event"""
    typed: Union[str, None]
    """Number as sent; null for callers who may not read people"""
    read_as_country: Union[str, None]
    """Country that the number was wrongly read in; null if it is not known"""
    country: Union[str, None]
    """Country that the number is read in now; null if it identifies no customer"""

class PreviewPhoneRepairReply_people_item_parts_item_money_item(TypedDict):
    currency: str
    """ISO 4217 code of the currency"""
    value: float
    """Amount in `currency`"""

class PreviewPhoneRepairReply_people_item_parts_item(TypedDict):
    customer_id: str
    """Id of the customer"""
    identifier_kinds: list[Literal["external_id", "crm_contact_id", "national_id", "email", "phone", "provider_customer_id", "anonymous_id"]]
    """Kinds of identifiers"""
    contact: Union["Contact", None]
    """Name, email and phone; null if the caller may not see people"""
    contact_withheld: bool
    """True if the caller may not see people"""
    touches: int
    """Number of visits and clicks concerned"""
    conversions: int
    """Number of conversions concerned"""
    payments: int
    """Number of payments concerned"""
    money: list["PreviewPhoneRepairReply_people_item_parts_item_money_item"]
    """Payments that succeeded, per currency"""

class PreviewPhoneRepairReply_people_item(TypedDict):
    customer_id: str
    """Id of the customer"""
    misread: list["PreviewPhoneRepairReply_people_item_misread_item"]
    """Phone numbers that were parsed with the wrong country"""
    parts: list["PreviewPhoneRepairReply_people_item_parts_item"]
    """Customers after the split; one of them may keep the id"""

class PreviewPhoneRepairReply(TypedDict):
    events: int
    """Events with a misread number"""
    customers: int
    """Customers that would be split"""
    truncated: bool
    """True if the preview does not cover all events or customers"""
    people: list["PreviewPhoneRepairReply_people_item"]
    """The people whose numbers would change"""

class PreviewPhoneRepairRequest(TypedDict):
    include_unresolved: NotRequired[bool]
    """Also repair numbers that are not valid in their country; they then identify no customer"""

# standard: all mapped conversions. platform_safe: only to the clean dataset, with neutral event names and without URL paths. hipaa: only goals of the allow-list, once the agreement is signed, without address, browser and external ids
PrivacyMode = Literal["standard", "platform_safe", "hipaa"]

class Problem(TypedDict):
    id: str
    """Id of the problem"""
    kind: "ProblemKind"
    profile_id: Union[str, None]
    """Id of the profile; null if it belongs to none"""
    what: str
    """Name of the job, event or webhook event"""
    reason: Union[str, None]
    """Why it failed; null if it is not known"""
    attempts: Union[int, None]
    """Attempts so far; null if the kind of problem has no attempts"""
    since: str
    """When it first occurred"""
    age_seconds: float
    """Age in seconds"""

# Kind of problem: a dead job, a quarantined event or a stuck delivery
ProblemKind = Literal["dead-jobs", "quarantined-events", "stuck-deliveries"]

class Profile(TypedDict):
    id: str
    """Id of the profile"""
    workspace_id: str
    """Id of the workspace"""
    name: str
    """Name of the profile"""
    timezone: str
    """IANA time zone, for example Europe/Madrid"""
    currency: str
    """ISO 4217 code of the currency"""
    country: Union[str, None]
    """ISO 3166 code of the country assumed for phone numbers without a country code. Null: such numbers identify no one."""
    privacy_mode: Literal["standard", "platform_safe", "hipaa"]
    """What data about people may be sent to ad platforms"""
    provisioned_by_app_id: Union[str, None]
    """Id of the partner app that created the profile; null if a person did"""
    is_demo: bool
    """True for sample data"""
    created_at: str
    """When it was created"""
    archived_at: Union[str, None]
    """When it was archived; null if it is not"""

ProfileFreshnessChangedEvent_data = TypedDict("ProfileFreshnessChangedEvent_data", {
    "profile_id": str,
    "from": str,
    "to": str,
    "computed_through": Union[str, None],
})

class ProfileFreshnessChangedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["profile.freshness.changed"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "ProfileFreshnessChangedEvent_data"
    """Payload of the event"""

class ProfileMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""

# Provider of the account, for example social_ads
ProviderParam = Literal["social_ads", "engine_ads", "engine_search_console", "engine_calendar", "external_calendar", "microsoft_ads", "crmsuite", "cardpay", "regionalpay", "storefront", "woocommerce", "hubspot", "linkedin_ads", "tiktok_ads"]

# The platform’s diagnostics of accepted conversions
ProviderStatus = Literal["processing", "success", "partial_success", "failed"]

class PutBrandingRequest(TypedDict):
    display_name: NotRequired[Union[str, None]]
    """Business name on hand-off pages and in mails; null if it is not set"""
    primary_color: NotRequired[Union[str, None]]
    """Color of buttons and links, such as `#1a2b3c`; null if it is not set"""
    accent_color: NotRequired[Union[str, None]]
    """Accent color of pages and mails, such as `#1a2b3c`; null if it is not set"""
    support_email: NotRequired[Union[str, None]]
    """Email address to which customers may write; null if it is not set"""
    website_url: NotRequired[Union[str, None]]
    """URL of the business’s website; null if it is not set"""

class PutBriefSubscriptionRequest(TypedDict):
    profile_id: str
    """Id of the profile"""
    weekday: NotRequired[int]
    """For weekly briefs; 1 is Monday"""
    time: NotRequired[str]
    """Wall-clock time in the profile’s time zone, such as 08:00"""
    language: NotRequired[Literal["en", "es"]]
    """Language of the text"""
    alerts: NotRequired[bool]
    """Whether alerts are sent to this receiver too; default: true unless cadence is never"""
    cadence: Literal["daily", "weekly", "never"]
    """When briefs are sent. daily: covers yesterday; weekly: covers the last 7 days; never: alerts only"""

class PutMcpSettingsRequest(TypedDict):
    enabled: bool
    """If false, every tool call on profiles of this workspace is refused"""
    writeback_enabled: bool
    """If true, assistants may change campaigns and payments, with preview and confirmation"""
    pii_mode: Literal["masked", "full_default"]
    """`full_default` shows personal values to tokens with `mcp:read_pii`; on healthcare profiles they are always masked"""
    allowed_tools: Union[list[str], None]
    """Null allows every tool. Unknown names are ignored"""
    max_rows: int
    """Maximum number of rows in a tool result"""
    budget_step_percent: int
    """Largest change of a budget in one write, in percent"""
    require_confirmation: bool
    """If true, a write requires a preview of the same change; if false, only an idempotency key"""

class PutMemberRequest(TypedDict):
    email: str
    """Email address of the invited person"""
    name: NotRequired[str]
    """Name of the person, for the invitation"""
    role: Literal["owner", "admin", "editor", "viewer"]
    """Role in the workspace"""

class ReadNotificationsReply(TypedDict):
    read_through: str
    """Everything up to this time is marked as read"""

class ReadNotificationsRequest(TypedDict):
    through: str
    """Everything up to this time is marked as read"""

class ReadinessStep(TypedDict):
    step: Literal["attribution_enabled", "tracker_installed", "ad_platform_connected", "crm_or_outcome_source_connected", "touch_recorded", "outcome_recorded", "outcome_attributed"]
    """Name of the step"""
    state: Literal["done", "todo", "attention"]
    """attention: it worked before and has stopped"""
    title: str
    """What is to be done, as a short sentence"""
    todo: Union[str, None]
    """Next action; null if done"""

class ReauthenticateRequest(TypedDict):
    challenge: str
    """From the response that asks for this proof"""
    password: NotRequired[str]
    """Only for an account without a second factor"""
    code: NotRequired[str]
    """Six digits that the authenticator app shows"""
    assertion: NotRequired[dict[str, Any]]
    """What the browser’s `navigator.credentials.get` returned, as `toJSON()` writes it"""
    recovery_code: NotRequired[str]
    """Used up by a correct use"""

class Recommendation_subject(TypedDict):
    """Campaign or ad that it is about"""

    level: Literal["campaign", "ad"]
    """Level of the ad structure"""
    id: str
    """Id of the campaign or ad"""
    platform_id: str
    """The platform’s id"""
    name: str
    """Name of the campaign, ad set or ad"""

Recommendation_action_steps_item = TypedDict("Recommendation_action_steps_item", {
    "write": Literal["pause", "daily_budget"],
    "platform_id": str,
    "name": str,
    "from": Union[float, None],
    "to": Union[float, None],
})

class Recommendation_action(TypedDict):
    """Changes made at the platform when applied; without steps, manual work"""

    steps: list["Recommendation_action_steps_item"]
    """Changes at the platform, in order"""

class Recommendation_expected_effect(TypedDict):
    """80 % prediction interval of the effect; null without an estimate"""

    metric: Literal["cost_per_outcome", "outcomes_per_day"]
    """Figure that the interval is about"""
    low: float
    """Lower bound of the 80 % prediction interval"""
    high: float
    """Upper bound of the 80 % prediction interval"""
    basis: str
    """Data that the estimate is based on"""

class Recommendation_track_record_applied(TypedDict):
    """Applied ones after their 14 days, and those whose result was in the predicted interval"""

    scored: int
    """Number of predictions that could be compared with the outcome"""
    as_predicted: int
    """How many results were within the predicted range"""

class Recommendation_track_record_not_applied(TypedDict):
    """Ones not applied, and those whose subject stayed better (or worse) than the others in the next 14 days"""

    scored: int
    """Number of predictions that could be compared with the outcome"""
    turned_out_right: int
    """Number that proved correct"""

class Recommendation_track_record(TypedDict):
    """Results of earlier recommendations of this kind in this profile"""

    applied: "Recommendation_track_record_applied"
    """Applied ones after their 14 days, and those whose result was in the predicted interval"""
    not_applied: "Recommendation_track_record_not_applied"
    """Ones not applied, and those whose subject stayed better (or worse) than the others in the next 14 days"""

Recommendation_reverts_with_item = TypedDict("Recommendation_reverts_with_item", {
    "write": Literal["pause", "daily_budget"],
    "platform_id": str,
    "name": str,
    "from": Union[float, None],
    "to": Union[float, None],
})

class Recommendation_prediction(TypedDict):
    """Prediction and result over the 14 days after it was applied; null unless it was applied"""

    metric: Literal["cost_per_outcome", "outcomes_per_day"]
    """Figure that the interval is about"""
    low: float
    """Lower bound of the 80 % prediction interval"""
    high: float
    """Upper bound of the 80 % prediction interval"""
    observed: Union[float, None]
    """The actual figure; null until it is known"""
    held: Union[bool, None]
    """Whether the actual figure was within the interval; null until it is known"""

class Recommendation(TypedDict):
    id: str
    """Id of the recommendation"""
    profile_id: str
    """Id of the profile"""
    currency: str
    """ISO 4217 code of the currency"""
    kind: Literal["scale_winner", "pause_underperformer", "budget_reallocate_winners", "creative_refresh_pre_fatigue"]
    """What the recommendation proposes"""
    subject: "Recommendation_subject"
    """Campaign or ad that it is about"""
    evidence: list[str]
    """Figures that support it, as sentences"""
    action: "Recommendation_action"
    """Changes made at the platform when applied; without steps, manual work"""
    expected_effect: Union["Recommendation_expected_effect", None]
    """80 % prediction interval of the effect; null without an estimate"""
    confidence: float
    """The probability that the subject is better (or worse) than its peer group’s median; never 0 or 1"""
    track_record: "Recommendation_track_record"
    """Results of earlier recommendations of this kind in this profile"""
    reverts_with: list["Recommendation_reverts_with_item"]
    """Changes made by an undo"""
    created_at: str
    """When it was created"""
    expires_at: str
    """When it expires"""
    applied_at: Union[str, None]
    """When it was applied; null until then"""
    status: Literal["open", "applied", "undone", "dismissed", "expired"]
    """State of the recommendation"""
    prediction: Union["Recommendation_prediction", None]
    """Prediction and result over the 14 days after it was applied; null unless it was applied"""

class Recompute(TypedDict):
    recompute_id: str
    """Id of the recompute"""
    scope: str
    """What is recomputed"""
    state: Literal["queued", "running", "done", "failed"]
    """State of the recompute"""
    requested_at: str
    """When it was requested"""

class RecomputeCompletedEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    recompute_id: str
    """Id of the recompute"""
    scope: str
    """What is recomputed"""
    conversions: int
    """Number of conversions that were recomputed"""
    duration_ms: int
    """Duration in milliseconds"""

class RecomputeCompletedEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["recompute.completed"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "RecomputeCompletedEvent_data"
    """Payload of the event"""

class Reconciliation(TypedDict):
    total: float
    """All cash of the range, less refunds"""
    credited: float
    """Cash that is credited to a campaign, ad set or ad"""
    unattributed: float
    """Cash without credit to a campaign, ad set or ad"""
    delta: float
    """total − credited − unattributed; 0 if the report adds up"""
    left_out: int
    """Payments and refunds without an exchange rate, which no figure of this report contains, not even `total`. If not 0, `delta` covers only converted amounts"""

class RecordRefundRequest(TypedDict):
    amount: Union[float, str]
    """Amount in `currency`"""
    reason: NotRequired[str]
    """Why it was refunded, as entered"""
    refunded_at: NotRequired[str]
    """When it was refunded"""

class RecordedOutcome_data_contact(TypedDict):
    """Name, email and phone; null if the subscription may not receive people"""

    first_name: Union[str, None]
    """First name of the person; null if it is not known"""
    last_name: Union[str, None]
    """Last name of the person; null if it is not known"""
    email: Union[str, None]
    """Email address of the person; null if it is not known"""
    phone: Union[str, None]
    """Phone number with country code; null if it is not known"""

class RecordedOutcome_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    provider: Literal["crmsuite", "regionalpay", "hubspot"]
    """Provider that reported the outcome"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    occurred_at: str
    """When it happened"""
    recorded_at: str
    """When the service recorded it"""
    external_id: str
    """The provider's id of the outcome"""
    outcome_event_id: str
    """Id of the event of the conversion"""
    conversion_id: Union[str, None]
    """Id of the conversion; null if no goal includes the outcome"""
    customer_key: Union[str, None]
    """External id, email or phone of the customer; null after an erasure"""
    value: Union[float, None]
    """Value of the outcome, in the currency of the profile; null if it has none"""
    contact: Union["RecordedOutcome_data_contact", None]
    """Name, email and phone; null if the subscription may not receive people"""
    contact_withheld: bool
    """True if the subscription may not receive people"""

class RecordedOutcome(TypedDict):
    id: str
    """Id of the outcome"""
    type: Literal["outcome.recorded"]
    """Type of the outcome"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, for example social_ads"""
    app_id: NotRequired[str]
    """Id of the partner app"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    historical: NotRequired[Literal[True]]
    """Present if it happened more than two days before it was recorded"""
    data: "RecordedOutcome_data"
    """Payload of the event"""

class RecoverWebhookEventsReply(TypedDict):
    enqueued: int
    """Whether it is queued for sending, or how many are"""
    subscription_id: str
    """Id of the webhook subscription"""

class RecoverWebhookEventsRequest(TypedDict):
    since: str
    """Events of this time and later are sent again"""

class RegisterChatNumberReply(TypedDict):
    id: str
    """The platform’s id of the phone number"""
    done: Literal[True]
    """Always true: the request has been carried out"""

class RegisterChatNumberRequest(TypedDict):
    pin: str
    """PIN of the number at the platform"""
    code: NotRequired[str]
    """The code that the platform sent to the number"""

class RegisterSenderDomainRequest(TypedDict):
    domain: str
    """Domain that mails are sent from"""
    from_name: NotRequired[Union[str, None]]
    """Name of the sender; null or absent: the name in the branding"""
    from_local: NotRequired[str]
    """The part of the sender before the @"""

class RenameFactorRequest(TypedDict):
    name: str
    """Name of the device"""

class RepairIdentityReply_profiles_item_backfills_item(TypedDict):
    kind: Literal["email", "phone"]
    """Identifier type that was filled in"""
    value: Union[str, None]
    """Repaired value; null for callers who may not read people"""
    status: Literal["repairable", "taken"]
    """`taken`: another customer has this value; only a merge can resolve it"""

class RepairIdentityReply_profiles_item(TypedDict):
    customer_id: str
    """Id of the customer"""
    backfills: list["RepairIdentityReply_profiles_item_backfills_item"]
    """Index backfills in progress"""

class RepairIdentityReply(TypedDict):
    applied: bool
    """Whether the repair was applied"""
    written: int
    """Number of rows written"""
    profiles: list["RepairIdentityReply_profiles_item"]
    """Number of customers with a repairable identifier"""

class RepairIdentityRequest(TypedDict):
    apply: NotRequired[bool]
    """True applies the repair; false only counts"""
    country: NotRequired[str]
    """ISO 3166 country of numbers without a country code; if omitted, no phone is repaired"""
    customer_ids: NotRequired[list[str]]
    """Customers to repair; default: all"""

class ReplayWebhookDeliveryReply(TypedDict):
    enqueued: bool
    """Whether it is queued for sending, or how many are"""
    event_id: str
    """Id of the stored event"""
    subscription_id: str
    """Id of the webhook subscription"""
    delivery_id: str
    """Id of the delivery"""

ReplayWebhookDeliveryRequest = dict[str, Any]

class ReportCardGatewayPaymentReply(TypedDict):
    payment_id: str
    """Id of the payment"""
    status: Literal["accepted", "updated", "unchanged"]
    """Whether the payment was stored or already known"""

class ReportCardGatewayPaymentRequest_customer(TypedDict):
    """The customer who paid, by at least one identifier"""

    external_ref: NotRequired[Union[str, None]]
    """The sender’s own id of the customer; null if there is none"""
    email: NotRequired[Union[str, None]]
    """Email address of the person; null if it is not known"""
    phone: NotRequired[Union[str, None]]
    """Phone number with country code; null if it is not known"""
    country: NotRequired[Union[str, None]]
    """ISO 3166 code of the country of `phone`; null or absent: the profile’s country"""
    first_name: NotRequired[Union[str, None]]
    """First name of the person; null if it is not known"""
    last_name: NotRequired[Union[str, None]]
    """Last name of the person; null if it is not known"""
    anonymous_id: NotRequired[Union[str, None]]
    """The visitor’s id in the browser or app; null if none was sent"""

class ReportCardGatewayPaymentRequest(TypedDict):
    merchant_id: NotRequired[str]
    """Your id of the merchant"""
    payment_id: str
    """Id of the payment"""
    value: Union[float, str]
    """Amount in `currency`"""
    currency: str
    """ISO 4217 code of the currency"""
    occurred_at: NotRequired[str]
    """When it happened"""
    status: NotRequired[Literal["succeeded", "pending", "failed", "disputed"]]
    """Status of the payment at the gateway"""
    order_id: NotRequired[Union[str, None]]
    """The shop’s order number; null if there is none"""
    customer: NotRequired["ReportCardGatewayPaymentRequest_customer"]
    """The customer who paid, by at least one identifier"""

class ReportFreshness_sources_item(TypedDict):
    source: str
    """Source of the data"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    name: Union[str, None]
    """Name of the source, as people see it; null if it has none"""
    through: Union[str, None]
    """Last day with data; null if there is none yet"""
    stale: bool
    """True if events are still being processed or a source is late"""

class ReportFreshness(TypedDict):
    computed_through: str
    """Everything that arrived before this time is counted"""
    stale: bool
    """True while events wait to be processed or a recompute is running"""
    sources: list["ReportFreshness_sources_item"]
    """Last day of data per ad account and import. An account is stale two days after its last complete sync, an import seven days after its last day."""

class ReportMeta_fx_missing_rates_item(TypedDict):
    currency: str
    """ISO 4217 code of the currency"""
    day: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""

class ReportMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]
    """Attribution model that splits the credit"""
    lookback_days: int
    """The lookback that the figures were computed with"""
    reconciliation: "Reconciliation"
    """Check that the rows add up: total = credited + unattributed"""
    freshness: "ReportFreshness"
    """How current the figures are"""
    currency: str
    """ISO 4217 code of the currency"""
    fx_missing: int
    """Payments, refunds and spend of the range without an exchange rate for their day; they add nothing until it is known"""
    fx_missing_rates: list["ReportMeta_fx_missing_rates_item"]
    """The missing rates, newest first, at most 100"""
    result_hash: str
    """Hash of the figures: equal hashes mean equal figures"""

class ReportSchedule(TypedDict):
    profile_id: str
    """Id of the profile"""
    profile_name: str
    """Name of the profile"""
    enabled: bool
    """Whether it is enabled"""
    cadence: Literal["weekly", "monthly"]
    """weekly: covers the last 7 days; monthly: covers the previous calendar month"""
    weekday: int
    """For weekly schedules; 1 is Monday"""
    day: int
    """For monthly schedules; shorter months use their last day"""
    time: str
    """Time of day in the zone of the profile"""
    timezone: Union[str, None]
    """Null: the profile’s time zone"""
    recipients: list[str]
    """Email addresses that receive the report"""
    format: Literal["pdf", "html", "csv"]
    """File format of the report"""
    language: Literal["en", "es"]
    """Language of the report"""
    model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"]
    """Attribution model that splits the credit"""
    approval: bool
    """True if reports wait for approval by a person before they are sent"""
    next_run_at: Union[str, None]
    """Time of the next run; null if none is planned"""

class ReportingCurrency(TypedDict):
    reporting_currency: Union[str, None]
    """Null: each profile reports in its own currency"""
    profile_currencies: list[str]
    """Currencies of the profiles"""

class RequestChatCodeReply(TypedDict):
    id: str
    """The platform’s id of the phone number"""
    done: Literal[True]
    """Always true: the request has been carried out"""

class RequestChatCodeRequest(TypedDict):
    method: Literal["sms", "voice"]
    """How the code is sent"""
    language: NotRequired[str]
    """Language of the message with the code"""

class RequestCustomerDataExportRequest_identity_check_1(TypedDict):
    method: Literal["account", "reply_from_address", "in_person", "other"]
    """How the business made sure who asks"""
    note: NotRequired[str]
    """For the record; not part of the file"""

class RequestCustomerDataExportRequest_identity_check_2(TypedDict):
    method: Literal["mail_code"]
    """A code is mailed to the address stored for the customer"""

class RequestCustomerDataExportRequest(TypedDict):
    customer_id: NotRequired[str]
    """Id of the customer"""
    email: NotRequired[str]
    """Email address of the customer"""
    phone: NotRequired[str]
    """Phone number with country code"""
    external_id: NotRequired[str]
    """The sender’s own id of the customer"""
    anonymous_id: NotRequired[str]
    """The visitor’s id in the browser or app"""
    law: Literal["gdpr", "lgpd", "chile", "ccpa", "other"]
    """Decides the due day"""
    requested_on: str
    """Day on which the person asked, not in the future"""
    identity_check: Union["RequestCustomerDataExportRequest_identity_check_1", "RequestCustomerDataExportRequest_identity_check_2"]
    """How the person was identified, or will be"""

class RequestPasswordResetRequest(TypedDict):
    email: str
    """Email address of the account"""

class RequestSignInLinkRequest(TypedDict):
    email: str
    """Email address of the account"""

class RequestWorkspaceCustomerDataExportRequest_identity_check_1(TypedDict):
    method: Literal["account", "reply_from_address", "in_person", "other"]
    """How the business made sure who asks"""
    note: NotRequired[str]
    """For the record; not part of the file"""

class RequestWorkspaceCustomerDataExportRequest_identity_check_2(TypedDict):
    method: Literal["mail_code"]
    """A code is mailed to the address stored for the customer"""

class RequestWorkspaceCustomerDataExportRequest(TypedDict):
    profile_id: str
    """Id of the profile"""
    customer_id: NotRequired[str]
    """Id of the customer"""
    email: NotRequired[str]
    """Email address of the customer"""
    phone: NotRequired[str]
    """Phone number with country code"""
    external_id: NotRequired[str]
    """The sender’s own id of the customer"""
    anonymous_id: NotRequired[str]
    """The visitor’s id in the browser or app"""
    law: Literal["gdpr", "lgpd", "chile", "ccpa", "other"]
    """Decides the due day"""
    requested_on: str
    """Day on which the person asked, not in the future"""
    identity_check: Union["RequestWorkspaceCustomerDataExportRequest_identity_check_1", "RequestWorkspaceCustomerDataExportRequest_identity_check_2"]
    """How the person was identified, or will be"""

class ResetPasswordRequest(TypedDict):
    token: str
    """Token from the link in the mail"""
    new_password: str
    """The new password"""

class ResolveChatCodeReply(TypedDict):
    linked: bool
    """Whether the code led to a visit or a short link"""
    reason: Union[Literal["used", "expired", "unknown", "known_person"], None]
    """Null if something was linked. Otherwise why not: the code was used before, is older than 30 days, is no code of this profile, or both sides are known and different people"""

class ResolveChatCodeRequest_customer(TypedDict):
    """The person who wrote it, by at least one identifier"""

    phone: NotRequired[str]
    """Phone number with country code"""
    email: NotRequired[str]
    """Email address of the customer"""
    external_ref: NotRequired[str]
    """The external_id of the customer"""

class ResolveChatCodeRequest(TypedDict):
    code: str
    """Such as `W7K3QX2M`"""
    customer: "ResolveChatCodeRequest_customer"
    """The person who wrote it, by at least one identifier"""
    occurred_at: str
    """When the customer wrote it"""

RestatementCause = Literal["late_event", "updated_event", "retraction", "refund", "refund_undone", "payer_assigned", "merge", "merge_undone", "link_decided", "repair", "erasure", "settings_changed", "goal_changed", "spend_restated", "structure_changed", "rate_arrived", "connection_backfill"]

class RetractEventReply(TypedDict):
    status: Literal["retracted", "already_retracted"]
    """Whether the event was retracted"""
    events: int
    """Number of events that were retracted"""
    conversions: int
    """Number of conversions that no longer count"""
    credits: int
    """Number of changed credits"""

class RetractEventRequest(TypedDict):
    idempotency_key: str
    """Key under which the event was sent"""
    reason: NotRequired[str]
    """Why it is retracted, for the audit log"""

class RetryProblemReply(TypedDict):
    id: str
    """Id of the problem"""
    state: Literal["queued"]
    """What became of the problem"""

class RetryProblemRequest(TypedDict):
    reason: NotRequired[str]
    """Why the operator does it, for the audit log"""

# Only cash counts for revenue, ROAS and CAC
RevenueType = Literal["cash", "pipeline", "gross"]

class RevokeApiKeyReply(TypedDict):
    id: str
    """Id of the API key"""
    revoked_at: str
    """When it stopped working"""

RevokeApiKeyRequest = dict[str, Any]

class RotateApiKeyReply_previous(TypedDict):
    """The previous key, which works until `revoked_at`"""

    id: str
    """Id of the API key"""
    revoked_at: str
    """When it stops working"""

class RotateApiKeyReply(TypedDict):
    id: str
    """Id of the API key"""
    key: str
    """The API key; returned only once"""
    hint: str
    """First and last characters, to recognise it"""
    name: str
    """Name of the API key"""
    profile_id: str
    """Id of the profile"""
    scopes: list[str]
    """Scopes of the credential"""
    created_at: str
    """When it was created"""
    expires_at: Union[str, None]
    """When it expires; null if it does not"""
    previous: "RotateApiKeyReply_previous"
    """The previous key, which works until `revoked_at`"""

class RotateApiKeyRequest(TypedDict):
    overlap_seconds: NotRequired[int]
    """Seconds for which the old key remains valid"""

class RotateOAuthAppSecretReply(TypedDict):
    client_id: str
    """Public id of the app"""
    client_secret: str
    """Secret of the app; returned only once"""
    hint: str
    """First and last characters, to recognise it"""
    previous_expires_at: Union[str, None]
    """When the previous secret stops working; null if there is none"""

class RotateOAuthAppSecretRequest(TypedDict):
    grace_days: NotRequired[int]
    """Days during which the previous secret also signs"""

class RotateWebhookSecretRequest(TypedDict):
    grace_days: NotRequired[int]
    """Days during which the previous secret also signs"""

class RunDoctorReply(TypedDict):
    queued: Literal[True]
    """True if the checks run as a job"""

class SaveAudienceExclusionsMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""

class SaveAudienceExclusionsReply(TypedDict):
    excluded: int
    """Number of people on the exclusion list"""
    added: int
    """Number of people added to the exclusion list"""
    removed: int
    """Number of people taken off the exclusion list"""
    removals_queued: int
    """Number of removals queued"""

class SaveAudienceExclusionsRequest(TypedDict):
    customer_ids: list[str]
    """Ids of customers"""
    reason: NotRequired[str]
    """Why these people are excluded, for the audit log"""

class SaveChannelRulesReply(TypedDict):
    overrides: list["ChannelOverride"]
    """In order of precedence; the first match decides"""
    list_version: str
    """Version of the built-in list of search, social, mail, shopping and AI-assistant sites"""
    updated_at: Union[str, None]
    """When it was last changed; null if it never was"""
    recompute: Union["Recompute", None]
    """The resulting recompute; null if none is needed"""

class SaveChannelRulesRequest(TypedDict):
    overrides: list["ChannelOverrideInput"]
    """Rules set for the profile"""

class SaveChatbotRequest(TypedDict):
    api_key: str
    """API key of the chatbot; stored encrypted, never returned"""
    display_name: NotRequired[str]
    """Name of the chatbot, as people see it"""

class SaveConversionSyncCatalogRequest_conversions_item(TypedDict):
    conversion_key: str
    """Key of the goal, unique in the profile"""
    enabled: bool
    """Whether it is enabled"""
    send_value: bool
    """Whether the amount is sent to the platform"""
    consent_default: Literal["granted", "denied", "unspecified"]
    """Consent of events without `properties.consent`"""

class SaveConversionSyncCatalogRequest_hipaa_agreement(TypedDict):
    """Acceptance of the agreement for health data, without which nothing is sent in the mode hipaa; null if it is not accepted"""

    signed_by: str
    """Name of the person who signed"""
    signed_at: str
    """When it was signed"""

class SaveConversionSyncCatalogRequest(TypedDict):
    privacy_mode: "PrivacyMode"
    conversions: list["SaveConversionSyncCatalogRequest_conversions_item"]
    """Goals to send, with their settings"""
    healthcare_export_allowlist: NotRequired[list[str]]
    """Outcomes that the healthcare profile exports"""
    hipaa_agreement: NotRequired[Union["SaveConversionSyncCatalogRequest_hipaa_agreement", None]]
    """Acceptance of the agreement for health data, without which nothing is sent in the mode hipaa; null if it is not accepted"""
    partner_customer_list: NotRequired[bool]
    """Whether a partner may send customer lists"""

class SaveDeclaredVocabularyReply(TypedDict):
    question_en: str
    """The question in English"""
    question_es: str
    """The question in Spanish"""
    entries: list["VocabularyEntry"]
    """Answers of the vocabulary"""

class SaveDeclaredVocabularyRequest_entries_item(TypedDict):
    key: str
    """Key of the answer, unique in the profile"""
    label_en: str
    """Display label in English"""
    label_es: str
    """Display label in Spanish"""
    channels: NotRequired[list[Literal["organic_search", "organic_social", "email", "messaging", "referral", "affiliate", "campaign", "display", "paid_search", "paid_social", "paid_other", "direct"]]]
    """Channels that the answer is mapped to"""

class SaveDeclaredVocabularyRequest(TypedDict):
    entries: list["SaveDeclaredVocabularyRequest_entries_item"]
    """Answers of the vocabulary"""

class SaveExchangeRateRequest(TypedDict):
    currency: str
    """ISO 4217 code of the currency"""
    day: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    rate: str
    """Units of the reporting currency for one unit of `currency`"""

class SaveStagesReply(TypedDict):
    pipelines: list["Pipeline"]
    """Pipelines with their stages"""

class SaveStagesRequest_mappings_item(TypedDict):
    stage_id: str
    """Id of the stage in the CRM"""
    outcome_type: Union["OutcomeType", None]
    """Outcome that the stage is mapped to, for example lead_created; null: none"""

class SaveStagesRequest(TypedDict):
    mappings: list["SaveStagesRequest_mappings_item"]
    """Mapping of stages to outcomes"""

class SaveViewRequest(TypedDict):
    page: NotRequired[Literal["campaigns"]]
    """Page of the console"""
    name: str
    """Name of the view, unique per person"""
    values: dict[str, Union[str, bool]]
    """Content of the view"""
    shared: NotRequired[bool]
    """Whether other members of the profile see it"""

class SavedView(TypedDict):
    id: str
    """Id of the saved view"""
    page: Literal["campaigns"]
    """Page of the console"""
    name: str
    """Name of the saved view"""
    values: dict[str, Union[str, bool]]
    """Query parameters of the page"""
    shared: bool
    """True if visible to everyone with access to the profile"""
    own: bool
    """True if the caller saved it"""
    removable: bool
    """True if the caller may delete it"""
    updated_at: str
    """When it was last changed"""

class ScanIdentityRepairsReply_profiles_item_backfills_item(TypedDict):
    kind: Literal["email", "phone"]
    """Identifier type that was filled in"""
    value: Union[str, None]
    """Repaired value; null for callers who may not read people"""
    status: Literal["repairable", "taken"]
    """`taken`: another customer has this value; only a merge can resolve it"""

class ScanIdentityRepairsReply_profiles_item(TypedDict):
    customer_id: str
    """Id of the customer"""
    backfills: list["ScanIdentityRepairsReply_profiles_item_backfills_item"]
    """Index backfills in progress"""

class ScanIdentityRepairsReply(TypedDict):
    customers: int
    """Customers with more than an anonymous id"""
    missing_email_count: int
    """Customers without an email address"""
    missing_phone_count: int
    """Customers without a phone number"""
    duplicate_email_groups: int
    """Groups of customers that share an email address"""
    duplicate_phone_groups: int
    """Groups of customers that share a phone number"""
    auto_repairable_count: int
    """Values that `POST /identity/repair` can write"""
    auto_merge_count: int
    """Informational; duplicates are merged through merge proposals"""
    profiles: list["ScanIdentityRepairsReply_profiles_item"]
    """Number of customers with a repairable identifier"""

class ScanMergeProposalsReply(TypedDict):
    proposed: int
    """Number of new proposals"""
    truncated: bool
    """True if there are more pairs than one scan proposes"""

ScanMergeProposalsRequest = dict[str, Any]

class ScanUtmHealthMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    currency: str
    """ISO 4217 code of the currency"""

ScanUtmHealthRequest = dict[str, Any]

# Scored days, such as 28d
ScoreWindowParam = Literal["7d", "14d", "28d", "lifetime"]

class SelectStorePlanReply(TypedDict):
    id: str
    """Id of the checkout session"""
    url: str
    """Page on which the person pays"""
    expires_at: str
    """When it expires"""

class SelectStorePlanRequest(TypedDict):
    plan: Literal["growth", "agency"]
    """Plan of the workspace"""

class SendAdReferralReply(TypedDict):
    event_id: str
    """Id of the stored event"""
    status: Literal["accepted", "updated", "unchanged"]
    """Whether the referral was stored or already known"""

class SendAdReferralRequest_customer(TypedDict):
    """The person who answered the ad, by at least one identifier"""

    external_ref: NotRequired[Union[str, None]]
    """The sender’s own id of the customer; null if there is none"""
    email: NotRequired[Union[str, None]]
    """Email address of the person; null if it is not known"""
    phone: NotRequired[Union[str, None]]
    """Phone number with country code; null if it is not known"""
    country: NotRequired[Union[str, None]]
    """ISO 3166 code of the country of `phone`; null or absent: the profile’s country"""
    first_name: NotRequired[Union[str, None]]
    """First name of the person; null if it is not known"""
    last_name: NotRequired[Union[str, None]]
    """Last name of the person; null if it is not known"""

class SendAdReferralRequest(TypedDict):
    ad_id: str
    """Id of the ad"""
    channel: Literal["chatapp", "photoapp", "pagechat"]
    """Messaging channel in which the person answered the ad"""
    occurred_at: str
    """When it happened"""
    customer: "SendAdReferralRequest_customer"
    """The person who answered the ad, by at least one identifier"""
    conversation_id: NotRequired[str]
    """Id of the conversation"""
    idempotency_key: NotRequired[str]
    """An event with the same key updates the stored event instead of adding one"""

class SendCustomerListReply_invalid_item(TypedDict):
    index: int
    """Position in the request, from 0"""
    reason: Literal["customer_not_in_profile", "no_match_keys"]
    """Why the person was not sent"""

class SendCustomerListReply(TypedDict):
    run_id: Union[str, None]
    """Null in a dry run"""
    audience_id: Union[str, None]
    """Id of the audience at the platform; null until the platform has created it"""
    received: int
    """Number of people in the request"""
    queued: int
    """Number of people that wait to be sent"""
    excluded: int
    """Number of people on the exclusion list"""
    invalid: list["SendCustomerListReply_invalid_item"]
    """The people that were rejected, with the reason"""

class SendCustomerListRequest_audience_1(TypedDict):
    id: str
    """The platform’s id of the audience"""

class SendCustomerListRequest_audience_2(TypedDict):
    name: str
    """Name of the audience at the platform"""

class SendCustomerListRequest(TypedDict):
    connection_id: str
    """Id of the connection"""
    audience: Union["SendCustomerListRequest_audience_1", "SendCustomerListRequest_audience_2"]
    """The audience at the platform that receives the people"""
    operation: Literal["add", "remove", "replace"]
    """Whether the members are added or removed"""
    members: list["CustomerListMember"]
    """People on the list"""
    consent: "ListConsent"
    terms_accepted: NotRequired[bool]
    """True if a user of the ad account accepted the platform’s terms for customer lists"""
    dry_run: NotRequired[bool]
    """Validates without making changes"""

class SendEventsReply_results_item_counts_as_item(TypedDict):
    conversion_key: str
    """Key of the goal, unique in the profile"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    revenue_type: "RevenueType"

class SendEventsReply_results_item_warnings_item(TypedDict):
    code: Literal["unknown_event_name", "money_not_counted", "value_missing", "no_identity"]
    """Code of the warning, for programs"""
    message: str
    """Explanation for people"""

class SendEventsReply_results_item_error(TypedDict):
    """Error; null if there was none"""

    code: str
    """Code of the error, for programs"""
    message: str
    """Explanation of the error for people"""
    status: int
    """HTTP status that the event alone would have had"""
    reason: NotRequired[str]
    """Why the event was rejected, for programs"""

class SendEventsReply_results_item(TypedDict):
    index: int
    """Position in the request, from 0"""
    event_id: Union[str, None]
    """Id of the stored event; null if it was rejected"""
    status: Literal["accepted", "updated", "unchanged", "refused"]
    """Whether the event was stored, updated, unchanged or rejected"""
    counts_as: list["SendEventsReply_results_item_counts_as_item"]
    """Goals that include the event"""
    warnings: list["SendEventsReply_results_item_warnings_item"]
    """Probable mistakes in the event, which was stored"""
    error: Union["SendEventsReply_results_item_error", None]
    """Error; null if there was none"""

class SendEventsReply(TypedDict):
    results: list["SendEventsReply_results_item"]
    """One result per element, in the order sent"""
    accepted: int
    """Number of events stored"""
    updated: int
    """Number of existing items that changed"""
    unchanged: int
    """Number of events already stored with the same content"""
    refused: int
    """Number of events that were rejected"""

class SendEventsRequest(TypedDict):
    events: list["EventInput"]
    """The events to store"""

class SendTestEventReply(TypedDict):
    event_id: str
    """Id of the stored event"""
    event_name: str
    """Name of the event; goals select events by it"""
    accepted: bool
    """Whether the platform accepted the event"""
    code: Union[str, None]
    """The platform’s error code; null if it accepted the event"""
    message: Union[str, None]
    """The platform’s explanation; null if it accepted the event"""
    provider_request_id: Union[str, None]
    """The provider’s request id, for its support; null if it sent none"""

SendTestEventRequest = dict[str, Any]

class SenderDomain_records_item(TypedDict):
    purpose: Literal["dkim", "return_path", "spf", "dmarc"]
    """Purpose of the record"""
    type: Literal["TXT", "CNAME"]
    """Type of the DNS record"""
    name: str
    """Full name of the record"""
    value: str
    """Required content of the record; for SPF, the mechanism that it must include"""
    required: bool
    """False: recommended, but not needed for verification"""
    status: Literal["unchecked", "found", "missing", "different", "unknown"]
    """As of the last check; unknown: the DNS lookup failed"""
    found: list[str]
    """Values that the DNS lookup returned"""

SenderDomain = TypedDict("SenderDomain", {
    "domain": str,
    "status": Literal["pending", "verified", "failed", "temporary_failure"],
    "records": list["SenderDomain_records_item"],
    "from": str,
    "created_at": str,
    "checked_at": Union[str, None],
})

class SentMail(TypedDict):
    message_id: str
    """Id of the message"""
    provider_message_id: Union[str, None]
    """Null if the vendor returns none"""
    status: Literal["sent", "unknown"]
    """`unknown`: the vendor did not respond; the mail is not retried"""

class SentMessage(TypedDict):
    message_id: str
    """Id of the message"""
    provider_message_id: Union[str, None]
    """The provider’s id of the message; null until it is sent"""
    status: Literal["sent", "unknown"]
    """`unknown`: the platform did not respond; the message is not retried"""

class ServiceLag_jobs(TypedDict):
    """State of the job queue"""

    ready: int
    """Whether setup is complete"""
    running: int
    """Number of running jobs"""
    scheduled: int
    """Number of jobs scheduled for later"""
    dead: int
    """Number of dead jobs"""
    oldest_ready_age_seconds: Union[float, None]
    """Age of the oldest ready job, in seconds; null if none is ready"""
    oldest_dead_age_seconds: Union[float, None]
    """Age of the oldest dead job, in seconds; null if none is dead"""

class ServiceLag_events(TypedDict):
    """Events that are not processed yet"""

    waiting: int
    """Batches of stored events that are not processed yet"""
    oldest_waiting_age_seconds: Union[float, None]
    """Age of the oldest waiting item, in seconds; null if none waits"""
    quarantined: int
    """Number of events that could not be processed"""
    oldest_quarantined_age_seconds: Union[float, None]
    """Age of the oldest quarantined event, in seconds; null if none is quarantined"""

class ServiceLag_webhooks(TypedDict):
    """State of the webhook delivery queue"""

    waiting: int
    """Due deliveries to active subscriptions"""
    oldest_waiting_age_seconds: Union[float, None]
    """Age of the oldest waiting item, in seconds; null if none waits"""
    stuck: int
    """Deliveries that are overdue by more than ten minutes"""

class ServiceLag(TypedDict):
    worker_heartbeat_age_seconds: Union[float, None]
    """Seconds since any process last polled for jobs; null if none ever did"""
    jobs: "ServiceLag_jobs"
    """State of the job queue"""
    events: "ServiceLag_events"
    """Events that are not processed yet"""
    webhooks: "ServiceLag_webhooks"
    """State of the webhook delivery queue"""

class ServiceProcess(TypedDict):
    id: str
    """Id of the process"""
    role: Literal["all", "api", "worker"]
    """What the process does: api, worker or all"""
    version: str
    """Version of the release"""
    build: str
    """Id of the build"""
    host: str
    """Name of the machine"""
    pid: int
    """Id of the process on its machine"""
    state: Literal["running", "silent", "stopped", "lost"]
    """silent: two heartbeats are missing (25 seconds); lost: none for a minute, without a clean shutdown"""
    started_at: str
    """When it started"""
    seconds_since_seen: float
    """Seconds since the last heartbeat"""
    seconds_since_worked: Union[float, None]
    """Seconds since it last polled for jobs; null if it runs none"""
    clock_ahead_seconds: Union[float, None]
    """Seconds that its clock is ahead of the database’s, negative if behind; more than 60 in either direction is a fault. Null for a process of an earlier release"""

class SetEntitlementReply(TypedDict):
    profile_id: str
    """Id of the profile"""
    feature: Literal["attribution"]
    """Name of the feature"""
    enabled: bool
    """Whether it is enabled"""
    updated_at: str
    """When it was last changed"""

class SetEntitlementRequest(TypedDict):
    enabled: bool
    """Whether it is enabled"""

class SetGoalTargetReply(TypedDict):
    goal_id: str
    """Id of the goal"""
    target: Union["GoalTarget", None]
    """The value to reach in the period; null removes the target"""

class SetGoalTargetRequest(TypedDict):
    metric: Literal["count", "value", "cac", "roas"]
    """Figure that the target is set for"""
    period: Literal["week", "month"]
    """Days that the report covers"""
    target: Union[float, None]
    """The value to reach in the period; null removes the target"""

class SetInstallmentRequest(TypedDict):
    is_installment: bool
    """A later instalment of a purchase"""

class SetPacingTargetRequest(TypedDict):
    profile_id: str
    """Id of the profile"""
    provider: Literal["social_ads", "engine_ads", "linkedin_ads", "tiktok_ads", "microsoft_ads"]
    """Provider of the account, for example social_ads"""
    month: str
    """Month, YYYY-MM, in the time zone of the profile"""
    budget: Union[Union[float, str], None]
    """Budget of the month in the currency of the account; null without one"""

class SetPayerRequest(TypedDict):
    customer_id: NotRequired[Union[str, None]]
    """Id of the customer who paid; null removes the payer"""
    email: NotRequired[str]
    """Email address of the customer"""
    phone: NotRequired[str]
    """Phone number with country code"""

class SetPlatformSafeTargetReply(TypedDict):
    target: Literal["clean_dataset", "existing"]
    """Where the conversions of the platform-safe mode are sent"""
    dataset_id: Union[str, None]
    """The platform’s id of the dataset; null if there is none"""
    created: bool
    """Whether it is new"""
    previous_dataset_id: Union[str, None]
    """Id of the previous dataset; null if there was none"""
    live_ad_sets: list["LiveAdSet"]
    """Ad sets that deliver on the previous dataset"""
    swapped: list["AdSetSwap"]
    """Number of ad sets switched"""

class SetPlatformSafeTargetRequest_consent(TypedDict):
    """Proof that a person accepted the text"""

    version: str
    """Version of the text that the person accepted"""
    text_hash: str
    """Hash of the accepted text"""
    accepted_by: str
    """Who accepted the text"""
    accepted_at: str
    """When it was accepted"""

class SetPlatformSafeTargetRequest(TypedDict):
    target: Literal["clean_dataset", "existing"]
    """Where the conversions of the platform-safe mode are sent"""
    connection_id: NotRequired[str]
    """Id of the connection"""
    confirm_live_ad_sets: NotRequired[bool]
    """True confirms that ad sets that are delivering lose their dataset"""
    move_ad_sets: NotRequired[Literal["none", "duplicate_and_swap"]]
    """duplicate_and_swap copies ad sets and switches the copies to the new dataset"""
    consent: NotRequired["SetPlatformSafeTargetRequest_consent"]
    """Proof that a person accepted the text"""

class SetSigningIdRequest(TypedDict):
    signing_id: str
    """Id that signs the webhooks of the store"""

class ShareCalendarRequest(TypedDict):
    email: str
    """Email address of the person who gets access"""
    role: Literal["free_busy", "reader", "writer"]
    """Role in the workspace"""

class ShortLink_chat(TypedDict):
    """Null for a page"""

    app: Literal["chatapp", "pagechat", "photoapp"]
    """Messaging channel that the link opens"""
    account: str
    """Number, page name or user name"""
    text: Union[str, None]
    """First message that is filled in; null if there is none"""

class ShortLink(TypedDict):
    id: str
    """Id of the short link"""
    slug: str
    """Last part of the address"""
    url: str
    """On the verified tracking domain, otherwise on the service’s host"""
    on_own_domain: bool
    """False: print it only after a tracking domain is verified"""
    target_url: Union[str, None]
    """Null for a chat"""
    chat: Union["ShortLink_chat", None]
    """Null for a page"""
    title: Union[str, None]
    """Name of the link, as people see it; null if it has none"""
    utm: dict[str, str]
    """Campaign parameters of the link, for example `utm_source`"""
    ad: Union[dict[str, str], None]
    """Ids of the ad that the link belongs to; null if it belongs to none"""
    enabled: bool
    """Whether the link works"""
    clicks: int
    """All days, without bots"""
    bots: int
    """Requests of crawlers and link previews"""
    last_clicked_at: Union[str, None]
    """Last click of a person; null without one"""
    created_at: str
    """When it was created"""
    updated_at: str
    """When it was last changed"""

class SignInByLinkRequest(TypedDict):
    token: str
    """Token from the link in the mail"""

class SignInByPasskeyRequest(TypedDict):
    challenge: str
    """From the response that asks for this proof"""
    assertion: dict[str, Any]
    """What the browser’s `navigator.credentials.get` returned, as `toJSON()` writes it"""

class SignInPolicy_members_item(TypedDict):
    user_id: str
    """Id of the user"""
    email: str
    """Email address of the account"""
    name: str
    """Name of the person"""
    has_second_factor: bool
    """Whether the account has an authenticator app or a passkey"""

class SignInPolicy(TypedDict):
    second_factor_required_from: Union[str, None]
    """From then on, members without a second factor cannot open the workspace; null if it is not required"""
    members: list["SignInPolicy_members_item"]
    """People of the workspace and its profiles"""

class SignInRequest(TypedDict):
    email: str
    """Email address of the account"""
    password: str
    """Password of the account"""

class SignUpRequest(TypedDict):
    email: str
    """Email address of the account"""
    password: str
    """Password of the account"""
    name: str
    """Name of the person"""
    invitation_token: NotRequired[str]
    """Token of the invitation, if any"""

class SignedIn(TypedDict):
    user: "User"
    """The user who signed in"""
    token: str
    """Token of the session, for the header Authorization"""
    expires_at: str
    """When it expires"""

class Snapshot(TypedDict):
    id: str
    """Id of the shared page"""
    url: str
    """Anyone with the link can open it; a password is needed if one was set"""
    name: str
    """Name of the shared page"""
    window: "ScoreWindowParam"
    has_password: bool
    """Whether a password protects it"""
    captured_at: str
    """When it was captured"""
    expires_at: str
    """When it expires"""
    result_hash: str
    """Hash of the captured content; never changes"""
    views: int
    """How often the page was opened"""

class SnapshotCapture_filters(TypedDict):
    """Filters of the report"""

    objectives: NotRequired[list[str]]
    """Objectives to show"""
    formats: NotRequired[list[str]]
    """Formats to show"""
    truth_grades: NotRequired[list[Literal["predicted", "attributed", "lift"]]]
    """Grades of evidence to show"""
    outcome_kinds: NotRequired[list[Literal["cash", "pipeline", "messaging", "meta", "none"]]]
    """Kinds of outcomes to show"""
    has_video: NotRequired[bool]
    """Only ads with a video"""
    min_spend: NotRequired[float]
    """Only ads with at least this spend"""
    profile_ids: NotRequired[list[str]]
    """Ids of profiles"""

class SnapshotCapture(TypedDict):
    name: str
    """Name of the shared page"""
    window: NotRequired["ScoreWindowParam"]
    filters: NotRequired["SnapshotCapture_filters"]
    """Filters of the report"""
    expires_in_days: NotRequired[int]
    """Days until it expires"""
    password: NotRequired[str]
    """Password of the shared page"""

class SocialPage(TypedDict):
    id: str
    """The platform’s id of the page"""
    name: str
    """Name of the page"""
    category: Union[str, None]
    """The page’s category at the platform; null if the platform reports none"""
    tracked: bool
    """Whether its messages are recorded"""

class SpendRow(TypedDict):
    source: str
    """Source of the data"""
    level: Literal["campaign", "ad_set", "ad"]
    """Level of the ad structure"""
    campaign_id: NotRequired[str]
    """Id of the campaign"""
    campaign_name: NotRequired[str]
    """Name of the campaign"""
    ad_set_id: NotRequired[str]
    """Id of the ad set"""
    ad_set_name: NotRequired[str]
    """Name of the ad set"""
    ad_id: NotRequired[str]
    """Id of the ad"""
    ad_name: NotRequired[str]
    """Name of the ad"""
    date: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    spend: Union[float, str]
    """Ad spend of the day, in `currency`"""
    currency: NotRequired[str]
    """ISO 4217 code of the currency"""
    impressions: NotRequired[Union[float, str]]
    """Number of impressions on the day"""
    clicks: NotRequired[Union[float, str]]
    """Number of clicks on the day"""
    reach: NotRequired[Union[float, str]]
    """Number of people reached on the day"""
    platform_conversions: NotRequired[Union[float, str]]
    """Conversions that the platform reports"""
    platform_conversion_value: NotRequired[Union[float, str]]
    """Value of the conversions that the platform reports"""

class StartBankLinkReply(TypedDict):
    link_token: str
    """Token of the bank link"""
    url: str
    """Page on which the person connects the bank"""
    expires_at: str
    """When it expires"""

class StartCalendarLinkRequest(TypedDict):
    provider: Literal["engine_calendar", "external_calendar"]
    """Provider of the account, for example social_ads"""

class StartDataRunRequest(TypedDict):
    destination_id: str
    """Destination to write to"""
    full: NotRequired[bool]
    """Write every file again, not only changed days"""

class StartMailboxLinkRequest(TypedDict):
    provider: "MailboxVendor"
    """Provider of the account, for example social_ads"""
    return_url: NotRequired[str]
    """Where the person is redirected afterwards; its origin must be in `allowed_return_origins` or `redirect_uris` of the app"""

class StartPhoneRepairReply(TypedDict):
    id: str
    """Id of the phone repair"""
    status: Literal["applying", "applied", "undoing", "undone"]
    """State of the phone repair"""
    include_unresolved: bool
    """Whether numbers without a known country are also repaired"""
    events: int
    """Events reprocessed so far"""
    created_at: str
    """When it was created"""
    finished_at: Union[str, None]
    """When it ended; null until then"""

class StartPhoneRepairRequest(TypedDict):
    include_unresolved: NotRequired[bool]
    """Also repair numbers that are not valid in their country; they then identify no customer"""

StartRecomputeRequest = dict[str, Any]

class StartSyncReply(TypedDict):
    connection_id: str
    """Id of the connection"""
    state: Literal["queued"]
    """Whether the sync was queued or already runs"""

class StartSyncRequest(TypedDict):
    provider: NotRequired["ProviderParam"]
    connection_id: NotRequired[str]
    """Id of the connection"""
    since: NotRequired[str]
    """Earliest time to read; default: since the last sync"""

class StartVerificationRequest(TypedDict):
    url: str
    """URL of the page that is checked"""

class StatusChange(TypedDict):
    platform_id: str
    """The platform’s id"""
    outcome: Literal["changed", "no_change"]
    """Whether the platform made the change"""
    previous_status: str
    """Status at the platform before the change"""
    status: str
    """Status at the platform after the change"""

SubscribedEvents = list["WebhookEventType"]

SubscribedProviders = list["WebhookProvider"]

class Subscription_warnings_item(TypedDict):
    event: str
    """Type of the event"""
    message: str
    """Explanation for people"""

class Subscription(TypedDict):
    id: str
    """Id of the subscription"""
    app_id: Union[str, None]
    """Id of the partner app; null if no app is involved"""
    profile_id: str
    """Id of the profile"""
    url: str
    """URL that receives the events"""
    events: list[str]
    """Types of events to send"""
    providers: list[str]
    """Providers whose events are sent; `platform` for events of the service itself"""
    include_history: bool
    """Whether it receives `historical` events"""
    status: Literal["active", "paused", "failed"]
    """State of the subscription"""
    status_reason: Union[str, None]
    """Reason for the status; null if there is no problem"""
    last_delivery_at: Union[str, None]
    """Time of the last delivery; null if there was none"""
    consecutive_failures: int
    """Failed attempts since the last success"""
    previous_secret_expires_at: Union[str, None]
    """The previous secret also signs until then; null if there is none"""
    created_at: str
    """When it was created"""
    updated_at: str
    """When it was last changed"""
    warnings: list["Subscription_warnings_item"]
    """Events of the list that the listed providers never send"""

class SubscriptionWithSecret_warnings_item(TypedDict):
    event: str
    """Type of the event"""
    message: str
    """Explanation for people"""

class SubscriptionWithSecret(TypedDict):
    id: str
    """Id of the subscription"""
    app_id: Union[str, None]
    """Id of the partner app; null if no app is involved"""
    profile_id: str
    """Id of the profile"""
    url: str
    """URL that receives the events"""
    events: list[str]
    """Types of events to send"""
    providers: list[str]
    """Providers whose events are sent; `platform` for events of the service itself"""
    include_history: bool
    """Whether it receives `historical` events"""
    status: Literal["active", "paused", "failed"]
    """State of the subscription"""
    status_reason: Union[str, None]
    """Reason for the status; null if there is no problem"""
    last_delivery_at: Union[str, None]
    """Time of the last delivery; null if there was none"""
    consecutive_failures: int
    """Failed attempts since the last success"""
    previous_secret_expires_at: Union[str, None]
    """The previous secret also signs until then; null if there is none"""
    created_at: str
    """When it was created"""
    updated_at: str
    """When it was last changed"""
    warnings: list["SubscriptionWithSecret_warnings_item"]
    """Events of the list that the listed providers never send"""
    secret: str
    """Secret that signs the deliveries; returned only once"""

class SyncChatTemplatesReply(TypedDict):
    accounts: int
    """Number of messaging accounts that were synced"""
    templates: int
    """Number of templates read"""
    added: int
    """Number of templates that are new"""
    removed: int
    """Number of templates that no longer exist"""

class SyncState_progress(TypedDict):
    """How far the running sync is; null if none runs"""

    done: int
    """Parts that are finished, out of `total`"""
    total: Union[int, None]
    """Number of parts; null until it is known"""
    unit: str
    """Unit of the count"""

class SyncState_set_aside(TypedDict):
    """Number of records set aside"""

    records: int
    """Records that were set aside"""
    last_reason: Union[str, None]
    """Reason why the last record was set aside; null if none was"""

class SyncState(TypedDict):
    state: Literal["idle", "queued", "running", "failed"]
    """What the sync does now"""
    last_success_at: Union[str, None]
    """Time of the last success; null if there was none"""
    complete_until: Union[str, None]
    """Start of the last complete sync: all earlier data has been read; null if there was none"""
    last_attempt_at: Union[str, None]
    """Time of the last attempt; null before the first"""
    last_error: Union[str, None]
    """Error of the last failed attempt; null after a success"""
    next_run_at: Union[str, None]
    """Time of the next run; null if none is planned"""
    progress: Union["SyncState_progress", None]
    """How far the running sync is; null if none runs"""
    set_aside: "SyncState_set_aside"
    """Number of records set aside"""

class TagClientsRequest(TypedDict):
    profile_ids: list[str]
    """Ids of profiles"""
    add: NotRequired[list[str]]
    """Tags to add"""
    remove: NotRequired[list[str]]
    """Tags to remove"""

class TestChannelRulesReply(TypedDict):
    channel: Union[str, None]
    """Null if the visit continues an earlier one"""
    source: Union[str, None]
    """Source of the visit, for example a site or utm_source; null if there is none"""
    platform: Union[str, None]
    """Ad platform, for example social_ads; null if it is none"""
    rule: Literal["click_id", "named_ad", "utm", "override", "site_list", "other_site", "payment_or_login_page", "direct"]
    """The rule that applied"""
    decided_by: Union[str, None]
    """The parameter, host or source that the rule used; null if it used none"""
    list: Union[Literal["search", "social", "mail", "shopping", "ai_assistant"], None]
    """Built-in list of sites that decided; null if none did"""
    list_version: str
    """Version of that list"""

class TestDataDestinationReply(TypedDict):
    ok: bool
    """Whether it succeeded"""
    error: Union[str, None]
    """Why it failed; null if it succeeded"""

class TestWebhookSubscriptionReply(TypedDict):
    enqueued: bool
    """Whether it is queued for sending, or how many are"""
    event_id: str
    """Id of the stored event"""
    subscription_id: str
    """Id of the webhook subscription"""

TestWebhookSubscriptionRequest = dict[str, Any]

class ThresholdCondition(TypedDict):
    kind: Literal["threshold"]
    """The rule compares a figure with a threshold"""
    metric: Literal["spend", "revenue", "roas", "cac", "conversions"]
    """conversions are payments; CAC and ROAS use ad spend and last-touch credit"""
    campaign_id: Union[str, None]
    """Null: the whole profile"""
    direction: Literal["above", "below"]
    """above or below the threshold; for a message, in or out"""
    comparison: Literal["value", "change"]
    """value: the figure itself. change: its percentage change from the preceding period of the same length; a single day is compared with the same weekday a week before"""
    threshold: float
    """An amount, a ratio or a count; for a change, the percentage without a sign"""
    window_days: Union[Literal[1], Literal[7], Literal[28]]
    """Number of closed days that are summed, ending with the evaluated day"""
    min_conversions: int
    """Minimum number of payments for an evaluation, such as 10; not used for spend. A fall from at least this many is also evaluated; for the value of a ROAS or CAC, only a fall to zero payments"""

class ThresholdConditionInput(TypedDict):
    kind: Literal["threshold"]
    """The rule compares a figure with a threshold"""
    metric: Literal["spend", "revenue", "roas", "cac", "conversions"]
    """conversions are payments; CAC and ROAS use ad spend and last-touch credit"""
    campaign_id: Union[str, None]
    """Null: the whole profile"""
    direction: Literal["above", "below"]
    """above or below the threshold; for a message, in or out"""
    comparison: Literal["value", "change"]
    """value: the figure itself. change: its percentage change from the preceding period of the same length; a single day is compared with the same weekday a week before"""
    threshold: float
    """An amount, a ratio or a count; for a change, the percentage without a sign"""
    window_days: Union[Literal[1], Literal[7], Literal[28]]
    """Number of closed days that are summed, ending with the evaluated day"""
    min_conversions: int
    """Minimum number of payments for an evaluation, such as 10; not used for spend. A fall from at least this many is also evaluated; for the value of a ROAS or CAC, only a fall to zero payments"""

class TopPerformerRow_reason_codes_item(TypedDict):
    layer: Literal["delivery", "attention", "retention", "click_intent", "postclick_messaging", "attributed_revenue", "platform_diagnostics"]
    """Part of the score"""
    percentile: float
    """Mean probability that the ad’s rate is above that of another ad of the peer group; never 0 or 1"""
    sample_confidence: Literal["low", "medium", "high"]
    """How much of the percentile comes from the ad’s own data; not how clear the difference is"""
    polarity: Literal["strength", "weakness"]
    """Whether it is a positive or negative signal"""

class TopPerformerRow_layer_percentiles_item(TypedDict):
    layer: Literal["delivery", "attention", "retention", "click_intent", "postclick_messaging", "attributed_revenue", "platform_diagnostics"]
    """Part of the score"""
    percentile: float
    """Mean probability that the ad’s rate is above that of another ad of the peer group; never 0 or 1"""
    sample_confidence: Literal["low", "medium", "high"]
    """How much of the percentile comes from the ad’s own data; not how clear the difference is"""

class TopPerformerRow(TypedDict):
    ad_external_id: str
    """The platform’s id of the ad"""
    ad_name: Union[str, None]
    """Name of the ad; null if the platform has not reported it"""
    campaign_name: Union[str, None]
    """Name of the campaign; null if the platform has not reported it"""
    ad_set_name: Union[str, None]
    """Name of the ad set; null if the platform has not reported it"""
    creative_thumbnail_url: Union[str, None]
    """A copy of the image, served by this service; null if there is none"""
    video_id: Union[str, None]
    """The platform’s id of the video; null if the ad has none"""
    score_window: "ScoreWindowParam"
    """Days that the score covers"""
    composite_score: Union[float, None]
    """0 to 100 within the peer group; ads are ranked by it. Null if the ad is not scored"""
    top_performer_likelihood: "LearnedValue"
    """From 0.01 to 0.99 if `status` is `served`"""
    model_version: Union[int, None]
    """Version of the model; null if the score comes from rules"""
    score_source: Literal["model", "rules"]
    """Data that the score is based on"""
    maturity_stage: Literal["cold", "early", "mature", "calibrated"]
    """Maturity of the ad’s data"""
    evidence: Union[Literal["not_shown_enough", "no_difference", "differs"], None]
    """Whether the ad was shown enough for a comparison, and whether it differs from the median of its peer group with 90 % probability; null in older scores"""
    truth_grade: Literal["predicted", "attributed", "lift"]
    """lift: its campaign or ad set has a finished, positive lift study, or a positive geo study that passes its placebo tests (GET …/experiments)"""
    primary_outcome_kind: Literal["cash", "pipeline", "messaging", "meta", "none"]
    """Outcome type that the score is based on"""
    cohort_key: str
    """channel|format|objective|warmth|geo|placement; * for a part that is not compared"""
    cohort_objective: str
    """Objective of the peer group"""
    cohort_format: str
    """Format of the peer group"""
    cohort_audience_warmth: str
    """Audience of the peer group"""
    cohort_n_ads: int
    """Ads in the peer group"""
    hook_type: Union[str, None]
    """Type of the ad’s opening; null if it is not classified"""
    creative_format: Union[str, None]
    """Format of the ad; null if the platform does not report it"""
    cta_type: Union[str, None]
    """The platform’s call-to-action type; null if the ad has none"""
    primary_angle: Union[str, None]
    """Main argument of the ad; null if it is not classified"""
    offers: list[str]
    """Offers in the ad"""
    spend: float
    """Ad spend of the scored days, in the profile’s currency"""
    impressions: int
    """Impressions, as the platform reports them"""
    ctr: Union[float, None]
    """Clicks per 100 impressions; null without impressions"""
    cpc: Union[float, None]
    """Spend per click; null without clicks"""
    attributed_cash_outcomes: int
    """Payments that have credit"""
    attributed_revenue: float
    """Credited cash, less refunds"""
    roas: Union[float, None]
    """Return on ad spend: credited cash / spend; null without spend"""
    cac: Union[float, None]
    """Spend per payment; null without payments"""
    attributed_outcomes_total: int
    """Conversions of all types that have credit"""
    attributed_pipeline_outcomes: int
    """Leads and other non-cash outcomes that have credit"""
    attributed_pipeline_value: float
    """Value of the credited non-cash outcomes"""
    meta_reported_conversions: Union[float, None]
    """Conversions that the platform reports; null if it reports none"""
    meta_reported_conversion_value: Union[float, None]
    """Value of the conversions that the platform reports; null if it reports none"""
    cost_per_conversation: Union[float, None]
    """Spend per conversation started; null without conversations"""
    messaging_conversations_started: int
    """Conversations started, as the platform reports them"""
    first_reply_rate: Union[float, None]
    """Share, from 0 to 1, of the ad’s conversations that the business replied to; null if the platform reports no replies"""
    avg_engagement_score: Union[float, None]
    """Mean engagement score per day; null if it is not known"""
    hazard_30d_pause: "LearnedValue"
    """From 0.01 to 0.99 if `status` is `served`"""
    hazard_30d_degradation: "LearnedValue"
    """From 0.01 to 0.99 if `status` is `served`"""
    fatigue_risk_tier: "LearnedTier"
    """medium and high: clicks of the last week are at least 8 or 12 % below the number expected from the ad’s usual rate, beyond chance. low: no such decline was detected, which does not prove that there is none."""
    expected_lifespan_days: "LearnedValue"
    reason_codes: list["TopPerformerRow_reason_codes_item"]
    """Layers with a percentile below 0.4 or above 0.6, furthest from the median first; empty if the ad is average in all of them"""
    layer_percentiles: list["TopPerformerRow_layer_percentiles_item"]
    """All layers, also those close to the median"""

class TopPerformersExport(TypedDict):
    window: NotRequired["ScoreWindowParam"]
    ad_external_ids: NotRequired[list[str]]
    """The platform’s ids of the ads"""
    profile_ids: NotRequired[list[str]]
    """Ids of profiles"""

class TrackPagesRequest(TypedDict):
    page_ids: list[str]
    """Ids of the pages"""

class TrackingDomain(TypedDict):
    id: str
    """Id of the tracking domain"""
    domain: str
    """Domain that serves the tracker’s script"""
    status: Literal["pending", "verified", "failed"]
    """Result of the DNS check"""
    cname_target: str
    """Target of the CNAME record"""
    detail: Union[str, None]
    """Result of the last DNS check; null before the first"""
    created_by_app: "CreatingApp"
    created_at: str
    """When it was created"""
    checked_at: Union[str, None]
    """When it was last checked; null before the first check"""

class TrackingKey(TypedDict):
    id: str
    """Id of the tracking key"""
    key: str
    """Public key of the tracker"""
    created_at: str
    """When it was created"""

class TrackingSettings(TypedDict):
    session_minutes: int
    """Minutes of inactivity after which a visit ends"""
    consent_mode: Literal["granted", "pending", "denied"]
    """Whether the tracker waits for consent"""
    forms: Literal["auto", "marked", "off"]
    """Forms whose submission is recorded"""
    spa: Literal["on", "hash", "off"]
    """How navigation in a single-page app is counted"""
    allowed_domains: list[str]
    """Domains whose pages may send events; empty means all"""
    consent_signals: Literal["auto", "off"]
    """Whether the snippet reads the consent of the banner on the page"""
    gpc: Literal["honor", "explicit_choice_wins"]
    """Global Privacy Control of the browser. `honor`: nothing lifts it. `explicit_choice_wins`: a later grant that the visitor makes on this site does, in this browser."""
    exclude_paths: list[str]
    """Paths of pages that do not count; `*` matches any characters"""
    filter_bots: bool
    """True to exclude events from bots"""
    enrich_country: bool
    """True if the country is derived from the IP address"""
    browser_revenue: Literal["count", "confirm", "ignore"]
    """How payments sent by browsers are used. `count`: always counted. `confirm`: counted until a server or a provider reports payments; from then on they only confirm a payment with the same `order_id`. `ignore`: never counted."""

class TrendRow(TypedDict):
    entity_id: str
    """Id of the campaign, ad set or ad"""
    date: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    spend: Union[float, None]
    """Ad spend; null if the exchange rate is missing"""
    impressions: int
    """Impressions, as the platform reports them"""
    clicks: int
    """Clicks, as the platform reports them"""

# The kind of visit that was credited; a paid click without an ad; an ad without a known campaign; a payment without a person; a goal excluded from attribution; or no visit within the lookback
UnattributedReason = Literal["direct", "organic", "email", "referral", "other_visit", "click_without_ad", "ad_without_campaign", "unknown_payer", "not_creditable", "no_touch"]

class UndoMergeReply(TypedDict):
    audit_log_id: str
    """Id of the merge"""
    from_customer_id: str
    """The customer that is merged"""
    into_customer_id: str
    """The customer that remains after the merge"""
    undone_at: str
    """When it was undone"""

UndoMergeRequest = dict[str, Any]

class UndoPhoneRepairReply(TypedDict):
    id: str
    """Id of the phone repair"""
    status: Literal["applying", "applied", "undoing", "undone"]
    """State of the phone repair"""
    include_unresolved: bool
    """Whether numbers without a known country are also repaired"""
    events: int
    """Events reprocessed so far"""
    created_at: str
    """When it was created"""
    finished_at: Union[str, None]
    """When it ended; null until then"""

UndoPhoneRepairRequest = dict[str, Any]

class UpdateAlertRequest(TypedDict):
    name: NotRequired[str]
    """Name of the alert, as people see it"""
    condition: NotRequired[Union["ThresholdConditionInput", "FindingConditionInput"]]
    """Condition of the alert"""
    enabled: NotRequired[bool]
    """Whether it is enabled"""
    mute_days: NotRequired[int]
    """Days from now; 0 unmutes"""

class UpdateAnnotationRequest(TypedDict):
    day: NotRequired[str]
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    text: NotRequired[str]
    """Text of the note"""

class UpdateAttributionSettingsReply(TypedDict):
    lookback_days: int
    """Lookback window in days: visits within it can get credit"""
    first_touch_lookback_days: int
    """Lookback window in days for the model first_touch"""
    half_life_days: int
    """For the model time_decay: the weight of a visit halves every this many days"""
    grace_hours: int
    """Hours that a day stays open for late events after it ends"""
    updated_at: Union[str, None]
    """When it was last changed; null if it never was"""
    recompute: Union["Recompute", None]
    """The resulting recompute; null if none is needed"""

class UpdateAttributionSettingsRequest(TypedDict):
    lookback_days: NotRequired[int]
    """Lookback window in days: visits within it can get credit"""
    first_touch_lookback_days: NotRequired[int]
    """Lookback window in days for the model first_touch"""
    half_life_days: NotRequired[int]
    """For the model time_decay: the weight of a visit halves every this many days"""
    grace_hours: NotRequired[int]
    """Hours after its end during which a day still accepts late events"""

class UpdateComplianceOverviewRequest(TypedDict):
    healthcare: bool
    """Profile with health data: stricter rules for people and exports"""

class UpdateDataDestinationRequest_keys(TypedDict):
    """New access keys of a store"""

    access_key_id: str
    """Access key of a user that may write and delete under the prefix"""
    secret_access_key: str
    """Stored encrypted and never returned"""

class UpdateDataDestinationRequest(TypedDict):
    name: NotRequired[str]
    """Name of the destination, as people see it"""
    tables: NotRequired[list[Literal["events", "customers", "identities", "touches", "conversions", "payments", "refunds", "credits", "paths", "campaigns", "ad_sets", "ads", "ad_versions", "creatives", "delivery", "rates", "daily"]]]
    """Tables of the export"""
    include_identifiers: NotRequired[bool]
    """True to include hashed identifiers"""
    schedule: NotRequired[Literal["hourly", "daily", "on_demand"]]
    """How often the tables are written"""
    enabled: NotRequired[bool]
    """Whether it is enabled"""
    keys: NotRequired["UpdateDataDestinationRequest_keys"]
    """New access keys of a store"""

class UpdateExportDestinationRequest(TypedDict):
    display_name: NotRequired[str]
    """Name of the destination, as people see it"""
    enabled: NotRequired[bool]
    """Whether it is enabled"""
    event_map: NotRequired["EventMapInput"]
    event_id_source: NotRequired[str]
    """Applies to conversions queued from now on. Adjustments of earlier conversions are sent with their earlier id"""
    test_event_code: NotRequired[Union[str, None]]
    """The platform’s code for test events; null if there is none"""
    access_token: NotRequired[str]
    """Stored encrypted and never returned"""

class UpdateGoalRequest(TypedDict):
    display_name: NotRequired[str]
    """Name of the goal, as people see it"""
    source_event_names: NotRequired[list[str]]
    """Events with these names are conversions of the goal"""
    outcome_type: NotRequired[str]
    """Type of the outcome, for example payment_received or lead_created"""
    revenue_type: NotRequired["RevenueType"]
    attribution_eligible: NotRequired[bool]
    """Whether conversions of this goal get credit"""

class UpdateOAuthAppReply_dpa(TypedDict):
    """The data-processing agreement"""

    status: Literal["not_accepted", "accepted", "withdrawn"]
    """Whether the data-processing agreement is signed"""
    version: Union[str, None]
    """Version of the agreement that was signed; null if none was"""
    accepted_at: Union[str, None]
    """When it was accepted; null until then"""
    withdrawn_at: Union[str, None]
    """When it was withdrawn; null if it was not"""

class UpdateOAuthAppReply_secrets_item(TypedDict):
    hint: str
    """First and last characters, to recognise it"""
    created_at: str
    """When it was created"""
    expires_at: Union[str, None]
    """When it expires; null if it does not"""

class UpdateOAuthAppReply(TypedDict):
    id: str
    """Id of the partner app"""
    client_id: str
    """Public id of the app"""
    name: str
    """Name of the partner app"""
    logo_url: Union[str, None]
    """URL of the app’s logo; null if it has none"""
    redirect_uris: list[str]
    """Allowed redirect URIs after consent"""
    allowed_return_origins: list[str]
    """Origins that a hand-off may return to"""
    allowed_scopes: list[str]
    """Scopes that the app may request"""
    dpa: "UpdateOAuthAppReply_dpa"
    """The data-processing agreement"""
    secrets: list["UpdateOAuthAppReply_secrets_item"]
    """Valid secrets, at most two"""
    created_at: str
    """When it was created"""
    updated_at: str
    """When it was last changed"""

class UpdateOAuthAppRequest(TypedDict):
    name: NotRequired[str]
    """Name, as people see it"""
    logo_url: NotRequired[Union[str, None]]
    """URL of the app’s logo; null or absent: none"""
    redirect_uris: NotRequired[list[str]]
    """Allowed redirect URIs after consent"""
    allowed_return_origins: NotRequired[list[str]]
    """Origins that a hand-off may return to"""
    allowed_scopes: NotRequired[list[Literal["connections", "analytics", "analytics_pii", "attribution", "attribution_write", "adoption", "analytics:read", "campaigns:apply", "campaigns:read", "connections:read", "connections:write", "conversions:read", "customers:read", "events:write", "exports:read", "exports:write", "identity:read", "identity:write", "mcp:read", "mcp:read_pii", "mcp:write", "messages:write", "payments:read", "payments:write", "realtime:read", "tracking:read", "tracking:write", "visitors:read", "webhooks:read", "webhooks:write"]]]
    """Grants and scopes that the app may request"""

class UpdateProfileMemberReply(TypedDict):
    membership_id: str
    """Id of the membership"""
    profile_id: str
    """Id of the profile"""
    user_id: str
    """Id of the user"""
    role: Literal["editor", "viewer"]
    """Role in the workspace"""
    permissions: list[str]
    """Permissions of the member"""

class UpdateProfileMemberRequest(TypedDict):
    role: NotRequired[Literal["editor", "viewer"]]
    """Role in the workspace"""
    permissions: NotRequired["Permissions"]

class UpdateProfileRequest(TypedDict):
    name: NotRequired[str]
    """Name of the profile"""
    timezone: NotRequired[str]
    """IANA time zone, for example Europe/Madrid"""
    currency: NotRequired[str]
    """ISO 4217 code of the currency"""
    country: NotRequired[Union[str, None]]
    """Null: numbers without a country code identify no one"""

class UpdateReportingCurrencyRequest(TypedDict):
    reporting_currency: Union[str, None]
    """ISO 4217 currency code of reports of the workspace; null: each profile’s own"""

class UpdateShortLinkRequest_chat(TypedDict):
    """Opens a chat with a code, so that the conversation has its source"""

    app: Literal["chatapp", "pagechat", "photoapp"]
    """Messaging channel that the link opens"""
    account: str
    """Number with country code (chatapp), page name (pagechat) or user name (photoapp)"""
    text: NotRequired[str]
    """First message; the person may change it"""

class UpdateShortLinkRequest_utm(TypedDict):
    """Campaign parameters of the link, for example `utm_source`"""

    source: NotRequired[str]
    """Value of `utm_source`"""
    medium: NotRequired[str]
    """Such as `flyer`; some values decide the channel, see the guide on channels"""
    campaign: NotRequired[str]
    """Value of `utm_campaign`"""
    term: NotRequired[str]
    """Only added to the address"""
    content: NotRequired[str]
    """Only added to the address"""

class UpdateShortLinkRequest_ad(TypedDict):
    """The ad that the link is printed in or used by"""

    campaign_id: NotRequired[str]
    """Id of the campaign"""
    ad_set_id: NotRequired[str]
    """Id of the ad set"""
    ad_id: NotRequired[str]
    """The platform’s id of the ad"""

class UpdateShortLinkRequest(TypedDict):
    target_url: NotRequired[str]
    """An https address on a domain of the tracking settings (`allowed_domains`), or of a chat"""
    chat: NotRequired["UpdateShortLinkRequest_chat"]
    """Opens a chat with a code, so that the conversation has its source"""
    title: NotRequired[str]
    """Name of the link, as people see it"""
    utm: NotRequired["UpdateShortLinkRequest_utm"]
    """Campaign parameters of the link, for example `utm_source`"""
    ad: NotRequired["UpdateShortLinkRequest_ad"]
    """The ad that the link is printed in or used by"""
    enabled: NotRequired[bool]
    """Whether the link works"""

class UpdateSignInPolicyRequest(TypedDict):
    require_second_factor: bool
    """False: the password is enough again"""
    grace_days: NotRequired[int]
    """Days until it is required"""

class UpdateTrackingSettingsRequest(TypedDict):
    session_minutes: NotRequired[int]
    """Minutes of inactivity after which a visit ends"""
    consent_mode: NotRequired[Literal["granted", "pending", "denied"]]
    """Whether the tracker waits for consent"""
    forms: NotRequired[Literal["auto", "marked", "off"]]
    """Forms whose submission is recorded"""
    spa: NotRequired[Literal["on", "hash", "off"]]
    """How navigation in a single-page app is counted"""
    allowed_domains: NotRequired[list[str]]
    """Domains whose pages may send events; empty means all"""
    consent_signals: NotRequired[Literal["auto", "off"]]
    """Whether the snippet reads the consent of the banner on the page"""
    gpc: NotRequired[Literal["honor", "explicit_choice_wins"]]
    """Global Privacy Control of the browser. `honor`: nothing lifts it. `explicit_choice_wins`: a later grant that the visitor makes on this site does, in this browser."""
    exclude_paths: NotRequired[list[str]]
    """Paths of pages that do not count; `*` matches any characters"""
    filter_bots: NotRequired[bool]
    """True to exclude events from bots"""
    enrich_country: NotRequired[bool]
    """True if the country is derived from the IP address"""
    browser_revenue: NotRequired[Literal["count", "confirm", "ignore"]]
    """How payments sent by browsers are used. `count`: always counted. `confirm`: counted until a server or a provider reports payments; from then on they only confirm a payment with the same `order_id`. `ignore`: never counted."""

class UpdateWebhookSubscriptionRequest(TypedDict):
    url: NotRequired[str]
    """https, public, without a user name"""
    events: NotRequired["SubscribedEvents"]
    """Types of events to send"""
    providers: NotRequired["SubscribedProviders"]
    """Providers whose events are sent; `platform` for events of the service itself"""
    include_history: NotRequired[bool]
    """False leaves out events with `historical`: they happened more than two days before they were recorded, mostly in the first sync of a connection"""
    status: NotRequired[Literal["active", "paused"]]
    """`active` resumes sending, `paused` stops it"""

class UploadChatMediaReply(TypedDict):
    media_id: str
    """Id of the uploaded file"""

class User(TypedDict):
    id: str
    """Id of the user"""
    email: str
    """Email address of the account"""
    name: str
    """Name of the person"""
    email_verified: bool
    """True once the person has proved ownership of the address; until then, access granted to the address has no effect"""
    created_at: str
    """When it was created"""

class UserToken(TypedDict):
    id: str
    """Id of the user token"""
    hint: str
    """First and last characters, to recognise it"""
    name: str
    """Name of the user token"""
    scopes: list[str]
    """Scopes of the credential"""
    created_at: str
    """When it was created"""
    expires_at: Union[str, None]
    """When it expires; null if it does not"""

class UserTraits(TypedDict):
    email: NotRequired[Union[str, None]]
    """Email address of the person; null if it is not known"""
    phone: NotRequired[Union[str, None]]
    """With a country code (+34…), or in the national format of `country`; null if it is not known"""
    country: NotRequired[Union[str, None]]
    """ISO 3166 code; null or absent: the country of the profile"""
    external_id: NotRequired[Union[str, None]]
    """The sender’s own id of the customer; null if there is none"""
    first_name: NotRequired[Union[str, None]]
    """First name of the person; null if it is not known"""
    last_name: NotRequired[Union[str, None]]
    """Last name of the person; null if it is not known"""
    city: NotRequired[Union[str, None]]
    """City of the person’s address; null if it is not known"""
    region: NotRequired[Union[str, None]]
    """State or province, such as `CA`; null if it is not known"""
    postal_code: NotRequired[Union[str, None]]
    """Postal code of the person’s address; null if it is not known"""

class UtmFinding(TypedDict):
    code: "UtmProblem"
    """Kind of problem with the ad’s URL parameters"""
    message: str
    """Explanation for people"""
    platform: Union[str, None]
    """Ad platform, for example social_ads; null if it is none"""
    ad: Union["NamedEntity", None]
    """Ad with the problem; null if the finding is not about one ad"""
    campaign: Union["NamedEntity", None]
    """Campaign with the problem; null if the finding is not about one campaign"""
    value: Union[str, None]
    """The value in the URL that causes the problem, for example a utm_campaign; null if there is none"""
    visits: Union[int, None]
    """Visits of the last 30 days with the problem; null if it is not about visits"""
    spend: Union[float, None]
    """Spend of the last 30 days; null if the finding is not about one ad or campaign"""
    template: Union[str, None]
    """URL parameters to paste at the platform; null if there is nothing to paste"""
    place: Union[str, None]
    """Where to paste them at the platform; null if there is nothing to paste"""

class UtmHealth_by_code_item(TypedDict):
    code: "UtmProblem"
    """Kind of problem with the ad’s URL parameters"""
    findings: int
    """Number of findings with the code"""

class UtmHealth(TypedDict):
    status: Literal["never_scanned", "no_ads", "healthy", "problems"]
    """Result of the check"""
    scanned_at: Union[str, None]
    """When the ads were checked; null before the first check"""
    ads: int
    """Ads that ran in the last 30 days"""
    ads_with_problems: int
    """Ads whose links have a problem"""
    spend: float
    """Spend of all ads that ran"""
    spend_with_problems: float
    """Spend of ads with at least one finding"""
    by_code: list["UtmHealth_by_code_item"]
    """Findings by code"""
    findings: list["UtmFinding"]
    """By spend, highest first, at most 500"""

UtmProblem = Literal["missing_tags", "contradictory_tags", "unexpanded_macro", "unknown_ad_id", "shared_utm", "tags_lost"]

class Verification(TypedDict):
    id: str
    """Id of the verification"""
    status: Literal["waiting", "seen", "expired"]
    """Whether the script was seen"""
    url: str
    """URL of the page that is checked"""
    check_url: str
    """URL to open for the verification"""
    seen_url: Union[str, None]
    """Page on which the script was last seen; null if it was not"""
    started_at: str
    """When it started"""
    expires_at: str
    """When it expires"""
    seen_at: Union[str, None]
    """When it was last seen; null if it was not"""

VerifySenderDomainRequest = dict[str, Any]

class Visitor_last_visit(TypedDict):
    """The last visit"""

    occurred_at: str
    """When it happened"""
    channel: str
    """Channel, for example paid_social"""
    origin: str
    """How the visit was recorded, for example web or conversation_referral"""
    platform: Union[str, None]
    """Ad platform, for example social_ads; null if it is none"""
    is_direct: bool
    """A visit without ad, campaign link or referrer"""
    campaign: Union["NamedEntity", None]
    """Campaign of the touch; null if it is not known"""
    ad_set: Union["NamedEntity", None]
    """Ad set of the touch; null if it is not known"""
    ad: Union["NamedEntity", None]
    """Ad of the touch; null if it is not known"""
    landing_path: Union[str, None]
    """Path of the first page; null if it is not known"""
    referrer_host: Union[str, None]
    """Host of the page that linked here; null if there is none"""

class Visitor(TypedDict):
    identifier_id: str
    """The device or account of the visitor"""
    customer_id: str
    """The customer it belongs to; equal to identifier_id if none is known"""
    is_identified: bool
    """True if the customer has more than a visitor id"""
    last_visit: "Visitor_last_visit"
    """The last visit"""

class VocabularyEntry(TypedDict):
    key: str
    """Key of the answer, unique in the profile"""
    label_en: str
    """Display label in English"""
    label_es: str
    """Display label in Spanish"""
    channels: list[Literal["organic_search", "organic_social", "email", "messaging", "referral", "affiliate", "campaign", "display", "paid_search", "paid_social", "paid_other", "direct"]]
    """The credited channels that the answer is compared with"""
    is_own: bool
    """True if the profile added this answer"""

WebhookEventType = Literal["connection.connected", "connection.reconnect_required", "connection.revoked", "channel.health.updated", "handoff.completed", "recompute.completed", "conversion.attributed", "conversion.credited", "export.completed", "export.failed", "data_export.completed", "data_export.failed", "profile.freshness.changed", "doctor.finding.opened", "doctor.finding.resolved", "alert.fired", "alert.recovered", "outcome.recorded", "leadgen.received", "message.received", "message.sent", "message.delivered", "message.failed", "order.status.changed", "catalog.updated"]

WebhookProvider = Literal["platform", "social_ads", "engine_ads", "engine_search_console", "engine_calendar", "external_calendar", "microsoft_ads", "crmsuite", "cardpay", "regionalpay", "storefront", "woocommerce", "hubspot", "linkedin_ads", "tiktok_ads", "cardgateway", "banklink", "chatbot", "chatapp", "photoapp", "pagechat", "mailbox", "shortvideo"]

class WebhookTestEvent_data(TypedDict):
    """Payload of the event"""

    profile_id: str
    """Id of the profile"""
    subscription_id: str
    """Id of the webhook subscription"""
    test: Literal[True]
    """Always true: marks a test"""

class WebhookTestEvent(TypedDict):
    id: str
    """The same as the header webhook-id"""
    type: Literal["webhook.test"]
    """Type of the event"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, or `platform` for events of the service itself"""
    app_id: NotRequired[str]
    """Id of the partner app that the event concerns"""
    connection_id: Union[str, None]
    """Id of the connection; null if there is none"""
    data: "WebhookTestEvent_data"
    """Payload of the event"""

class WhatIfMeta(TypedDict):
    """Context of the response"""

    profile_id: str
    """Id of the profile"""
    currency: str
    """ISO 4217 code of the currency"""
    date_from: str
    """First day of the range, YYYY-MM-DD, in the time zone of the profile"""
    date_to: str
    """Last day of the range, inclusive, YYYY-MM-DD"""
    model: str
    """Attribution model that splits the credit"""

class WhatIfReply_total_before(TypedDict):
    """The figures before the change"""

    outcome_count: int
    """Payments that the row has credit for"""
    outcome_credit: float
    """Sum of the shares of the row in payments, each from 0 to 1"""
    outcome_value: Union[float, None]
    """Credited cash, less refunds; null if an exchange rate is missing"""

class WhatIfReply_total_after(TypedDict):
    """The figures after the change"""

    outcome_count: int
    """Payments that the row has credit for"""
    outcome_credit: float
    """Sum of the shares of the row in payments, each from 0 to 1"""
    outcome_value: Union[float, None]
    """Credited cash, less refunds; null if an exchange rate is missing"""

class WhatIfReply_total(TypedDict):
    """Figures of the whole profile"""

    before: "WhatIfReply_total_before"
    """The figures before the change"""
    after: "WhatIfReply_total_after"
    """The figures after the change"""
    value_change: Union[float, None]
    """`after` minus `before`, in the reporting currency; null if one of them is not known"""

class WhatIfReply_campaigns_item_before(TypedDict):
    """The figures before the change"""

    outcome_count: int
    """Payments that the row has credit for"""
    outcome_credit: float
    """Sum of the shares of the row in payments, each from 0 to 1"""
    outcome_value: Union[float, None]
    """Credited cash, less refunds; null if an exchange rate is missing"""

class WhatIfReply_campaigns_item_after(TypedDict):
    """The figures after the change"""

    outcome_count: int
    """Payments that the row has credit for"""
    outcome_credit: float
    """Sum of the shares of the row in payments, each from 0 to 1"""
    outcome_value: Union[float, None]
    """Credited cash, less refunds; null if an exchange rate is missing"""

class WhatIfReply_campaigns_item(TypedDict):
    campaign: "NamedEntity"
    """Campaign whose credit changes"""
    before: "WhatIfReply_campaigns_item_before"
    """The figures before the change"""
    after: "WhatIfReply_campaigns_item_after"
    """The figures after the change"""
    value_change: Union[float, None]
    """`after` minus `before`, in the reporting currency; null if one of them is not known"""

class WhatIfReply_channels_item_before(TypedDict):
    """The figures before the change"""

    outcome_count: int
    """Payments that the row has credit for"""
    outcome_credit: float
    """Sum of the shares of the row in payments, each from 0 to 1"""
    outcome_value: Union[float, None]
    """Credited cash, less refunds; null if an exchange rate is missing"""

class WhatIfReply_channels_item_after(TypedDict):
    """The figures after the change"""

    outcome_count: int
    """Payments that the row has credit for"""
    outcome_credit: float
    """Sum of the shares of the row in payments, each from 0 to 1"""
    outcome_value: Union[float, None]
    """Credited cash, less refunds; null if an exchange rate is missing"""

class WhatIfReply_channels_item(TypedDict):
    channel: str
    """Channel, for example paid_social"""
    before: "WhatIfReply_channels_item_before"
    """The figures before the change"""
    after: "WhatIfReply_channels_item_after"
    """The figures after the change"""
    value_change: Union[float, None]
    """`after` minus `before`, in the reporting currency; null if one of them is not known"""

class WhatIfReply_no_campaign_before(TypedDict):
    """The figures before the change"""

    outcome_count: int
    """Payments that the row has credit for"""
    outcome_credit: float
    """Sum of the shares of the row in payments, each from 0 to 1"""
    outcome_value: Union[float, None]
    """Credited cash, less refunds; null if an exchange rate is missing"""

class WhatIfReply_no_campaign_after(TypedDict):
    """The figures after the change"""

    outcome_count: int
    """Payments that the row has credit for"""
    outcome_credit: float
    """Sum of the shares of the row in payments, each from 0 to 1"""
    outcome_value: Union[float, None]
    """Credited cash, less refunds; null if an exchange rate is missing"""

class WhatIfReply_no_campaign(TypedDict):
    """Credit without a campaign"""

    before: "WhatIfReply_no_campaign_before"
    """The figures before the change"""
    after: "WhatIfReply_no_campaign_after"
    """The figures after the change"""
    value_change: Union[float, None]
    """`after` minus `before`, in the reporting currency; null if one of them is not known"""

class WhatIfReply(TypedDict):
    total: "WhatIfReply_total"
    """Figures of the whole profile"""
    campaigns: list["WhatIfReply_campaigns_item"]
    """Changed campaigns, largest change first"""
    channels: list["WhatIfReply_channels_item"]
    """All channels with credit"""
    no_campaign: "WhatIfReply_no_campaign"
    """Credit without a campaign"""

class WithdrawDpaReply(TypedDict):
    status: Literal["not_accepted", "accepted", "withdrawn"]
    """Whether the data-processing agreement is signed"""
    version: Union[str, None]
    """Version of the agreement that was signed; null if none was"""
    accepted_at: Union[str, None]
    """When it was accepted; null until then"""
    withdrawn_at: Union[str, None]
    """When it was withdrawn; null if it was not"""
    app_id: str
    """Id of the partner app"""

WithdrawDpaRequest = dict[str, Any]

class Workspace(TypedDict):
    id: str
    """Id of the workspace"""
    name: str
    """Name of the workspace"""
    timezone: str
    """IANA time zone, for example Europe/Madrid"""
    plan: "Plan"
    role: Union[Literal["owner", "admin", "editor", "viewer"], None]
    """Null for a person with access to individual profiles only"""
    healthcare: bool
    """Profile with health data: stricter rules for people and exports"""
    created_at: str
    """When it was created"""
    archived_at: Union[str, None]
    """When it was archived; null if it is not"""

class WorkspaceMeta(TypedDict):
    """Context of the response"""

    workspace_id: str
    """Id of the workspace"""

class WorkspaceOrAppMeta(TypedDict):
    """Context of the response"""

    workspace_id: NotRequired[str]
    """Id of the workspace"""
    client_id: NotRequired[str]
    """Public id of the app"""

class WorkspaceTopPerformerRow_reason_codes_item(TypedDict):
    layer: Literal["delivery", "attention", "retention", "click_intent", "postclick_messaging", "attributed_revenue", "platform_diagnostics"]
    """Part of the score"""
    percentile: float
    """Mean probability that the ad’s rate is above that of another ad of the peer group; never 0 or 1"""
    sample_confidence: Literal["low", "medium", "high"]
    """How much of the percentile comes from the ad’s own data; not how clear the difference is"""
    polarity: Literal["strength", "weakness"]
    """Whether it is a positive or negative signal"""

class WorkspaceTopPerformerRow_layer_percentiles_item(TypedDict):
    layer: Literal["delivery", "attention", "retention", "click_intent", "postclick_messaging", "attributed_revenue", "platform_diagnostics"]
    """Part of the score"""
    percentile: float
    """Mean probability that the ad’s rate is above that of another ad of the peer group; never 0 or 1"""
    sample_confidence: Literal["low", "medium", "high"]
    """How much of the percentile comes from the ad’s own data; not how clear the difference is"""

class WorkspaceTopPerformerRow(TypedDict):
    ad_external_id: str
    """The platform’s id of the ad"""
    ad_name: Union[str, None]
    """Name of the ad; null if the platform has not reported it"""
    campaign_name: Union[str, None]
    """Name of the campaign; null if the platform has not reported it"""
    ad_set_name: Union[str, None]
    """Name of the ad set; null if the platform has not reported it"""
    creative_thumbnail_url: Union[str, None]
    """A copy of the image, served by this service; null if there is none"""
    video_id: Union[str, None]
    """The platform’s id of the video; null if the ad has none"""
    score_window: "ScoreWindowParam"
    """Days that the score covers"""
    composite_score: Union[float, None]
    """0 to 100 within the peer group; ads are ranked by it. Null if the ad is not scored"""
    top_performer_likelihood: "LearnedValue"
    """From 0.01 to 0.99 if `status` is `served`"""
    model_version: Union[int, None]
    """Version of the model; null if the score comes from rules"""
    score_source: Literal["model", "rules"]
    """Data that the score is based on"""
    maturity_stage: Literal["cold", "early", "mature", "calibrated"]
    """Maturity of the ad’s data"""
    evidence: Union[Literal["not_shown_enough", "no_difference", "differs"], None]
    """Whether the ad was shown enough for a comparison, and whether it differs from the median of its peer group with 90 % probability; null in older scores"""
    truth_grade: Literal["predicted", "attributed", "lift"]
    """lift: its campaign or ad set has a finished, positive lift study, or a positive geo study that passes its placebo tests (GET …/experiments)"""
    primary_outcome_kind: Literal["cash", "pipeline", "messaging", "meta", "none"]
    """Outcome type that the score is based on"""
    cohort_key: str
    """channel|format|objective|warmth|geo|placement; * for a part that is not compared"""
    cohort_objective: str
    """Objective of the peer group"""
    cohort_format: str
    """Format of the peer group"""
    cohort_audience_warmth: str
    """Audience of the peer group"""
    cohort_n_ads: int
    """Ads in the peer group"""
    hook_type: Union[str, None]
    """Type of the ad’s opening; null if it is not classified"""
    creative_format: Union[str, None]
    """Format of the ad; null if the platform does not report it"""
    cta_type: Union[str, None]
    """The platform’s call-to-action type; null if the ad has none"""
    primary_angle: Union[str, None]
    """Main argument of the ad; null if it is not classified"""
    offers: list[str]
    """Offers in the ad"""
    spend: float
    """Ad spend of the scored days, in the profile’s currency"""
    impressions: int
    """Impressions, as the platform reports them"""
    ctr: Union[float, None]
    """Clicks per 100 impressions; null without impressions"""
    cpc: Union[float, None]
    """Spend per click; null without clicks"""
    attributed_cash_outcomes: int
    """Payments that have credit"""
    attributed_revenue: float
    """Credited cash, less refunds"""
    roas: Union[float, None]
    """Return on ad spend: credited cash / spend; null without spend"""
    cac: Union[float, None]
    """Spend per payment; null without payments"""
    attributed_outcomes_total: int
    """Conversions of all types that have credit"""
    attributed_pipeline_outcomes: int
    """Leads and other non-cash outcomes that have credit"""
    attributed_pipeline_value: float
    """Value of the credited non-cash outcomes"""
    meta_reported_conversions: Union[float, None]
    """Conversions that the platform reports; null if it reports none"""
    meta_reported_conversion_value: Union[float, None]
    """Value of the conversions that the platform reports; null if it reports none"""
    cost_per_conversation: Union[float, None]
    """Spend per conversation started; null without conversations"""
    messaging_conversations_started: int
    """Conversations started, as the platform reports them"""
    first_reply_rate: Union[float, None]
    """Share, from 0 to 1, of the ad’s conversations that the business replied to; null if the platform reports no replies"""
    avg_engagement_score: Union[float, None]
    """Mean engagement score per day; null if it is not known"""
    hazard_30d_pause: "LearnedValue"
    """From 0.01 to 0.99 if `status` is `served`"""
    hazard_30d_degradation: "LearnedValue"
    """From 0.01 to 0.99 if `status` is `served`"""
    fatigue_risk_tier: "LearnedTier"
    """medium and high: clicks of the last week are at least 8 or 12 % below the number expected from the ad’s usual rate, beyond chance. low: no such decline was detected, which does not prove that there is none."""
    expected_lifespan_days: "LearnedValue"
    reason_codes: list["WorkspaceTopPerformerRow_reason_codes_item"]
    """Layers with a percentile below 0.4 or above 0.6, furthest from the median first; empty if the ad is average in all of them"""
    layer_percentiles: list["WorkspaceTopPerformerRow_layer_percentiles_item"]
    """All layers, also those close to the median"""
    profile_id: str
    """Id of the profile"""
    profile_name: str
    """Name of the profile"""
    currency: str
    """Currency of all amounts in the row"""

# Payloads of webhooks, distinguished by "type".
WebhookEvent = Union["ConnectionConnectedEvent", "ConnectionReconnectRequiredEvent", "ConnectionRevokedEvent", "ChannelHealthUpdatedEvent", "HandoffCompletedEvent", "RecomputeCompletedEvent", "ConversionAttributedEvent", "ConversionCreditedEvent", "ExportCompletedEvent", "ExportFailedEvent", "DataExportCompletedEvent", "DataExportFailedEvent", "ProfileFreshnessChangedEvent", "DoctorFindingOpenedEvent", "DoctorFindingResolvedEvent", "AlertFiredEvent", "AlertRecoveredEvent", "OutcomeRecordedEvent", "LeadgenReceivedEvent", "MessageReceivedEvent", "MessageSentEvent", "MessageDeliveredEvent", "MessageFailedEvent", "OrderStatusChangedEvent", "CatalogUpdatedEvent", "WebhookTestEvent"]
