/** Multiplies a profile: copies each customer and event under new ids, and multiplies each sum. */
import { randomUUID } from 'node:crypto'
import { type Connection, withConnection } from '@whence/server/platform/db/database.ts'
import { vacuumAndAnalyze } from './big-profile.ts'
import { withoutIndexes } from './indexes.ts'
import type { World } from './world.ts'

/** Tables whose rows are copied, with the id columns that a copy replaces. */
const copied: Record<string, readonly string[]> = {
  ad_people: ['customer_id'],
  conversions: ['id', 'event_id', 'identifier_id'],
  credits: ['conversion_id'],
  event_keys: ['event_id'],
  events: ['id'],
  identifiers: ['id', 'customer_id'],
  identity_links: ['weak_id', 'strong_id', 'event_id'],
  identity_traits: ['identifier_id', 'event_id'],
  payments: ['id', 'event_id', 'identifier_id', 'payer_identifier_id'],
  touches: ['identifier_id', 'id'],
}
/** Copies are on the same days and ads, so all bigint columns of these tables are multiplied. */
const summed = [
  ...['conversion_daily', 'credit_daily', 'credit_spans', 'paid_touch_daily'],
  ...['reach_ads', 'reach_daily', 'reach_first', 'held_daily', 'platform_daily', 'uncredited_daily'],
]

export async function multiplyProfile(world: World, times: number): Promise<void> {
  await withConnection(world.service.db, async (_tx, client) => {
    await client.query('set local statement_timeout = 0')
    // Makes the ids differ from those of earlier calls.
    const salt = randomUUID()
    await withoutIndexes(client, Object.keys(copied), async () => {
      for (const [table, ids] of Object.entries(copied)) {
        const columns = await columnsOf(client, table)
        const values = columns.map(({ name }) =>
          ids.includes(name) ? `md5(${name}::text || n || '${salt}')::uuid` : name,
        )
        await client.query(
          `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
           select ${values.join(', ')} from ${table} cross join generate_series(2, ${times}) n where profile_id = $1`,
          [world.profileId],
        )
      }
    })
    for (const table of summed) {
      const columns = (await columnsOf(client, table)).filter(({ type }) => type === 'bigint')
      const sums = columns.map(({ name }) => `${name} = ${name} * ${times}`)
      await client.query(`update ${table} set ${sums.join(', ')} where profile_id = $1`, [world.profileId])
    }
  })
  await vacuumAndAnalyze(world)
}

type Column = { name: string; type: string }

async function columnsOf(client: Connection['client'], table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 order by ordinal_position`,
    [table],
  )
  return rows
}
