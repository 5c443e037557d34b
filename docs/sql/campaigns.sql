-- GET /campaigns: spend and credited payments of campaigns, ad sets or ads. The row without an id is what no entity of
-- the level is credited with (GET /unattributed). Set before:
--   SET VARIABLE date_from = '2026-05-01'; SET VARIABLE date_to = '2026-05-31';
--   SET VARIABLE model = 'linear';         SET VARIABLE level = 'campaign';   -- or ad_set, ad
WITH credited AS (
  SELECT c.*,
    CASE getvariable('level') WHEN 'campaign' THEN p.campaign_id WHEN 'ad_set' THEN p.ad_set_id ELSE p.ad_id END AS id
  FROM credits c LEFT JOIN paths p USING (path_id)
  WHERE c.model = getvariable('model') AND c.day BETWEEN getvariable('date_from')::DATE AND getvariable('date_to')::DATE
), credit AS (
  SELECT id,
    count(DISTINCT conversion_id) FILTER (part = 'conversion' AND revenue_type = 'cash') AS outcome_count,
    round(coalesce(sum(coalesce(weight / total_weight, 1)) FILTER (part = 'conversion' AND revenue_type = 'cash'), 0), 9)
      AS outcome_credit,
    coalesce(sum(value_minor) FILTER (revenue_type = 'cash'), 0)::BIGINT AS outcome_value_minor,
    count(DISTINCT conversion_id) FILTER (part = 'conversion') AS attributed_outcome_count,
    count(DISTINCT conversion_id) FILTER (part = 'conversion' AND revenue_type = 'cash' AND first_payment = 'opens')
      AS new_customer_count,
    coalesce(sum(value_minor) FILTER (revenue_type = 'cash' AND first_payment IS NOT NULL), 0)::BIGINT
      AS new_customer_value_minor,
    count(DISTINCT conversion_id) FILTER (part = 'conversion' AND revenue_type = 'cash' AND NOT has_rate)
      + count(DISTINCT conversion_id::TEXT || refund_number) FILTER (part = 'refund' AND NOT has_rate) AS fx_missing
  FROM credited GROUP BY id
), delivered AS (
  SELECT entity_id AS id, sum(spend_minor)::BIGINT AS spend_minor, sum(impressions)::BIGINT AS impressions,
    sum(clicks)::BIGINT AS clicks, sum(fx_missing)::BIGINT AS fx_missing
  FROM delivery
  WHERE level = getvariable('level') AND day BETWEEN getvariable('date_from')::DATE AND getvariable('date_to')::DATE
  GROUP BY entity_id
), entities AS (
  SELECT id, name FROM campaigns UNION ALL SELECT id, name FROM ad_sets UNION ALL SELECT id, name FROM ads
)
SELECT coalesce(c.id, d.id) AS id, e.name, coalesce(d.spend_minor, 0) AS spend_minor,
  coalesce(d.impressions, 0) AS impressions, coalesce(d.clicks, 0) AS clicks,
  coalesce(c.outcome_count, 0) AS outcome_count, coalesce(c.outcome_credit, 0) AS outcome_credit,
  coalesce(c.outcome_value_minor, 0) AS outcome_value_minor,
  coalesce(c.attributed_outcome_count, 0) AS attributed_outcome_count,
  coalesce(c.new_customer_count, 0) AS new_customer_count,
  coalesce(c.new_customer_value_minor, 0) AS new_customer_value_minor,
  coalesce(c.fx_missing, 0) + coalesce(d.fx_missing, 0) AS fx_missing
FROM credit c FULL JOIN delivered d ON d.id = c.id LEFT JOIN entities e ON e.id = coalesce(c.id, d.id)
ORDER BY outcome_value_minor DESC, spend_minor DESC, attributed_outcome_count DESC, id;
