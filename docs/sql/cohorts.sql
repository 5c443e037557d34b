-- GET /reports/cohorts?by=month: what customers paid, refunds subtracted, by the month of their first payment. The
-- report leaves out months that are not over. Set before:
--   SET VARIABLE date_from = '2026-01-01'; SET VARIABLE date_to = '2026-05-31'; SET VARIABLE horizon = 12;
WITH cash AS (
  SELECT v.event_id, i.customer_id, v.day, v.occurred_at, v.recorded_at, v.report_value_minor AS value_minor
  FROM conversions v JOIN identities i USING (identifier_id)
  WHERE v.revenue_type = 'cash' AND v.is_counted
), first_openings AS (
  -- Payments with a subject (two children of one customer) may each be the first of their subject; a customer has one.
  SELECT c.customer_id, c.day FROM cash c JOIN payments p ON p.event_id = c.event_id
  WHERE p.is_first_payment AND NOT p.is_first_balance
  QUALIFY row_number() OVER (PARTITION BY c.customer_id ORDER BY c.occurred_at, c.recorded_at, c.event_id) = 1
), openings AS (
  SELECT customer_id, day FROM first_openings
  WHERE day BETWEEN getvariable('date_from')::DATE AND getvariable('date_to')::DATE
), moves AS (
  SELECT customer_id, day, coalesce(value_minor, 0) AS value_minor, true AS is_payment FROM cash
  UNION ALL
  -- A payment that several goals count is refunded once.
  SELECT c.customer_id, r.day, -coalesce(r.report_amount_minor, 0), false
  FROM refunds r JOIN payments p USING (payment_id)
  JOIN (SELECT DISTINCT event_id, customer_id FROM cash) c ON c.event_id = p.event_id
), months AS (
  SELECT date_trunc('month', o.day) AS month, o.customer_id, m.value_minor, m.is_payment,
    date_diff('month', date_trunc('month', o.day), date_trunc('month', m.day)) AS months_after
  FROM openings o JOIN moves m USING (customer_id)
), cells AS (
  SELECT month, a.months_after, coalesce(sum(value_minor) FILTER (m.months_after <= a.months_after), 0)::BIGINT
      AS cumulative_minor,
    count(DISTINCT customer_id) FILTER (m.months_after = a.months_after AND is_payment) AS paying_customers,
    count(DISTINCT customer_id) AS size
  FROM months m CROSS JOIN (SELECT unnest(range(getvariable('horizon')::BIGINT + 1)) AS months_after) a
  WHERE m.months_after >= 0
  GROUP BY ALL
)
SELECT strftime(month, '%Y-%m') AS month, months_after, size, cumulative_minor, paying_customers
FROM cells ORDER BY month, months_after;
