/**
 * Fills a profile with many payments in one year, in time order: customers with two identifiers each, as many people
 * who never paid, every fiftieth payment refunded.
 */

import { saveSources, sourceIdOf } from '@whence/server/features/attribution/crediting/touch-sources.ts'
import { type Connection, withConnection } from '@whence/server/platform/db/database.ts'
import { recompute, vacuumAndAnalyze } from './big-profile.ts'
import { withoutIndexes } from './indexes.ts'
import type { World } from './world.ts'

const CAMPAIGNS = 50
const ONE_IN_REFUNDED = 50
const FILLED = ['identifiers', 'conversions', 'payments', 'refunds', 'touches']

type Size = { payments: number; customers: number }

export async function fillPayers(to: World, size: Size): Promise<void> {
  await withConnection(to.service.db, async (tx, client) => {
    await client.query('set local statement_timeout = 0')
    const sources = Array.from({ length: CAMPAIGNS }, (_, campaign) => ({
      is_direct: false,
      platform: null,
      campaign_external_id: `c${campaign}`,
      ad_set_external_id: null,
      ad_external_id: null,
      source: null,
    }))
    await saveSources(tx, to.profileId, sources)
    await withoutIndexes(client, FILLED, async () => {
      await fillPeople(client, to.profileId, size, sources.map(sourceIdOf))
      await fillPayments(client, to.profileId, size)
    })
  })
  await vacuumAndAnalyze(to)
  await recompute(to)
  await vacuumAndAnalyze(to)
}

const idOf = (kind: string, number: string) => `md5('${kind}' || ${number})::uuid`

/** A customer's e-mail address is the root identifier; the browser is linked to it. */
async function fillPeople(
  client: Connection['client'],
  profileId: string,
  { customers }: Size,
  sourceIds: readonly string[],
): Promise<void> {
  const people = `from generate_series(0, ${customers - 1}) n`
  for (const [kind, id, root] of [
    [0, 'mail', 'mail'],
    [5, 'browser', 'mail'],
    [5, 'stranger', 'stranger'],
  ] as const)
    await client.query(
      `insert into identifiers (profile_id, id, kind, customer_id)
       select $1, ${idOf(id, 'n')}, ${kind}, ${idOf(root, 'n')} ${people}`,
      [profileId],
    )
  // Two visits each, before the first payment.
  await client.query(
    `insert into touches (profile_id, identifier_id, occurred_at, source_id, id, recorded_at, is_direct, channel, origin,
       campaign_external_id)
     select $1, ${idOf('browser', 'n')}, at, ($2::uuid[])[campaign + 1], ${idOf('visit', "n || ' ' || visit")}, at, false,
       'paid_social', 'web', 'c' || campaign
     from (select n, visit, ${firstPaidAt(customers)} - visit * interval '2 days' as at, (n * 7 + visit * 11) % ${CAMPAIGNS} as campaign
       ${people} cross join generate_series(1, 2) visit) as visits`,
    [profileId, sourceIds],
  )
}

/** Time of a customer's first payment; first payments are spread evenly over the year. */
const firstPaidAt = (customers: number) =>
  `timestamptz '2025-01-01 00:00Z' + n * (interval '365 days' / ${customers})`

async function fillPayments(
  client: Connection['client'],
  profileId: string,
  { payments, customers }: Size,
): Promise<void> {
  await client.query(
    `create temporary table paid on commit drop as
     select row_number() over (order by at, n, turn) as number, n, turn, at, 500 + (n * 31 + turn * 977) % 20000 as minor
     from (
       select n, turn, case when turn = 0 then ${firstPaidAt(customers)}
         else ${firstPaidAt(customers)} + (timestamptz '2025-12-31 23:00Z' - ${firstPaidAt(customers)}) * ((n * 13 + turn * 29) % 97) / 97.0 end as at
       from (select p % ${customers} as n, p / ${customers} as turn from generate_series(0, ${payments - 1}) p) as turns) as t`,
  )
  await client.query(
    `insert into conversions (profile_id, id, event_id, goal_id, identifier_id, occurred_at, recorded_at, day, outcome_type,
       revenue_type, attribution_eligible, value_minor, currency, report_value_minor)
     select $1, ${idOf('conversion', 'number')}, ${idOf('event', 'number')}, g.id,
       case when turn % 2 = 0 then ${idOf('mail', 'n')} else ${idOf('browser', 'n')} end, at, at, (at at time zone 'UTC')::date,
       g.outcome_type, g.revenue_type, true, minor, 'EUR', minor
     from paid cross join (select * from goals where profile_id = $1 and conversion_key = 'payment_received') g
     order by number`,
    [profileId],
  )
  await client.query(
    `insert into payments (profile_id, id, event_id, identifier_id, provider, occurred_at, recorded_at, value_minor, currency,
       status, from_events, is_first_payment, is_installment)
     select $1, ${idOf('event', 'number')}, ${idOf('event', 'number')}, ${idOf('mail', 'n')}, 'api', at, at, minor, 'EUR',
       'succeeded', true, turn = 0, false
     from paid order by number`,
    [profileId],
  )
  await client.query(
    `insert into refunds (profile_id, id, payment_id, kind, occurred_at, recorded_at, day, amount_minor, currency,
       report_amount_minor)
     select $1, ${idOf('refund', 'number')}, ${idOf('event', 'number')}, 'manual', at + interval '9 days', at + interval '9 days',
       ((at + interval '9 days') at time zone 'UTC')::date, minor / 2, 'EUR', minor / 2
     from paid where number % ${ONE_IN_REFUNDED} = 0 order by number`,
    [profileId],
  )
}

export async function deleteStatistics({ run }: World): Promise<void> {
  for (const table of [...FILLED, 'credits'])
    await run(`delete from pg_statistic where starelid = '${table}'::regclass`)
}
