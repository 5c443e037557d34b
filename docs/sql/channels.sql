-- GET /reports/channels: all payments by the channel that they came from, and what each channel cost. Set before:
--   SET VARIABLE date_from = '2026-05-01'; SET VARIABLE date_to = '2026-05-31'; SET VARIABLE model = 'linear';
WITH credited AS (
  SELECT c.*, coalesce(p.channel, 'unknown') AS channel
  FROM credits c LEFT JOIN paths p USING (path_id)
  WHERE c.model = getvariable('model') AND c.day BETWEEN getvariable('date_from')::DATE AND getvariable('date_to')::DATE
), credit AS (
  SELECT channel,
    count(DISTINCT conversion_id) FILTER (part = 'conversion' AND revenue_type = 'cash') AS outcome_count,
    round(coalesce(sum(coalesce(weight / total_weight, 1)) FILTER (part = 'conversion' AND revenue_type = 'cash'), 0), 9)
      AS outcome_credit,
    coalesce(sum(value_minor) FILTER (revenue_type = 'cash'), 0)::BIGINT AS outcome_value_minor,
    count(DISTINCT conversion_id) FILTER (part = 'conversion') AS attributed_outcome_count,
    count(DISTINCT conversion_id) FILTER (part = 'conversion' AND revenue_type = 'cash' AND first_payment = 'opens')
      AS new_customer_count
  FROM credited GROUP BY channel
), tops AS (
  -- Campaigns, and the ad sets and ads that are in none.
  SELECT id, channel, 'campaign' AS level FROM campaigns
  UNION ALL SELECT id, channel, 'ad_set' FROM ad_sets WHERE campaign_id IS NULL
  UNION ALL SELECT id, channel, 'ad' FROM ads WHERE campaign_id IS NULL AND ad_set_id IS NULL
), delivered AS (
  SELECT t.channel, sum(d.spend_minor)::BIGINT AS spend_minor
  FROM delivery d JOIN tops t ON t.id = d.entity_id AND t.level = d.level
  WHERE d.day BETWEEN getvariable('date_from')::DATE AND getvariable('date_to')::DATE
  GROUP BY t.channel
)
SELECT coalesce(c.channel, d.channel) AS channel, coalesce(d.spend_minor, 0) AS spend_minor,
  coalesce(c.outcome_count, 0) AS outcome_count, coalesce(c.outcome_credit, 0) AS outcome_credit,
  coalesce(c.outcome_value_minor, 0) AS outcome_value_minor,
  coalesce(c.attributed_outcome_count, 0) AS attributed_outcome_count,
  coalesce(c.new_customer_count, 0) AS new_customer_count
FROM credit c FULL JOIN delivered d ON d.channel = c.channel
ORDER BY outcome_value_minor DESC, attributed_outcome_count DESC, channel;
