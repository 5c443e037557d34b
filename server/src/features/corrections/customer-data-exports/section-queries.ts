/** Reads the sections of a person's file from the tables of the list, in pages. */
import { models } from '@whence/engine'
import { sql } from 'kysely'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { shareOf, unpackCredit } from '../../attribution/crediting/credits/packed.ts'
import { loadPaths } from '../../attribution/crediting/credits/paths.ts'
import { scanEvents } from '../../facts/events/erase.ts'
import type { PersonKeys, PersonTable } from '../person-data/entry.ts'
import { belongsTo, typeOf } from '../person-data/rows.ts'

type Row = Record<string, unknown>
type Pages = AsyncIterable<Row[]>

const PAGE = 5000
const EVENTS_PER_SCAN = 20_000

/** The rows of a table with one of the keys, in the order of the section. */
export async function* readPages(tx: Tx, profileId: string, entry: PersonTable, keys: PersonKeys): Pages {
  const { export: shown, table } = entry
  const condition = belongsTo(entry, keys)
  if ('none' in shown || condition === undefined) return
  const { columns, computed = {}, orderBy } = shown
  const selected = [
    ...Object.entries(columns).map(([column, as]) => {
      const name = typeof as === 'string' ? as : as.name
      return sql`${sql.ref(`t.${column}`)} as ${sql.id(name)}`
    }),
    ...Object.entries(computed).map(([name, value]) => sql`${value.sql(profileId)} as ${sql.id(name)}`),
    ...orderBy.map((column, index) => sql`${sql.ref(`t.${column}`)}::text as ${sql.id(`order ${index}`)}`),
  ]
  const order = sql.join(orderBy.map((column) => sql.ref(`t.${column}`)))
  const amounts = Object.values(columns).filter((column) => typeof column !== 'string')
  let beyond = sql`true`
  for (;;) {
    const { rows } = await sql<Row>`
      select ${sql.join(selected)} from ${sql.table(table)} t
      where t.profile_id = ${profileId} and ${condition} and ${beyond}
      order by ${order} limit ${PAGE}`.execute(tx)
    const last = rows.at(-1)
    const place = orderBy.map((column, index) => {
      const type = sql.raw(typeOf(table, column))
      return sql`${last?.[`order ${index}`]}::${type}`
    })
    beyond = sql`(${order}) > (${sql.join(place)})`
    for (const row of rows) {
      for (let index = 0; index < orderBy.length; index++) delete row[`order ${index}`]
      for (const { name, currency } of amounts) row[name] = toAmount(row[name], row[currency])
    }
    yield table === 'credits' ? await toCredits(tx, profileId, rows) : rows
    if (rows.length < PAGE) return
  }
}

const toAmount = (minor: unknown, currency: unknown): number | null =>
  typeof minor === 'number' && typeof currency === 'string' ? toDecimalNumber(minor, currency) : null

export type Found = { leads: string[]; orders: string[]; withBrowser: string[] }

/** All stored events of the person. Adds to `found` what leads to further tables. */
export async function* readEventPages(
  tx: Tx,
  profileId: string,
  entry: PersonTable,
  { identifierIds, found }: { identifierIds: readonly string[]; found: Found },
): Pages {
  let after: Parameters<typeof scanEvents>[1]['after'] = null
  do {
    const scan: Awaited<ReturnType<typeof scanEvents>> = await scanEvents(tx, {
      profileId,
      after,
      identifierIds,
      most: EVENTS_PER_SCAN,
    })
    for (let start = 0; start < scan.eventIds.length; start += PAGE) {
      const eventIds = scan.eventIds.slice(start, start + PAGE)
      for await (const rows of readPages(tx, profileId, entry, { event: eventIds })) {
        for (const { source, external_id: externalId, data } of rows) {
          if (source === 'integration' && typeof externalId === 'string') found.leads.push(externalId)
          const { order_ref: order } = data as { order_ref?: string }
          if (order !== undefined) found.orders.push(order)
        }
        yield rows
      }
      const { rows } = await sql<{ event_id: string }>`
        select event_id from event_agents
        where profile_id = ${profileId} and event_id = any(${uuidList(eventIds)}::uuid[])`.execute(tx)
      found.withBrowser.push(...rows.map((row) => row.event_id))
    }
    after = scan.last
  } while (after !== null)
}

/** Ids that lead from the person's identifiers to the tables of payments, credit and conversations. */
export async function loadKeys(
  tx: Tx,
  profileId: string,
  identifierIds: readonly string[],
): Promise<PersonKeys> {
  const ids = uuidList(identifierIds)
  const list = async (statement: ReturnType<typeof sql<{ id: string }>>) =>
    (await statement.execute(tx)).rows.map((row) => row.id)
  return {
    identifier: identifierIds,
    conversion: await list(sql`
      select id from conversions where profile_id = ${profileId} and identifier_id = any(${ids}::uuid[])`),
    payment: await list(sql`
      select id from payments where profile_id = ${profileId} and payer_identifier_id = any(${ids}::uuid[])
      union all
      select id from payments
      where profile_id = ${profileId} and identifier_id = any(${ids}::uuid[]) and payer_identifier_id is null`),
    conversation: await list(sql`
      select id from conversations where profile_id = ${profileId} and identifier_id = any(${ids}::uuid[])`),
    click: await list(sql`
      select distinct click_id as id from touches
      where profile_id = ${profileId} and identifier_id = any(${ids}::uuid[]) and click_id is not null`),
  }
}

/** The credited campaigns of each conversion by model; values are in the currency of reports. */
async function toCredits(tx: Tx, profileId: string, rows: readonly Row[]): Promise<Row[]> {
  const credits = rows.map((row) => unpackCredit(row.models as Buffer))
  const numbers = [...new Set(credits.flatMap(({ touches }) => touches.map(({ path }) => path)))]
  const paths = await loadPaths(tx, profileId, numbers)
  const entities = [...paths.values()].flatMap(({ campaignId, adSetId, adId }) =>
    [campaignId, adSetId, adId].filter((id) => id !== null),
  )
  const named = await sql<{ id: string; external_id: string; name: string | null }>`
    select id, external_id, name from ad_entities
    where profile_id = ${profileId} and id = any(${uuidList([...new Set(entities)])}::uuid[])`.execute(tx)
  const names = new Map(named.rows.map((row) => [row.id, row.name ?? row.external_id]))
  const nameOf = (id: string | null | undefined) => (id == null ? null : (names.get(id) ?? null))
  return rows.map((row, index) => ({
    conversion_id: row.conversion_id,
    models: Object.fromEntries(
      models.map((model, position) => [
        model,
        shareOf(credits[index]!, position).map(({ path, weight, total }) => {
          const source = paths.get(path)
          return {
            platform: source?.platform ?? null,
            campaign: nameOf(source?.campaignId),
            ad_set: nameOf(source?.adSetId),
            ad: nameOf(source?.adId),
            share: `${weight}/${total}`,
          }
        }),
      ]),
    ),
  }))
}
