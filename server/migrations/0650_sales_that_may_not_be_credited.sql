-- Cash of goals that are never credited, listed by time like all that conversions_day holds.
create index conversions_uncredited on conversions (profile_id, day, occurred_at, id)
where not attribution_eligible and revenue_type = 'cash' and duplicate_of is null and not unconfirmed;
