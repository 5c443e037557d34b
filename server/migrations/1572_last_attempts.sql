-- The last visit of a pending hand-off that ended without settling it, such as in another browser.
alter table handoffs add column last_attempt_at timestamptz, add column last_attempt_reason text;
