/** Tables without data of a person, by the reason. `despite`: columns whose names look as if they had some. */
export const freeOfPeople: readonly { why: string; tables: string; despite?: string }[] = [
  {
    why: 'Sums over many people.',
    tables: `ad_attention_days ad_delivery ad_frequency_days ad_score_days ad_score_runs ad_score_windows ad_scores
      consent_daily conversion_daily credit_daily credit_spans data_driven_history data_driven_models delivery_daily delivery_spans
      excluded_daily held_daily paid_touch_daily platform_daily reach_ads reach_daily reach_first unassigned_daily uncredited_daily
      search_queries experiments utm_scans performer_snapshots client_reports recommendations alert_events`,
    despite: `reach_ads.people reach_daily.people reach_first.people`,
  },
  {
    why: 'Ads, campaigns, the paths between them and what they cost.',
    tables: `ad_creatives ad_entities ad_entity_versions ad_paths ad_targetings ad_thumbnails campaign_settings_days
      campaign_settings_seen touch_sources fx_rates entered_rates pacing_targets goal_targets`,
  },
  {
    why: 'Settings of the profile.',
    tables: `alert_rules annotations attribution_settings attribution_state audience_lists channel_overrides
      declared_vocabulary export_destinations export_settings goals live_links manual_stores saved_views
      short_link_days short_link_versions short_links stage_mappings tracking_domains tracking_settings tracking_verifications webhook_subscriptions
      data_export_destinations report_schedules brief_receivers chat_templates profiles profile_entitlements
      calendars chat_accounts doctor_checks`,
    despite: `goals.first_attributed_conversion_id report_schedules.recipients data_export_destinations.include_identifiers
      export_destinations.event_id_source export_settings.partner_customer_list`,
  },
  {
    why: 'People of the business and their access, who use the service.',
    tables: `account_links api_usage app_authorizations app_dpa_acceptances apps bank_links credentials handoffs
      invitations key_copies mcp_settings mcp_writeback_audits notification_reads oauth_clients operator_log
      profile_members recovery_codes remembered_devices report_unsubscribes brief_deliveries client_report_mails session_activity session_details sign_in_challenges tab_looks user_factors users
      workspace_branding workspace_members workspace_subscriptions workspaces sender_domains`,
    despite: `account_links.email invitations.email invitations.email_lower report_unsubscribes.recipient
      client_report_mails.recipient users.email users.email_lower users.email_verified_at remembered_devices.user_agent session_details.user_agent
      profile_members.by_email workspace_members.by_email workspace_branding.support_email
      workspace_subscriptions.billing_customer mcp_writeback_audits.arguments`,
  },
  {
    why: 'Accounts at providers and the state of their synchronisation.',
    tables: `connection_accounts connection_grants connection_pages connection_syncs connections pending_selections
      set_aside_records`,
  },
  {
    why: 'Counts, states and encrypted or hashed values without a key that leads to a person.',
    tables: `audience_removals audience_runs export_requests export_runs data_export_files data_export_runs
      mail_messages outbox_counters phone_repairs raw_event_walks recomputes report_changes refunds_waiting
      refused_events store_orders used_visit_tokens webhook_fanouts webhook_queues profile_locks`,
    despite: `mail_messages.recipients refused_events.event_id refused_events.order_ref store_orders.order_id
      refunds_waiting.payment_external_id`,
  },
  {
    why: 'The running of the service.',
    tables: `compacted_event_months job_schedules jobs key_holders last_backup rate_buckets readiness_probe
      schema_migrations sealing_key service_clock service_processes service_secrets`,
  },
]
