/** Puts a profile's credits and rollups in place of the stored ones; credits that are the same are left alone. */
import type { Rollups } from '@whence/engine'
import { sql } from 'kysely'
import type pg from 'pg'
import { dayNumber } from '../../../contract/dates.ts'
import type { Tx } from '../../../db/database.ts'
import type { PathBook } from '../paths.ts'
import { measureColumns, NIL_ENTITY, type RollupDelta, rollupDeltas, spanDeltas, spans } from '../rollups.ts'
import { applyTotals } from '../totals.ts'
import { CopyWriter, readCopy, readDay } from './binary-copy.ts'
import type { Credited } from './credit.ts'
import { type Profile, uuidAt } from './load.ts'

const UUID = 16

export async function saveCredits(
  tx: Tx,
  client: pg.PoolClient,
  profileId: string,
  loaded: Profile,
  credited: Credited,
): Promise<void> {
  const { conversions } = loaded
  const isSame = new Uint8Array(conversions.count)
  const old = await compareStored(client, profileId, loaded, credited, isSame)
  const changed = inIdOrder(loaded, isSame)
  if (changed.length === 0 && old.gone.length === 0) return
  if (old.different + old.gone.length > 10_000) {
    await sql`delete from credits where profile_id = ${profileId}`.execute(tx)
    isSame.fill(0)
    await copyCredits(client, profileId, loaded, credited, inIdOrder(loaded, isSame))
    return
  }
  const stale = [...changed].map((conversion) => uuidAt(conversions.ids, conversion))
  await sql`
    delete from credits where profile_id = ${profileId} and conversion_id = any(${[...old.gone, ...(old.different > 0 ? stale : [])]}::uuid[])`.execute(
    tx,
  )
  await copyCredits(client, profileId, loaded, credited, changed)
}

/** Marks the conversions whose stored credit is what it should be; tells the others. */
async function compareStored(
  client: pg.PoolClient,
  profileId: string,
  loaded: Profile,
  credited: Credited,
  isSame: Uint8Array,
): Promise<{ different: number; gone: string[] }> {
  const { conversions, people } = loaded
  const { kinds } = conversions
  const result = { different: 0, gone: [] as string[] }
  await readCopy(
    client,
    `copy (
      select conversion_id, customer_id, day, outcome_type, revenue_type, fx_missing, packed from credits
      where profile_id = '${profileId}') to stdout (format binary)`,
    7,
    ({ bytes, at, size }) => {
      const conversion = conversions.ids.numberOf(bytes, at[0]!, at[0]! + UUID, false)
      if (conversion < 0) {
        result.gone.push(toUuid(bytes.toString('hex', at[0]!, at[0]! + UUID)))
        return
      }
      const kind = kinds.list[conversions.kind.get(conversion)]!
      const same =
        people.numberOf(bytes, at[1]!, at[1]! + UUID, false) === conversions.customer.get(conversion) &&
        readDay(bytes, at[2]!) === conversions.day.get(conversion) &&
        bytes[at[5]!] === conversions.flags.get(conversion) &&
        bytes.toString('latin1', at[3]!, at[3]! + size[3]!) === kind.outcomeType &&
        bytes.toString('latin1', at[4]!, at[4]! + size[4]!) === kind.revenueType &&
        credited.writer.bytes.compare(
          bytes,
          at[6]!,
          at[6]! + size[6]!,
          credited.start[conversion]!,
          credited.end[conversion]!,
        ) === 0
      if (same) isSame[conversion] = 1
      else result.different += 1
    },
  )
  return result
}

function toUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** By the first four bytes of the id: rows that come in the order of the key find its pages in memory. */
function inIdOrder({ conversions }: Profile, isSame: Uint8Array): Int32Array {
  const { keys } = conversions.ids
  const wanted = Int32Array.from(
    (function* () {
      for (let index = 0; index < conversions.count; index++) if (isSame[index] === 0) yield index
    })(),
  )
  let [from, to] = [wanted, new Int32Array(wanted.length)]
  for (const at of [2, 0]) {
    const start = new Int32Array(65_537)
    const digit = (index: number) => keys.readUInt16BE(conversions.ids.startOf(index) + at)
    for (const index of from) start[digit(index) + 1]! += 1
    for (let value = 0; value < 65_536; value++) start[value + 1]! += start[value]!
    for (const index of from) to[start[digit(index)]!++] = index
    ;[from, to] = [to, from]
  }
  return from
}

async function copyCredits(
  client: pg.PoolClient,
  profileId: string,
  loaded: Profile,
  credited: Credited,
  order: Int32Array,
): Promise<void> {
  if (order.length === 0) return
  const { conversions, people } = loaded
  const profile = uuidBytes(profileId)
  const kinds = conversions.kinds.list.map((kind) => ({
    outcomeType: Buffer.from(kind.outcomeType),
    revenueType: Buffer.from(kind.revenueType),
  }))
  const writer = new CopyWriter(
    client,
    `copy credits (profile_id, conversion_id, customer_id, day, outcome_type, revenue_type, fx_missing, paths, packed)
     from stdin (format binary)`,
  )
  for (const conversion of order) {
    const customer = conversions.customer.get(conversion)
    const kind = kinds[conversions.kind.get(conversion)]!
    const [pathStart, pathEnd] = [credited.pathStart[conversion]!, credited.pathEnd[conversion]!]
    writer.beginRow(9)
    writer.field(profile, 0, UUID)
    writer.field(conversions.ids.keys, conversions.ids.startOf(conversion), conversions.ids.endOf(conversion))
    writer.field(people.keys, people.startOf(customer), people.endOf(customer))
    writer.day(conversions.day.get(conversion))
    writer.text(kind.outcomeType)
    writer.text(kind.revenueType)
    writer.boolean(conversions.flags.get(conversion) === 1)
    writer.integers(credited.paths.subarray(pathStart, pathEnd), pathEnd - pathStart)
    writer.field(credited.writer.bytes, credited.start[conversion]!, credited.end[conversion]!)
    if (writer.isFull) await writer.flush()
  }
  await writer.end()
}

function uuidBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

/** Written anew as a whole: they are small beside the credits, and a damaged row goes too. */
export async function saveRollups(
  tx: Tx,
  client: pg.PoolClient,
  profileId: string,
  loaded: Profile,
  credited: Credited,
  book: PathBook,
): Promise<void> {
  for (const table of ['credit_daily', 'credit_spans', 'unassigned_daily', 'conversion_daily'])
    await sql`delete from ${sql.table(table)} where profile_id = ${profileId}`.execute(tx)
  const kinds = loaded.conversions.kinds.list
  const rows = (rollups: Rollups, idAt: (index: number) => string) =>
    rollupDeltas([], rollups.rows(), kinds, idAt)
  const daily = rows(credited.rollups, book.entityIdAt)
  await copyRollups(client, profileId, { table: 'credit_daily', entity: 'entity_id', day: 'day' }, daily)
  for (const span of spans)
    await copyRollups(
      client,
      profileId,
      { table: 'credit_spans', entity: 'entity_id', day: 'start', span },
      spanDeltas(daily, span),
    )
  if (credited.unassigned !== null)
    await copyRollups(
      client,
      profileId,
      { table: 'unassigned_daily', entity: 'platform', day: 'day' },
      rows(credited.unassigned, book.platformAt).filter((row) => row.entityId !== NIL_ENTITY),
    )
  await applyTotals(tx, profileId, credited.totals)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function remembering(make: (text: string) => Buffer): (text: string) => Buffer {
  const known = new Map<string, Buffer>()
  return (text) => {
    let bytes = known.get(text)
    if (bytes === undefined) {
      bytes = make(text)
      known.set(text, bytes)
    }
    return bytes
  }
}

type Target = { table: string; entity: 'entity_id' | 'platform'; day: 'day' | 'start'; span?: number }

async function copyRollups(
  client: pg.PoolClient,
  profileId: string,
  target: Target,
  rows: readonly RollupDelta[],
): Promise<void> {
  if (rows.length === 0) return
  const profile = uuidBytes(profileId)
  const columns = [
    'profile_id',
    ...(target.span === undefined ? [] : ['span']),
    'level',
    target.entity,
    target.day,
    'outcome_type',
    'revenue_type',
    ...measureColumns,
  ]
  const writer = new CopyWriter(
    client,
    `copy ${target.table} (${columns.join(', ')}) from stdin (format binary)`,
  )
  const bytesOf = remembering((text: string) => Buffer.from(text))
  const entityOf = remembering(target.entity === 'platform' ? (text: string) => Buffer.from(text) : uuidBytes)
  // In the order of the key, so that its pages are found in memory.
  const ordered = rows.toSorted(
    (a, b) => compare(a.level, b.level) || compare(a.day, b.day) || compare(a.entityId, b.entityId),
  )
  for (const row of ordered) {
    writer.beginRow(columns.length)
    writer.field(profile, 0, UUID)
    if (target.span !== undefined) writer.smallint(target.span)
    writer.text(bytesOf(row.level))
    writer.text(entityOf(row.entityId))
    writer.day(dayNumber(row.day))
    writer.text(bytesOf(row.outcomeType))
    writer.text(bytesOf(row.revenueType))
    for (const count of row.counts) writer.bigint(count)
    for (const amount of row.valueMinor) writer.bigint(amount)
    if (writer.isFull) await writer.flush()
  }
  await writer.end()
}
