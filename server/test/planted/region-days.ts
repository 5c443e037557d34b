import type pg from 'pg'

/** Customers of one region, who pay in turn until each day has its number of payments. */
export async function plantRegionDays(
  pool: pg.Pool,
  profileId: string,
  region: string | null,
  firstDay: string,
  days: readonly number[],
  customers = 3,
) {
  await pool.query(
    `with person as materialized (select gen_random_uuid() as id, turn from generate_series(1, $5::int) as turn),
     known as (
       insert into identifiers (profile_id, id, kind, customer_id) select $1, id, 1, id from person),
     placed as (
       insert into identity_traits (profile_id, identifier_id, trait, event_id, value, observed_at)
       select $1, id, 'region', gen_random_uuid(), $2::text, now() from person where $2::text is not null)
     insert into conversions (profile_id, id, event_id, identifier_id, goal_id, occurred_at, recorded_at, day,
       outcome_type, revenue_type, attribution_eligible)
     select $1, gen_random_uuid(), gen_random_uuid(), person.id, $1, now(), now(), $3::date + (place - 1)::int,
       'payment', 'cash', true
     from unnest($4::int[]) with ordinality as counts(n, place)
     cross join lateral generate_series(1, n) as payment
     join person on person.turn = 1 + (payment + place) % $5::int`,
    [profileId, region, firstDay, days, customers],
  )
}
