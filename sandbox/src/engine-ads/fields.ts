/**
 * The fields that each resource of the Ads API has, as Google's own client lists them (googleads/google-ads-python,
 * v25, commit 481f222 of 2026-08-19, read on 2026-11-16; no list of v26 was found). Metrics and segments are a subset.
 * The sandbox refuses every other field.
 */
const splitWords = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

export const adsFields: Record<string, ReadonlySet<string>> = {
  customer: splitWords(`
    auto_tagging_enabled call_reporting_setting contains_eu_political_advertising
    conversion_tracking_setting currency_code customer_agreement_setting descriptive_name final_url_suffix
    has_partners_badge id image_asset_auto_migration_done image_asset_auto_migration_done_date_time
    local_services_settings location_asset_auto_migration_done location_asset_auto_migration_done_date_time
    manager optimization_score optimization_score_weight pay_per_conversion_eligibility_failure_reasons
    remarketing_setting resource_name status test_account time_zone tracking_url_template
    video_brand_safety_suitability video_customer`),
  customer_client: splitWords(`
    applied_labels client_customer currency_code descriptive_name hidden id level manager resource_name
    status test_account time_zone`),
  campaign: splitWords(`
    aca_migration_date_time accessible_bidding_strategy ad_serving_optimization_status
    advertising_channel_sub_type advertising_channel_type ai_max_setting app_campaign_setting
    asset_automation_settings audience_setting base_campaign bidding_strategy bidding_strategy_system_status
    bidding_strategy_type brand_guidelines brand_guidelines_enabled broad_match_migration_date_time
    campaign_budget campaign_group commission contains_eu_political_advertising demand_gen_campaign_settings
    dynamic_search_ads_setting end_date_time excluded_parent_asset_field_types
    excluded_parent_asset_set_types experiment_type feed_types final_url_suffix fixed_cpm frequency_caps
    geo_target_type_setting hotel_property_asset_set hotel_setting id keyword_match_type labels listing_type
    local_campaign_setting local_services_campaign_settings manual_cpa manual_cpc manual_cpm manual_cpv
    maximize_conversion_value maximize_conversions missing_eu_political_advertising_declaration name
    network_settings optimization_goal_setting optimization_score payment_mode percent_cpc
    performance_max_upgrade pmax_campaign_settings primary_status primary_status_reasons
    real_time_bidding_setting resource_name selective_optimization serving_status shopping_setting
    start_date_time status target_cpa target_cpc target_cpm target_cpv target_impression_share target_roas
    target_spend targeting_setting text_guidelines third_party_integration_partners tracking_setting
    tracking_url_template travel_campaign_settings url_custom_parameters vanity_pharma
    video_campaign_settings view_through_conversion_optimization_enabled`),
  campaign_budget: splitWords(`
    aligned_bidding_strategy_id amount_micros delivery_method explicitly_shared has_recommended_budget id
    name period recommended_budget_amount_micros recommended_budget_estimated_change_weekly_clicks
    recommended_budget_estimated_change_weekly_cost_micros
    recommended_budget_estimated_change_weekly_interactions recommended_budget_estimated_change_weekly_views
    reference_count resource_name status total_amount_micros type`),
  ad_group: splitWords(`
    ad_rotation_mode ai_max_ad_group_setting audience_setting base_ad_group campaign cpc_bid_micros
    cpm_bid_micros cpv_bid_micros demand_gen_ad_group_settings display_custom_bid_dimension
    effective_cpc_bid_micros effective_target_cpa_micros effective_target_cpa_source effective_target_cpc
    effective_target_cpc_source effective_target_roas effective_target_roas_source
    exclude_demographic_expansion excluded_parent_asset_field_types excluded_parent_asset_set_types
    final_url_suffix fixed_cpm_micros id labels name optimized_targeting_enabled percent_cpc_bid_micros
    primary_status primary_status_reasons resource_name status target_cpa_micros target_cpc_micros
    target_cpm_micros target_cpv_micros target_roas targeting_setting tracking_url_template type
    url_custom_parameters vertical_ads_format_setting video_ad_group_settings`),
  ad_group_ad: splitWords(`
    action_items ad ad_group ad_group_ad_asset_automation_settings ad_strength end_date_time labels
    policy_summary primary_status primary_status_reasons resource_name start_date_time status`),
  ad: splitWords(`
    added_by_google_ads app_ad app_engagement_ad app_pre_registration_ad demand_gen_carousel_ad
    demand_gen_multi_asset_ad demand_gen_product_ad demand_gen_video_responsive_ad device_preference
    display_upload_ad display_url expanded_dynamic_search_ad expanded_text_ad final_app_urls
    final_mobile_urls final_url_suffix final_urls hotel_ad id image_ad legacy_app_install_ad
    legacy_responsive_display_ad local_ad name resource_name responsive_display_ad responsive_search_ad
    shopping_comparison_listing_ad shopping_product_ad shopping_smart_ad smart_campaign_ad
    synthetic_content_info system_managed_resource_source text_ad tracking_url_template travel_ad type
    url_collections url_custom_parameters video_ad video_responsive_ad`),
  click_view: splitWords(`
    ad_group_ad area_of_interest campaign_location_target gclid keyword keyword_info location_of_presence
    page_number resource_name user_list`),
  campaign_criterion: splitWords(`
    ad_schedule age_range bid_modifier brand_list campaign carrier combined_audience content_label
    criterion_id custom_affinity custom_audience device display_name extended_demographic gender
    income_range ip_block keyword keyword_theme language life_event listing_scope local_service_id location
    location_group mobile_app_category mobile_application mobile_device negative operating_system_version
    parental_status placement proximity resource_name status topic type user_interest user_list video_lineup
    webpage webpage_list youtube_channel youtube_video`),
  ad_group_criterion: splitWords(`
    ad_group age_range app_payment_model approval_status audience bid_modifier brand_list combined_audience
    cpc_bid_micros cpm_bid_micros cpv_bid_micros criterion_id custom_affinity custom_audience custom_intent
    disapproval_reasons display_name effective_cpc_bid_micros effective_cpc_bid_source
    effective_cpm_bid_micros effective_cpm_bid_source effective_cpv_bid_micros effective_cpv_bid_source
    effective_percent_cpc_bid_micros effective_percent_cpc_bid_source entity_bid extended_demographic
    final_mobile_urls final_url_suffix final_urls gender income_range keyword labels language life_event
    listing_group location mobile_app_category mobile_application negative parental_status
    percent_cpc_bid_micros placement position_estimates primary_status primary_status_reasons quality_info
    resource_name retail_filter_bundle status system_serving_status topic tracking_url_template type
    url_custom_parameters user_interest user_list vertical_ads_item_group_rule_list video_lineup webpage
    youtube_channel youtube_video`),
  campaign_conversion_goal: splitWords(`
    biddable campaign category origin resource_name`),
  experiment: splitWords(`
    description end_date experiment_id goals lift_measurement_config long_running_operation name
    optimize_assets_experiment promote_status resource_name start_date status suffix sync_enabled type
    video_experiment`),
  experiment_arm: splitWords(`
    asset_groups asset_testing_info campaigns control experiment in_design_campaigns name
    performance_max_experiment_arm_info resource_name traffic_split`),
  metrics: splitWords(`
    average_cost average_cpc average_cpm clicks control_conversions conversions conversions_absolute_change_margin_of_error
    conversions_absolute_change_p_value conversions_absolute_change_point_estimate
    conversions_by_conversion_date conversions_from_interactions_rate
    conversions_from_interactions_value_per_interaction conversions_unique_query_clusters conversions_value
    conversions_value_by_conversion_date conversions_value_per_cost cost_micros ctr engagement_rate
    engagements impressions interactions trueview_average_cpv video_quartile_p100_rate
    video_quartile_p25_rate video_quartile_p50_rate video_quartile_p75_rate video_trueview_view_rate
    video_trueview_view_rate_in_feed video_trueview_view_rate_in_stream video_trueview_view_rate_shorts
    video_trueview_views video_watch_time_duration_millis view_through_conversions`),
  segments: splitWords(`
    ad_network_type click_type conversion_action conversion_action_category date day_of_week device hour
    month quarter slot week year`),
}
