/** Generated from the migrated database by `npm run generate`. */
import type { ColumnText, TableOf } from './column-types.ts'

/** Columns with their types as PostgreSQL names them; the marks are explained in `column-types.ts`. */
export const columnTypes = {
  account_links: {
    created_at: 'timestamptz', email: 'text', expires_at: 'timestamptz', id: 'uuid', purpose: 'text',
    token_hash: 'bytea', user_id: 'uuid',
  },
  ad_attention_days: {
    ad_id: 'uuid', day: 'date', link_clicks: 'int8 null', profile_id: 'uuid', quality_ranking: 'int2 null',
    thruplays: 'int8 null', video_p100: 'int8 null', video_p25: 'int8 null', video_p50: 'int8 null',
    video_p75: 'int8 null', video_views: 'int8 null',
  },
  ad_clicks: {
    ad_external_id: 'text null', ad_set_external_id: 'text null', campaign_external_id: 'text null',
    click_id: 'text', click_id_kind: 'text', connection_id: 'uuid', day: 'date', is_used: 'bool',
    profile_id: 'uuid',
  },
  ad_consents: {
    event_id: 'uuid', identifier_id: 'uuid', profile_id: 'uuid', purpose: 'text', source: 'text',
    state: 'text', stated_at: 'timestamptz',
  },
  ad_creatives: {
    ad_id: 'uuid', aspect_ratio_milli: 'int4 null', body: 'text null', card_count: 'int4 null',
    cta_type: 'text null', destination_url: 'text null', duration_ms: 'int8 null', format: 'text null',
    landing_host: 'text null', profile_id: 'uuid', thumbnail_url: 'text null', title: 'text null',
    updated_at: 'timestamptz', url_tags: 'text null', video_id: 'text null',
  },
  ad_delivery: {
    clicks: 'int8 null', currency: 'text', day: 'date', entity_id: 'uuid', impressions: 'int8 null',
    level: 'text', messaging_started_7d: 'int8 null', platform_conversions_milli: 'int8 null',
    platform_value_minor: 'int8 null', profile_id: 'uuid', reach: 'int8 null',
    report_platform_value_minor: 'int8 null', report_spend_minor: 'int8 null', source: 'text',
    spend_minor: 'int8', updated_at: 'timestamptz',
  },
  ad_entities: {
    ad_set_id: 'uuid null', campaign_id: 'uuid null', connection_id: 'uuid null', creative: 'jsonb null',
    currency: 'text null', daily_budget_minor: 'int8 null', external_id: 'text', id: 'uuid', level: 'text',
    lifetime_budget_minor: 'int8 null', name: 'text null', objective: 'text null', profile_id: 'uuid',
    source: 'text null', status: 'text null', updated_at: 'timestamptz', written_at: 'timestamptz null',
  },
  ad_entity_versions: {
    ad_set_id: 'uuid null', campaign_id: 'uuid null', connection_id: 'uuid null', currency: 'text null',
    daily_budget_minor: 'int8 null', entity_id: 'uuid', name: 'text null', objective: 'text null',
    profile_id: 'uuid', replaced_at: 'timestamptz', source: 'text null', status: 'text null',
  },
  ad_frequency_days: {
    ad_id: 'uuid', day: 'date', frequency_milli: 'int8', profile_id: 'uuid', reach: 'int8 null',
  },
  ad_paths: {
    ad_id: 'uuid null', ad_set_id: 'uuid null', campaign_id: 'uuid null', number: 'int4',
    platform: 'text null', profile_id: 'uuid', source: 'text null',
  },
  ad_people: { customer_id: 'uuid', profile_id: 'uuid', reached: 'jsonb' },
  ad_score_days: {
    ad_id: 'uuid', audience_warmth: 'text', channel: 'text', daily_budget_minor: 'int8 null', day: 'date',
    day_impressions: 'int8', day_link_clicks: 'int8', first_day: 'date null', format: 'text',
    frequency_milli: 'int8 null', geo: 'text', objective: 'text', placement: 'text', profile_id: 'uuid',
    settled_cash: 'int8', settled_messaging: 'int8', settled_pipeline: 'int8', settled_spend_minor: 'int8',
    status: 'text null',
  },
  ad_score_runs: {
    ads: 'int4', day: 'date', finished_at: 'timestamptz null', lags: 'jsonb', model: 'jsonb null',
    profile_id: 'uuid', result_hash: 'text null', started_at: 'timestamptz', state: 'text',
    steps_done: 'int4', steps_total: 'int4',
  },
  ad_score_windows: {
    active_days: 'int8', ad_id: 'uuid', cash_exposure_micro: 'int8', cash_outcomes: 'int8', clicks: 'int8',
    day: 'date', impressions: 'int8', link_clicks: 'int8', messaging_outcomes: 'int8',
    messaging_started: 'int8', outcomes: 'int8', pipeline_exposure_micro: 'int8', pipeline_minor: 'int8',
    pipeline_outcomes: 'int8', platform_conversions_milli: 'int8', platform_value_minor: 'int8',
    profile_id: 'uuid', ranked_days: 'int8', ranking_points: 'int8', revenue_minor: 'int8',
    score_window: 'text', spend_minor: 'int8', thruplays: 'int8', video_impressions: 'int8',
    video_views: 'int8',
  },
  ad_scores: {
    above_median: 'float8 null', ad_id: 'uuid', composite_score: 'float8 null', day: 'date', facts: 'jsonb',
    fatigue: 'text', format: 'text', has_video: 'bool', maturity_stage: 'text', objective: 'text',
    posterior_rate: 'float8 null', posterior_shape: 'float8 null', primary_outcome_kind: 'text',
    profile_id: 'uuid', score_window: 'text', spend_minor: 'int8', truth_grade: 'text',
  },
  ad_targetings: {
    audience_warmth: 'text null', entity_id: 'uuid', geo: 'text null', placement: 'text null',
    profile_id: 'uuid', updated_at: 'timestamptz',
  },
  ad_thumbnails: {
    ad_id: 'uuid', bytes: 'bytea null', content_type: 'text null', fetched_at: 'timestamptz',
    profile_id: 'uuid', source_hash: 'text',
  },
  alert_events: {
    batch_id: 'uuid', created_at: 'timestamptz', day: 'date', figure: 'jsonb', id: 'uuid', is_muted: 'bool',
    kind: 'text', profile_id: 'uuid', rule: 'jsonb', rule_id: 'uuid',
  },
  alert_rules: {
    authorization_id: 'uuid null', calm_days: 'int2 default', campaign_id: 'uuid null', check_id: 'text null',
    comparison: 'text null', created_at: 'timestamptz', direction: 'text null', enabled: 'bool default',
    evaluated_through: 'date null', figure: 'jsonb null', fired_on: 'date null', held: 'text null',
    id: 'uuid', kind: 'text', metric: 'text null', min_conversions: 'int4 null',
    muted_until: 'timestamptz null', name: 'text', profile_id: 'uuid', state: 'text default',
    threshold: 'int8 null', updated_at: 'timestamptz', window_days: 'int2 null',
  },
  annotations: {
    created_at: 'timestamptz', day: 'date', id: 'uuid', profile_id: 'uuid', text: 'text',
    updated_at: 'timestamptz',
  },
  api_usage: { credential_id: 'uuid', day: 'date', errors: 'int8', requests: 'int8', route: 'text' },
  app_authorizations: {
    allows_adoption: 'bool default', app_id: 'uuid', created_at: 'timestamptz', grant_name: 'text',
    id: 'uuid', profile_id: 'uuid', revoked_at: 'timestamptz null', scopes: '_text', user_id: 'uuid null',
    withdrawn_by_user_id: 'uuid null',
  },
  app_dpa_acceptances: {
    accepted_at: 'timestamptz', accepted_by_user_id: 'uuid', app_id: 'uuid', version: 'text',
    withdrawn_at: 'timestamptz null', workspace_id: 'uuid',
  },
  appointments: {
    booked_at: 'timestamptz', calendar_id: 'text null', cancelled_at: 'timestamptz null',
    check_at: 'timestamptz null', connection_id: 'uuid', ends_at: 'timestamptz null', external_id: 'text',
    identifier_id: 'uuid', profile_id: 'uuid', provider: 'text', reported: '_text default',
    seen_at: 'timestamptz', starts_at: 'timestamptz', state: 'text',
  },
  apps: {
    allowed_return_origins: '_text', allowed_scopes: '_text', client_id: 'text', created_at: 'timestamptz',
    dpa_accepted: 'bool default', id: 'uuid', logo_url: 'text null', name: 'text', redirect_uris: '_text',
    updated_at: 'timestamptz', workspace_id: 'uuid',
  },
  attribution_settings: {
    applied_first_touch_lookback_days: 'int4 null', applied_half_life_days: 'int4 null',
    applied_lookback_days: 'int4 null', first_touch_lookback_days: 'int4', grace_hours: 'int4 null',
    half_life_days: 'int4', longest_grace_hours: 'int4 null', lookback_days: 'int4', profile_id: 'uuid',
    updated_at: 'timestamptz',
  },
  attribution_state: {
    computed_through: 'timestamptz null', freshness: 'text', profile_id: 'uuid', updated_at: 'timestamptz',
  },
  audience_exclusions: {
    added_at: 'timestamptz', customer_id: 'uuid null', id: 'uuid', person_hash: 'bytea null',
    profile_id: 'uuid', reason: 'text null',
  },
  audience_lists: {
    authorization_id: 'uuid null', connection_id: 'uuid', created_at: 'timestamptz',
    ended_at: 'timestamptz null', external_id: 'text', from_filter: 'bool default', id: 'uuid',
    name: 'text null', profile_id: 'uuid',
  },
  audience_members: { added_at: 'timestamptz', identifier_id: 'uuid', list_id: 'uuid', profile_id: 'uuid' },
  audience_removals: {
    attempts: 'int4', created_at: 'timestamptz', id: 'uuid', list_id: 'uuid', members: 'bytea',
    profile_id: 'uuid',
  },
  audience_runs: {
    created_at: 'timestamptz', id: 'uuid', list_id: 'uuid', operation: 'text', profile_id: 'uuid',
    provider_request_id: 'text null', received: 'int8', removed: 'int8', sent: 'int8',
  },
  audit_log: {
    action: 'text', actor_id: 'uuid null', actor_kind: 'text', detail: 'jsonb', id: 'uuid',
    occurred_at: 'timestamptz', profile_id: 'uuid null', request_id: 'text null', subject: 'text null',
    workspace_id: 'uuid',
  },
  bank_links: {
    apps: 'jsonb', claim_id: 'uuid null', claimed_until: 'timestamptz null', connection_id: 'uuid null',
    finished_at: 'timestamptz null', profile_id: 'uuid', refusal: 'text null', started_at: 'timestamptz',
    token_hash: 'bytea',
  },
  brief_deliveries: {
    created_at: 'timestamptz', date_from: 'date null', date_to: 'date null', id: 'uuid', occasion: 'text',
    profile_id: 'uuid', reason: 'text null', receiver_id: 'uuid', sent_at: 'timestamptz null', status: 'text',
  },
  brief_receivers: {
    alerts: 'bool default', cadence: 'text', created_at: 'timestamptz', created_by: 'uuid', host: 'text null',
    id: 'uuid', kind: 'text', language: 'text', last_error: 'text null', last_sent_at: 'timestamptz null',
    name: 'text null', next_run_at: 'timestamptz null', profile_id: 'uuid', time: 'text', url: 'bytea null',
    user_id: 'uuid null', weekday: 'int2',
  },
  calendars: {
    connection_id: 'uuid', created_at: 'timestamptz', external_id: 'text', is_managed: 'bool default',
    is_primary: 'bool', name: 'text', profile_id: 'uuid', read_at: 'timestamptz null',
    sync_token: 'text null', timezone: 'text null', whole_read_at: 'timestamptz null',
  },
  campaign_settings_days: {
    currency: 'text null', daily_budget_minor: 'int8 null', day: 'date', entity_id: 'uuid',
    profile_id: 'uuid', status: 'text null',
  },
  campaign_settings_seen: {
    daily_budget_minor: 'int8 null', entity_id: 'uuid', lifetime_budget_minor: 'int8 null',
    profile_id: 'uuid', since: 'timestamptz', status: 'text null',
  },
  channel_overrides: {
    channel: 'text', kind: 'text', position: 'int4', profile_id: 'uuid', updated_at: 'timestamptz',
    value: 'text',
  },
  chat_accounts: {
    account_id: 'text', connection_id: 'uuid', name: 'text', profile_id: 'uuid', synced_at: 'timestamptz',
  },
  chat_codes: {
    code_hash: 'bytea', conversation_id: 'uuid null', created_at: 'timestamptz', event_id: 'uuid null',
    page_path: 'text null', profile_id: 'uuid', repeats: 'int4 default', short_link_id: 'uuid null',
    used_at: 'timestamptz null', visitor_identifier_id: 'uuid null',
  },
  chat_templates: {
    account_id: 'text', category: 'text null', language: 'text', name: 'text', profile_id: 'uuid',
    status: 'text null', template_id: 'text', updated_at: 'timestamptz',
  },
  client_report_mails: {
    id: 'uuid', profile_id: 'uuid', reason: 'text null', recipient: 'text', report_id: 'uuid',
    sent_at: 'timestamptz null', status: 'text',
  },
  client_reports: {
    approved_by: 'uuid null', batch_id: 'uuid', content: 'bytea null', created_at: 'timestamptz',
    created_by: 'uuid null', date_from: 'date', date_to: 'date', detail: 'text null', format: 'text',
    headline: 'jsonb null', id: 'uuid', language: 'text', model: 'text', needs_approval: 'bool',
    period: 'text', profile_id: 'uuid', ready_at: 'timestamptz null', reason: 'text null',
    result_hash: 'text null', scheduled_for: 'timestamptz null', sends: 'bool', sent_at: 'timestamptz null',
    status: 'text',
  },
  compacted_event_months: { compacted_at: 'timestamptz', month: 'date' },
  connection_accounts: {
    claim_key: 'text', connection_id: 'uuid', created_at: 'timestamptz', external_id: 'text',
    profile_id: 'uuid', provider: 'text', workspace_id: 'uuid',
  },
  connection_grants: {
    app_id: 'uuid', authorization_id: 'uuid null', connection_id: 'uuid', granted_at: 'timestamptz',
    profile_id: 'uuid', revoked_at: 'timestamptz null',
  },
  connection_pages: {
    category: 'text null', connection_id: 'uuid', created_at: 'timestamptz', name: 'text', page_id: 'text',
    profile_id: 'uuid',
  },
  connection_syncs: {
    began_at: 'timestamptz null', complete_until: 'timestamptz null', connection_id: 'uuid',
    cursor: 'text null', first_success_at: 'timestamptz null', last_attempt_at: 'timestamptz null',
    last_error: 'text null', last_success_at: 'timestamptz null', next_run_at: 'timestamptz null',
    pages: 'int4', profile_id: 'uuid', progress_done: 'int8 null', progress_total: 'int8 null',
    progress_unit: 'text null', since_day: 'date null', state: 'text', until_day: 'date null',
    updated_at: 'timestamptz',
  },
  connections: {
    authorization_id: 'uuid null', authorized_at: 'timestamptz', consent_ends_at: 'timestamptz null',
    created_at: 'timestamptz', currency: 'text null', dataset_id: 'text null', display_name: 'text',
    external_id: 'text', id: 'uuid', made_by_credential_id: 'uuid null', made_by_user_id: 'uuid null',
    pages_version: 'int4 default', parent_id: 'uuid null', profile_id: 'uuid', provider: 'text',
    provider_subtype: 'text null', refresh_lease_id: 'uuid null', refresh_lease_until: 'timestamptz null',
    scopes: '_text', status: 'text', status_reason: 'text null', timezone: 'text null', token: 'bytea null',
    token_expires_at: 'timestamptz null', token_issued_at: 'timestamptz null',
    token_refresh_at: 'timestamptz null', token_version: 'int4', updated_at: 'timestamptz',
  },
  consent_daily: {
    day: 'date', events: 'int8', profile_id: 'uuid', purpose: 'text', sessions: 'int8', source: 'text',
    state: 'text',
  },
  conversation_messages: {
    ad_id: 'text null', conversation_id: 'uuid', id: 'uuid', kind: 'text', occurred_at: 'timestamptz',
    profile_id: 'uuid',
  },
  conversation_replies: {
    connection_id: 'uuid', conversation_id: 'uuid', created_at: 'timestamptz', human_agent: 'bool',
    id: 'uuid', kind: 'text', profile_id: 'uuid', provider_key: 'uuid null', reason: 'text null',
    request_hash: 'text null', request_key: 'uuid null', settled_at: 'timestamptz null', status: 'text',
    template_language: 'text null', template_name: 'text null',
  },
  conversations: {
    account_id: 'text null', channel: 'text', connection_id: 'uuid null', external_id: 'text',
    first_message_id: 'uuid null', first_reply_at: 'timestamptz null', id: 'uuid', identifier_id: 'uuid null',
    last_message_at: 'timestamptz null', lead_event_id: 'uuid null', messages: 'int8 default',
    number_id: 'text null', profile_id: 'uuid', referral: 'jsonb null', started_at: 'timestamptz',
    started_event_id: 'uuid null',
  },
  conversion_daily: {
    conversions: 'int8', day: 'date', fx_missing: 'int8', outcome_type: 'text', profile_id: 'uuid',
    revenue_type: 'text', value_minor: 'int8',
  },
  conversion_exports: {
    adjustment: 'text default', adjustment_no: 'int4 default', attempts: 'int4 default',
    consent: 'jsonb null', conversion_id: 'uuid', created_at: 'timestamptz', currency: 'text null',
    destination_id: 'uuid', detail: 'text null', event_id: 'uuid', event_id_source: 'text null',
    event_name: 'text null', first_tried_at: 'timestamptz null', goal_id: 'uuid null', id: 'uuid',
    payload_hash: 'bytea null', profile_id: 'uuid', reason: 'text null', request_id: 'uuid null',
    run_id: 'uuid null', settled_at: 'timestamptz null', status: 'text', value_minor: 'int8 null',
  },
  conversions: {
    attribution_eligible: 'bool', currency: 'text null', day: 'date', duplicate_of: 'uuid null',
    event_id: 'uuid', external_id: 'text null', goal_id: 'uuid', id: 'uuid', identifier_id: 'uuid',
    occurred_at: 'timestamptz', outcome_type: 'text', profile_id: 'uuid', provider: 'text null',
    recorded_at: 'timestamptz', report_value_minor: 'int8 null', revenue_type: 'text',
    unconfirmed: 'bool default', value_minor: 'int8 null',
  },
  credentials: {
    app_id: 'uuid null', authorization_id: 'uuid null', created_at: 'timestamptz', detail: 'jsonb null',
    expires_at: 'timestamptz null', grant_name: 'text null', hint: 'text', id: 'uuid', kind: 'text',
    lookup_hash: 'bytea', made_by_user_id: 'uuid null', name: 'text null', profile_id: 'uuid null',
    revoked_at: 'timestamptz null', scopes: '_text default', user_id: 'uuid null', workspace_id: 'uuid null',
  },
  credit_daily: {
    day: 'date', entity_id: 'uuid', first_touch_count: 'int8', first_touch_minor: 'int8',
    last_non_direct_count: 'int8', last_non_direct_minor: 'int8', last_touch_count: 'int8',
    last_touch_minor: 'int8', level: 'text', linear_count: 'int8', linear_minor: 'int8',
    linear_share_high: 'int8 default', linear_share_low: 'int8 default', outcome_type: 'text',
    profile_id: 'uuid', revenue_type: 'text', time_decay_count: 'int8', time_decay_minor: 'int8',
    time_decay_share_high: 'int8 default', time_decay_share_low: 'int8 default',
  },
  credit_spans: {
    entity_id: 'uuid', first_touch_count: 'int8', first_touch_minor: 'int8', last_non_direct_count: 'int8',
    last_non_direct_minor: 'int8', last_touch_count: 'int8', last_touch_minor: 'int8', level: 'text',
    linear_count: 'int8', linear_minor: 'int8', linear_share_high: 'int8 default',
    linear_share_low: 'int8 default', outcome_type: 'text', profile_id: 'uuid', revenue_type: 'text',
    span: 'int2', start: 'date', time_decay_count: 'int8', time_decay_minor: 'int8',
    time_decay_share_high: 'int8 default', time_decay_share_low: 'int8 default',
  },
  credits: { conversion_id: 'uuid', packed: 'bytea', profile_id: 'uuid' },
  customer_data_export_parts: {
    export_id: 'uuid', id: 'uuid', part: 'int4', profile_id: 'uuid', sealed: 'bytea',
  },
  customer_data_exports: {
    bytes: 'int8 null', code_expires_at: 'timestamptz null', code_hash: 'bytea null',
    code_tries: 'int2 default', codes_sent: 'int2 default', confirmed_at: 'timestamptz null',
    created_at: 'timestamptz', created_by_id: 'uuid null', created_by_kind: 'text', customer_id: 'uuid null',
    downloads: 'int4 default', due_on: 'date', expires_at: 'timestamptz', id: 'uuid',
    identity_method: 'text null', identity_note: 'text null', law: 'text', profile_id: 'uuid',
    ready_at: 'timestamptz null', requested_on: 'date', sections: 'jsonb default', selector_hash: 'bytea',
    sha256: 'text null', status: 'text',
  },
  customer_merges: {
    from_customer_id: 'uuid', id: 'uuid', into_customer_id: 'uuid', merged_at: 'timestamptz',
    merged_by: 'uuid null', profile_id: 'uuid', undone_at: 'timestamptz null', undone_by: 'uuid null',
  },
  customer_names: { identifier_id: 'uuid', profile_id: 'uuid', tokens: '_int8' },
  data_driven_history: {
    computed_at: 'timestamptz', learned_from: 'date', learned_to: 'date', paths_hash: 'text',
    profile_id: 'uuid', result: 'jsonb', version: 'int4',
  },
  data_driven_models: {
    computed_at: 'timestamptz', learned_from: 'date', learned_to: 'date', paths: 'jsonb', paths_hash: 'text',
    profile_id: 'uuid', result: 'jsonb', version: 'int4',
  },
  data_export_destinations: {
    created_at: 'timestamptz', enabled: 'bool', erasures_seen: 'int4 null', failures: 'int4 default',
    id: 'uuid', include_identifiers: 'bool', kind: 'text', made_by_credential_id: 'uuid null',
    made_by_user_id: 'uuid null', name: 'text', next_run_at: 'timestamptz null',
    next_try_at: 'timestamptz null', profile_id: 'uuid', schedule: 'text', secret: 'bytea null',
    tables: '_text', target: 'jsonb', updated_at: 'timestamptz', written_state: 'text null',
  },
  data_export_files: {
    bytes: 'int8', created_at: 'timestamptz', day: 'date null', destination_id: 'uuid', fingerprint: 'text',
    path: 'text', profile_id: 'uuid', replaced_at: 'timestamptz null', rows: 'int8', sha256: 'text',
    state: 'text', sums: 'jsonb', table_name: 'text',
  },
  data_export_runs: {
    attempt_id: 'uuid null', created_at: 'timestamptz', destination_id: 'uuid', erasures: 'int4 default',
    error: 'text null', finished_at: 'timestamptz null', id: 'uuid', is_full: 'bool', profile_id: 'uuid',
    started_at: 'timestamptz null', status: 'text', tables: 'jsonb',
  },
  declared_answers: {
    answer_key: 'text', answer_text: 'text null', asked_at: 'timestamptz', created_at: 'timestamptz',
    id: 'uuid', identifier_id: 'uuid null', order_ref: 'uuid null', profile_id: 'uuid', source: 'text',
  },
  declared_vocabulary: {
    channels: '_text default', key: 'text', label_en: 'text', label_es: 'text', position: 'int4',
    profile_id: 'uuid',
  },
  delivery_daily: {
    clicks: 'int8 null', day: 'date', entity_id: 'uuid', fx_missing: 'int8', impressions: 'int8 null',
    level: 'text', messaging_started_7d: 'int8 null', platform_conversions_milli: 'int8 null',
    platform_value_minor: 'int8 null', profile_id: 'uuid', reach: 'int8 null', source: 'text',
    spend_minor: 'int8',
  },
  delivery_spans: {
    clicks: 'int8 null', entity_id: 'uuid', fx_missing: 'int8', impressions: 'int8 null', level: 'text',
    messaging_started_7d: 'int8 null', platform_conversions_milli: 'int8 null',
    platform_value_minor: 'int8 null', profile_id: 'uuid', reach: 'int8 null', source: 'text', span: 'int2',
    spend_minor: 'int8', start: 'date',
  },
  doctor_checks: {
    affected: 'int8', check_id: 'text', checked_at: 'timestamptz', examples: 'jsonb',
    opened_at: 'timestamptz null', profile_id: 'uuid', since: 'date null', status: 'text',
    value_minor: 'int8 null',
  },
  entered_rates: {
    currency: 'text', day: 'date', profile_id: 'uuid', rate: 'numeric', target: 'text',
    updated_at: 'timestamptz',
  },
  erased_customers: { erased_at: 'timestamptz', id: 'uuid', profile_id: 'uuid' },
  erasures: {
    completed_at: 'timestamptz null', conversions: 'int8', customer_id: 'uuid null', erased_as: 'uuid',
    events: 'int8', id: 'uuid', identifier_ids: '_uuid null', identifiers: 'int8', payments: 'int8',
    profile_id: 'uuid', requested_at: 'timestamptz', selector_hash: 'bytea', state: 'text',
    swept_at: 'timestamptz null', swept_id: 'uuid null', touches: 'int8',
  },
  event_agents: {
    cookies: 'jsonb null', event_id: 'uuid', ip: 'text null', kept_at: 'timestamptz', profile_id: 'uuid',
    user_agent: 'text',
  },
  event_keys: {
    content_hash: 'bytea', erased_as: 'uuid null', event_id: 'uuid', occurred_at: 'timestamptz',
    profile_id: 'uuid', retracted_at: 'timestamptz null',
  },
  event_quarantine: {
    detail: 'text null', dropped_at: 'timestamptz null', event_id: 'uuid', profile_id: 'uuid', reason: 'text',
    set_aside_at: 'timestamptz',
  },
  event_queue: {
    cause: 'text null', event_ids: '_uuid', event_times: '_timestamptz', id: 'uuid', is_update: 'bool',
    profile_id: 'uuid',
  },
  events: {
    anonymous_id: 'text null', body: 'jsonb', external_id: 'text null', id: 'uuid', is_bot: 'bool default',
    name: 'text', occurred_at: 'timestamptz', profile_id: 'uuid', provider: 'text null',
    received_at: 'timestamptz', session_id: 'text null', source: 'text',
  },
  excluded_daily: { day: 'date', page_views: 'int8', profile_id: 'uuid', reason: 'text' },
  experiments: {
    canceled_at: 'timestamptz null', cells: 'jsonb', connection_id: 'uuid null', decision: 'jsonb null',
    design: 'jsonb null', ends_at: 'timestamptz null', external_id: 'text', id: 'uuid', kind: 'text',
    name: 'text', observation_ends_at: 'timestamptz null', own_reading: 'jsonb null',
    platform_reading: 'jsonb null', profile_id: 'uuid', provider: 'text', starts_at: 'timestamptz null',
    updated_at: 'timestamptz',
  },
  export_destinations: {
    access_token: 'bytea null', authorization_id: 'uuid null', connection_id: 'uuid null',
    created_at: 'timestamptz', data_source: 'text null', destination_key: 'text', display_name: 'text',
    enabled: 'bool', enabled_at: 'timestamptz', event_id_source: 'text default', event_map: 'jsonb',
    id: 'uuid', is_owner_decision: 'bool default', kind: 'text', made_by_credential_id: 'uuid null',
    made_by_user_id: 'uuid null', profile_id: 'uuid', retries: 'int4', retry_at: 'timestamptz null',
    status_reason: 'text null', target_id: 'text', test_event_code: 'text null', updated_at: 'timestamptz',
  },
  export_requests: {
    checked_at: 'timestamptz null', counts: 'jsonb', created_at: 'timestamptz', destination_id: 'uuid',
    events: 'int8', id: 'uuid', polls: 'int4', profile_id: 'uuid', provider_request_id: 'text null',
    row_ids: '_uuid null', run_id: 'uuid', settled_at: 'timestamptz null', status: 'text null',
    target_id: 'text',
  },
  export_runs: {
    destination_id: 'uuid', failed: 'int8', finished_at: 'timestamptz null', id: 'uuid', profile_id: 'uuid',
    reason: 'text null', sent: 'int8', skipped: 'int8', started_at: 'timestamptz', status: 'text',
  },
  export_settings: {
    agreement_signed_at: 'timestamptz null', agreement_signed_by: 'text null', clean_dataset_id: 'text null',
    conversions: 'jsonb null', healthcare_allowlist: '_text', partner_customer_list: 'bool',
    profile_id: 'uuid', target: 'text', updated_at: 'timestamptz',
  },
  fx_rates: { base: 'text', currency: 'text', day: 'date', rate: 'numeric' },
  goal_targets: {
    goal_id: 'uuid', metric: 'text', period: 'text', profile_id: 'uuid', target: 'int8',
    updated_at: 'timestamptz',
  },
  goals: {
    attribution_eligible: 'bool', conversion_key: 'text', created_at: 'timestamptz', display_name: 'text',
    first_attributed_at: 'timestamptz null', first_attributed_conversion_id: 'uuid null', id: 'uuid',
    outcome_type: 'text', profile_id: 'uuid', revenue_type: 'text', source_event_names: '_text',
  },
  handoffs: {
    claim_attempts: '_text default', claim_id: 'uuid null', claim_until: 'timestamptz null',
    completed_at: 'timestamptz null', created_at: 'timestamptz', deposit: 'bytea null', detail: 'jsonb null',
    expires_at: 'timestamptz', governing_app_id: 'uuid null', id: 'uuid', kind: 'text',
    last_attempt_at: 'timestamptz null', last_attempt_reason: 'text null', minted_app_id: 'uuid null',
    minted_authorization_id: 'uuid null', profile_id: 'uuid null', provider: 'text null',
    result: 'jsonb null', return_url: 'text null', shop: 'text null', status: 'text', workspace_id: 'uuid',
  },
  held_daily: {
    day: 'date', first_touch_count: 'int8', first_touch_minor: 'int8', holder: 'text',
    last_non_direct_count: 'int8', last_non_direct_minor: 'int8', last_touch_count: 'int8',
    last_touch_minor: 'int8', level: 'text', linear_count: 'int8', linear_minor: 'int8',
    linear_share_high: 'int8', linear_share_low: 'int8', outcome_type: 'text', profile_id: 'uuid',
    revenue_type: 'text', time_decay_count: 'int8', time_decay_minor: 'int8', time_decay_share_high: 'int8',
    time_decay_share_low: 'int8',
  },
  idempotency_keys: {
    body: 'bytea null', created_at: 'timestamptz', expires_at: 'timestamptz', fingerprint: 'bytea',
    key: 'text', method: 'text', path: 'text', scope: 'text', sealed: 'bool', status: 'int4',
  },
  identifiers: { customer_id: 'uuid', id: 'uuid', kind: 'int2', profile_id: 'uuid' },
  identity_links: {
    by_token: 'bool default', event_id: 'uuid', observed_at: 'timestamptz', profile_id: 'uuid',
    strong_id: 'uuid', weak_id: 'uuid',
  },
  identity_traits: {
    event_id: 'uuid', identifier_id: 'uuid', observed_at: 'timestamptz', profile_id: 'uuid', trait: 'text',
    value: 'text',
  },
  invitations: {
    accepted_at: 'timestamptz null', created_at: 'timestamptz', email: 'text', email_lower: 'text',
    expires_at: 'timestamptz', id: 'uuid', invited_by_user_id: 'uuid null', link_hash: 'bytea null',
    permissions: '_text default', profile_id: 'uuid null', revoked_at: 'timestamptz null', role: 'text',
    token_hash: 'bytea', workspace_id: 'uuid',
  },
  job_schedules: { name: 'text', next_run_at: 'timestamptz', rule: 'text' },
  jobs: {
    attempts: 'int4 default', created_at: 'timestamptz', dedupe_key: 'text null', died_at: 'timestamptz null',
    id: 'uuid', lane: 'int2', last_error: 'text null', lease_id: 'uuid null', lease_until: 'timestamptz null',
    max_attempts: 'int4', name: 'text', payload: 'jsonb', profile_id: 'uuid', run_at: 'timestamptz',
    state: 'text',
  },
  key_copies: {
    app_id: 'uuid null', authorization_id: 'uuid null', created_at: 'timestamptz',
    expires_at: 'timestamptz null', grant_name: 'text null', id: 'uuid', kind: 'text', lookup_hash: 'bytea',
    profile_id: 'uuid', revoked_at: 'timestamptz null', scopes: '_text', user_id: 'uuid null',
    workspace_id: 'uuid null',
  },
  key_holders: { id: 'uuid', key_ids: '_text', seen_at: 'timestamptz', started_at: 'timestamptz' },
  last_backup: { finished_at: 'timestamptz', id: 'int2', rows: 'int8' },
  link_decisions: {
    decided_at: 'timestamptz', decided_by: 'uuid null', decision: 'text', profile_id: 'uuid',
    strong_id: 'uuid', weak_id: 'uuid',
  },
  live_links: {
    created_at: 'timestamptz', created_by: 'uuid', expires_at: 'timestamptz', for_healthcare: 'bool default',
    id: 'uuid', language: 'text', last_viewed_at: 'timestamptz null', model: 'text', name: 'text',
    password_hash: 'text null', period: 'text', profile_id: 'uuid', reports: '_text',
    revoked_at: 'timestamptz null', views: 'int8 default',
  },
  mail_messages: {
    connection_id: 'uuid', created_at: 'timestamptz', id: 'uuid', profile_id: 'uuid', reason: 'text null',
    recipients: 'int4', request_hash: 'text', request_key: 'uuid null', settled_at: 'timestamptz null',
    status: 'text',
  },
  manual_stores: {
    created_at: 'timestamptz', id: 'uuid', profile_id: 'uuid', shop: 'text', signing_id: 'bytea null',
    updated_at: 'timestamptz',
  },
  mcp_settings: {
    allowed_tools: '_text null', budget_step_percent: 'int4', enabled: 'bool', max_rows: 'int4',
    pii_mode: 'text', require_confirmation: 'bool', updated_at: 'timestamptz', updated_by: 'uuid null',
    workspace_id: 'uuid', writeback_enabled: 'bool',
  },
  mcp_writeback_audits: {
    after: 'jsonb null', arguments: 'jsonb', arguments_digest: 'bytea', before: 'jsonb null',
    client_id: 'text null', client_name: 'text null', confirmation: 'text', confirmed_at: 'timestamptz null',
    credential_id: 'uuid', error_code: 'text null', expires_at: 'timestamptz null', id: 'uuid',
    idempotency_key: 'text null', mode: 'text', occurred_at: 'timestamptz', outcome: 'text',
    profile_id: 'uuid', request_id: 'text null', tool: 'text', user_id: 'uuid null', workspace_id: 'uuid',
  },
  merge_proposals: {
    contradictions: '_text default', created_at: 'timestamptz', decided_at: 'timestamptz null',
    decided_by: 'uuid null', first_id: 'uuid', id: 'uuid', merge_id: 'uuid null', profile_id: 'uuid',
    score: 'int4', second_id: 'uuid', shared_kinds: '_int2', sides_at_merge: 'jsonb null',
    snoozed_until: 'timestamptz null', status: 'text',
  },
  notification_reads: { profile_id: 'uuid', read_through: 'timestamptz', user_id: 'uuid' },
  oauth_clients: {
    client_id: 'text', created_at: 'timestamptz', id: 'uuid', name: 'text', redirect_uris: '_text',
  },
  operator_log: {
    action: 'text', id: 'uuid', kind: 'text', occurred_at: 'timestamptz', profile_id: 'uuid null',
    reason: 'text null', request_id: 'text null', subject: 'text', user_id: 'uuid null',
  },
  order_events: {
    duplicate_of: 'uuid null', event_id: 'uuid', occurred_at: 'timestamptz', order_ref: 'uuid',
    profile_id: 'uuid', revenue_type: 'text', source: 'text', source_rank: 'int2',
  },
  outbox_counters: { last_number: 'int8', profile_id: 'uuid' },
  outbox_events: {
    app_id: 'uuid null', connection_id: 'uuid null', customer_id: 'uuid null', data: 'jsonb',
    delivered_at: 'timestamptz null', id: 'text', number: 'int8', occurred_at: 'timestamptz',
    profile_id: 'uuid', provider: 'text', recorded_at: 'timestamptz', type: 'text',
  },
  pacing_targets: {
    budget_minor: 'int8', month: 'date', profile_id: 'uuid', provider: 'text', updated_at: 'timestamptz',
  },
  paid_touch_daily: { day: 'date', named_ad: 'bool', platform: 'text', profile_id: 'uuid', touches: 'int8' },
  payment_marks: {
    is_installment: 'bool', payer_identifier_id: 'uuid null', payment_id: 'uuid', profile_id: 'uuid',
  },
  payments: {
    currency: 'text', event_id: 'uuid', external_id: 'text null', from_events: 'bool', id: 'uuid',
    identifier_id: 'uuid', is_first_balance: 'bool default', is_first_payment: 'bool', is_installment: 'bool',
    occurred_at: 'timestamptz', order_id: 'text null', payer_identifier_id: 'uuid null', profile_id: 'uuid',
    provider: 'text', recorded_at: 'timestamptz', status: 'text', subject_ref: 'text null',
    value_minor: 'int8',
  },
  pending_selections: {
    candidate_id: 'text null', candidates: 'jsonb', connection_id: 'uuid null', created_at: 'timestamptz',
    expires_at: 'timestamptz', finalized_at: 'timestamptz null', id: 'uuid', profile_id: 'uuid',
    provider: 'text', token: 'bytea null',
  },
  performer_snapshots: {
    captured_at: 'timestamptz', content: 'jsonb', expires_at: 'timestamptz', id: 'uuid',
    made_by_user_id: 'uuid null', name: 'text', password_hash: 'text null', profile_ids: '_uuid',
    result_hash: 'text', revoked_at: 'timestamptz null', score_window: 'text', views: 'int8 default',
    workspace_id: 'uuid',
  },
  phone_repair_events: { event_id: 'uuid', profile_id: 'uuid', repair_id: 'uuid' },
  phone_repairs: {
    created_at: 'timestamptz', created_by: 'uuid null', events: 'int4', finished_at: 'timestamptz null',
    id: 'uuid', include_unresolved: 'bool', profile_id: 'uuid', status: 'text',
  },
  pii_access_log: {
    actor_id: 'uuid null', actor_kind: 'text', customer_ids: '_uuid', id: 'uuid', occurred_at: 'timestamptz',
    profile_id: 'uuid', request_id: 'text null', route: 'text', row_count: 'int4', workspace_id: 'uuid',
  },
  platform_daily: {
    conversions: 'int8', day: 'date', level: 'text', outcome_type: 'text', platform: 'text',
    profile_id: 'uuid', revenue_type: 'text',
  },
  profile_entitlements: { enabled: 'bool', feature: 'text', profile_id: 'uuid', updated_at: 'timestamptz' },
  profile_locks: { profile_id: 'uuid' },
  profile_members: {
    by_email: 'bool default', created_at: 'timestamptz', id: 'uuid', permissions: '_text default',
    profile_id: 'uuid', role: 'text', user_id: 'uuid',
  },
  profiles: {
    archived_at: 'timestamptz null', country: 'text null', created_at: 'timestamptz', currency: 'text',
    governing_authorization_id: 'uuid null', id: 'uuid', is_demo: 'bool default', name: 'text',
    privacy_mode: 'text default', provisioned_by_app_id: 'uuid null',
    restatements_since: 'timestamptz null default', tags: '_text default', timezone: 'text',
    workspace_id: 'uuid',
  },
  provider_leads: {
    ad_id: 'text null', campaign_id: 'text null', connection_id: 'uuid', field_data: 'jsonb',
    form_id: 'text null', leadgen_id: 'text', occurred_at: 'timestamptz', page_id: 'text', profile_id: 'uuid',
    recorded_at: 'timestamptz',
  },
  provider_webhooks: {
    body: 'bytea', connection_id: 'uuid null', digest: 'bytea', headers: 'jsonb', id: 'uuid',
    processed_at: 'timestamptz null', profile_id: 'uuid null', provider: 'text', query: 'jsonb',
    received_at: 'timestamptz',
  },
  rate_buckets: { full_at_ms: 'int8', key: 'text' },
  raw_event_walks: {
    dropped: 'int8', place_at: 'timestamptz null', place_id: 'uuid null', profile_id: 'uuid',
    started_at: 'timestamptz',
  },
  reach_ads: {
    ad_external_id: 'text', channel: 'text', day: 'date', origin: 'text', people: 'int8',
    previous_day: 'date', profile_id: 'uuid', touches: 'int8',
  },
  reach_daily: {
    channel: 'text', day: 'date', first_origin: 'text', origin: 'text', people: 'int8', previous_day: 'date',
    profile_id: 'uuid', touches: 'int8',
  },
  reach_first: {
    ad_external_id: 'text', channel: 'text', day: 'date', origin: 'text', people: 'int8',
    previous_day: 'date', profile_id: 'uuid',
  },
  readiness_probe: { filler: 'bytea', id: 'int2', probed_at: 'timestamptz' },
  recommendations: {
    action: 'jsonb', applied_at: 'timestamptz null', claimed_at: 'timestamptz null',
    closed_at: 'timestamptz null', confidence: 'float8', created_at: 'timestamptz', evidence: 'jsonb',
    expected_effect: 'jsonb null', expires_at: 'timestamptz', id: 'uuid', kind: 'text',
    prediction: 'jsonb null', profile_id: 'uuid', status: 'text', subject: 'jsonb', subject_id: 'uuid',
    turned_out_right: 'bool null', updated_at: 'timestamptz',
  },
  recomputes: {
    conversions: 'int8 null', error: 'text null', finished_at: 'timestamptz null', id: 'uuid',
    profile_id: 'uuid', requested_at: 'timestamptz', scope: 'text', settings_before: 'jsonb null',
    started_at: 'timestamptz null', state: 'text',
  },
  recovery_codes: {
    code_hash: 'bytea', created_at: 'timestamptz', used_at: 'timestamptz null', user_id: 'uuid',
  },
  refunds: {
    amount_minor: 'int8', counted_minor: 'int8 null', currency: 'text', day: 'date', external_id: 'text null',
    id: 'uuid', kind: 'text', occurred_at: 'timestamptz', payment_id: 'uuid', profile_id: 'uuid',
    reason: 'text null', recorded_at: 'timestamptz', report_amount_minor: 'int8 null',
    told_minor: 'int8 null',
  },
  refunds_waiting: {
    body: 'jsonb', id: 'uuid', payment_external_id: 'text', profile_id: 'uuid', provider: 'text',
  },
  refused_events: {
    code: 'text', event_id: 'uuid null', event_name: 'text null', id: 'uuid', message: 'text',
    order_ref: 'uuid null', profile_id: 'uuid', refused_at: 'timestamptz', request_id: 'text', status: 'int2',
  },
  remembered_devices: {
    created_at: 'timestamptz', expires_at: 'timestamptz', id: 'uuid', token_hash: 'bytea', user_agent: 'text',
    user_id: 'uuid',
  },
  report_changes: { holds_lock: 'bool', number: 'int8', profile_id: 'uuid' },
  report_schedules: {
    approval: 'bool', cadence: 'text', day: 'int2', enabled: 'bool', format: 'text', language: 'text',
    model: 'text', next_run_at: 'timestamptz null', profile_id: 'uuid', recipients: '_text', time: 'text',
    timezone: 'text null', updated_at: 'timestamptz', weekday: 'int2',
  },
  report_unsubscribes: { profile_id: 'uuid', recipient: 'text', unsubscribed_at: 'timestamptz' },
  reported_refunds: {
    amount_minor: 'int8 null', by_browser: 'bool', currency: 'text null', event_id: 'uuid',
    keyed_payment_id: 'uuid', occurred_at: 'timestamptz', order_ref: 'uuid', payment_ids: '_uuid',
    profile_id: 'uuid',
  },
  restatements: {
    batch_id: 'uuid', cause: 'text', changes: 'text null', day: 'date', entity: 'text', fact_id: 'text null',
    fact_type: 'text null', level: 'text', measures: '_int8', number: 'int4', outcome_type: 'text',
    profile_id: 'uuid', recorded_at: 'timestamptz', revenue_type: 'text', rollup: 'text',
  },
  saved_views: {
    id: 'uuid', name: 'text', page: 'text', profile_id: 'uuid', shared: 'bool', updated_at: 'timestamptz',
    user_id: 'uuid', values: 'jsonb',
  },
  schema_migrations: { applied_at: 'timestamptz', name: 'text', runs_with: 'text null' },
  sealing_key: { is_only: 'bool default', key_id: 'text', since: 'timestamptz' },
  search_queries: {
    clicks: 'int8', connection_id: 'uuid', day: 'date', impressions: 'int8', page: 'text',
    position_milli: 'int8 null', profile_id: 'uuid', query: 'text',
  },
  sender_domains: {
    checked_at: 'timestamptz null', checks: 'jsonb default', created_at: 'timestamptz', domain: 'text',
    from_local: 'text', from_name: 'text null', private_key: 'bytea', public_key: 'text', selector: 'text',
    status: 'text', workspace_id: 'uuid',
  },
  service_clock: { id: 'int4', offset_ms: 'int8' },
  service_processes: {
    build: 'text', clock_ahead_seconds: 'float8 null', host: 'text', id: 'uuid', master_key_ids: '_text',
    pid: 'int4', role: 'text', runs_beside: 'text', seen_at: 'timestamptz', started_at: 'timestamptz',
    stopped_at: 'timestamptz null', version: 'text', worker_seen_at: 'timestamptz null',
  },
  service_secrets: {
    created_at: 'timestamptz', name: 'text', sealed: 'bytea', timed_ids_from: 'timestamptz default',
  },
  session_activity: { credential_id: 'uuid', last_used_at: 'timestamptz' },
  session_details: {
    address: 'text', created_at: 'timestamptz', credential_id: 'uuid', methods: '_text',
    proved_at: 'timestamptz null', second_factor: 'bool', sso_workspace_id: 'uuid null', user_agent: 'text',
    user_id: 'uuid',
  },
  set_aside_records: {
    connection_id: 'uuid', day: 'date null', external_id: 'text', first_seen_at: 'timestamptz', kind: 'text',
    last_seen_at: 'timestamptz', list: 'text null', profile_id: 'uuid', reason: 'text',
  },
  short_link_days: {
    bots: 'int8', clicks: 'int8', day: 'date', last_clicked_at: 'timestamptz null', link_id: 'uuid',
    profile_id: 'uuid',
  },
  short_link_versions: {
    link_id: 'uuid', profile_id: 'uuid', target: 'text', valid_from: 'timestamptz', version: 'int4',
  },
  short_links: {
    ad: 'jsonb null', chat_account: 'text null', chat_app: 'text null', chat_text: 'text null',
    created_at: 'timestamptz', deleted_at: 'timestamptz null', effective_campaign: 'text null',
    effective_medium: 'text null', effective_source: 'text null', enabled: 'bool', id: 'uuid',
    profile_id: 'uuid', slug: 'text', target_url: 'text null', title: 'text null', updated_at: 'timestamptz',
    utm: 'jsonb', version: 'int4',
  },
  sign_in_challenges: {
    browser_hash: 'bytea null', created_at: 'timestamptz', expires_at: 'timestamptz', id: 'uuid',
    methods: '_text default', passkey_challenge: 'text', purpose: 'text', sso_workspace_id: 'uuid null',
    token_hash: 'bytea', tries: 'int4 default', user_id: 'uuid null',
  },
  stage_mappings: {
    connection_id: 'uuid', outcome_type: 'text null', profile_id: 'uuid', stage_id: 'text',
    updated_at: 'timestamptz',
  },
  store_orders: {
    changed_at: 'timestamptz', connection_id: 'uuid', order_id: 'text', profile_id: 'uuid', status: 'text',
  },
  tab_looks: { looked_at: 'timestamptz', tab: 'text', user_id: 'uuid', workspace_id: 'uuid' },
  touch_sources: {
    ad_external_id: 'text null', ad_set_external_id: 'text null', campaign_external_id: 'text null',
    id: 'uuid', is_direct: 'bool', platform: 'text null', profile_id: 'uuid', source: 'text null',
  },
  touches: {
    ad_external_id: 'text null', ad_set_external_id: 'text null', campaign_external_id: 'text null',
    channel: 'text', click_id: 'text null', click_id_kind: 'text null', id: 'uuid', identifier_id: 'uuid',
    is_direct: 'bool', landing_path: 'text null', occurred_at: 'timestamptz', origin: 'text',
    platform: 'text null', profile_id: 'uuid', recorded_at: 'timestamptz', referrer_host: 'text null',
    reported_at: 'timestamptz null', source_id: 'uuid', utm_campaign: 'text null', utm_medium: 'text null',
    utm_source: 'text null',
  },
  tracking_domains: {
    authorization_id: 'uuid null', checked_at: 'timestamptz null', created_at: 'timestamptz',
    detail: 'text null', domain: 'text', id: 'uuid', profile_id: 'uuid', status: 'text',
  },
  tracking_settings: {
    allowed_domains: '_text', browser_revenue: 'text default', consent_mode: 'text',
    consent_signals: 'text default', enrich_country: 'bool', exclude_paths: '_text default',
    filter_bots: 'bool', forms: 'text', gpc: 'text default', profile_id: 'uuid', session_minutes: 'int4',
    spa: 'text', updated_at: 'timestamptz',
  },
  tracking_verifications: {
    expires_at: 'timestamptz', id: 'uuid', profile_id: 'uuid', seen_at: 'timestamptz null',
    seen_url: 'text null', started_at: 'timestamptz', status: 'text', token: 'text', url: 'text',
  },
  unassigned_daily: {
    day: 'date', first_touch_count: 'int8', first_touch_minor: 'int8', last_non_direct_count: 'int8',
    last_non_direct_minor: 'int8', last_touch_count: 'int8', last_touch_minor: 'int8', level: 'text',
    linear_count: 'int8', linear_minor: 'int8', outcome_type: 'text', platform: 'text', profile_id: 'uuid',
    revenue_type: 'text', time_decay_count: 'int8', time_decay_minor: 'int8',
  },
  uncredited_daily: {
    conversions: 'int8', day: 'date', fx_missing: 'int8', outcome_type: 'text', profile_id: 'uuid',
    reason: 'text', revenue_type: 'text', value_minor: 'int8',
  },
  used_visit_tokens: { expires_at: 'timestamptz', profile_id: 'uuid', token_hash: 'bytea' },
  user_factors: {
    challenge: 'text null', confirmed_at: 'timestamptz null', created_at: 'timestamptz',
    credential_id: 'text null', id: 'uuid', kind: 'text', last_step: 'int8 default',
    last_used_at: 'timestamptz null', name: 'text', public_key: 'text null', secret: 'bytea null',
    sign_count: 'int8 default', transports: '_text default', user_id: 'uuid',
  },
  users: {
    created_at: 'timestamptz', email: 'text', email_lower: 'text', email_verified_at: 'timestamptz null',
    id: 'uuid', name: 'text', password_hash: 'text null',
  },
  utm_scans: { profile_id: 'uuid', result: 'jsonb', scanned_at: 'timestamptz' },
  webhook_deliveries: {
    attempt_count: 'int4 default', attempts: 'jsonb default', created_at: 'timestamptz', event_id: 'text',
    event_type: 'text', historical: 'bool default', id: 'uuid', next_attempt_at: 'timestamptz null',
    number: 'int8 null', payload: 'text', profile_id: 'uuid', recorded_at: 'timestamptz',
    settled_at: 'timestamptz null', status: 'text', status_reason: 'text null', subscription_id: 'uuid',
  },
  webhook_fanouts: { profile_id: 'uuid', through_number: 'int8' },
  webhook_queues: {
    due_at: 'timestamptz', lease_id: 'uuid null', lease_until: 'timestamptz null', profile_id: 'uuid',
    subscription_id: 'uuid', wakes: 'int8',
  },
  webhook_subscriptions: {
    after_number: 'int8', app_id: 'uuid null', authorization_id: 'uuid null',
    consecutive_failures: 'int4 default', created_at: 'timestamptz', deleted_at: 'timestamptz null',
    events: '_text', failing_since: 'timestamptz null', id: 'uuid', include_history: 'bool default',
    last_delivery_at: 'timestamptz null', made_by_credential_id: 'uuid null', made_by_user_id: 'uuid null',
    opens_contact: 'bool', previous_secret: 'bytea null', previous_secret_expires_at: 'timestamptz null',
    profile_id: 'uuid', providers: '_text', secret: 'bytea', status: 'text', status_reason: 'text null',
    updated_at: 'timestamptz', url: 'text',
  },
  workspace_branding: {
    accent_color: 'text null', display_name: 'text null', logo: 'bytea null', logo_etag: 'text null',
    logo_type: 'text null', primary_color: 'text null', support_email: 'text null', updated_at: 'timestamptz',
    website_url: 'text null', workspace_id: 'uuid',
  },
  workspace_members: {
    by_email: 'bool default', created_at: 'timestamptz', role: 'text', user_id: 'uuid', workspace_id: 'uuid',
  },
  workspace_subscriptions: {
    billing_customer: 'text null', billing_subscription: 'text null', cancels_at: 'timestamptz null',
    current_period_end: 'timestamptz null', current_period_start: 'timestamptz', last_notice: 'text null',
    past_due_since: 'timestamptz null', plan: 'text', status: 'text', trial_ends_at: 'timestamptz null',
    updated_at: 'timestamptz', workspace_id: 'uuid',
  },
  workspaces: {
    acquisition_source: 'text', archived_at: 'timestamptz null', archived_owner_ids: '_uuid null',
    created_at: 'timestamptz', created_by_user_id: 'uuid null', healthcare: 'bool default', id: 'uuid',
    name: 'text', plan: 'text', provisioned_by_app_id: 'uuid null', reporting_currency: 'text null',
    second_factor_from: 'timestamptz null', store_install: 'text null', timezone: 'text',
  },
} as const satisfies Record<string, Record<string, ColumnText>>

export type DB = { [Table in keyof typeof columnTypes]: TableOf<(typeof columnTypes)[Table]> }
