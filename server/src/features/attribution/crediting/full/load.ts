/** Reads a whole profile into columns: who is whose, what converted, and the touches of those who did. */
import { sql } from 'kysely'
import type pg from 'pg'
import { ColumnMemory } from '../../../../platform/db/copy/column-memory.ts'
import { readCopy, readInstant } from '../../../../platform/db/copy/copy-out.ts'
import { UuidTable } from '../../../../platform/db/copy/uuid-table.ts'
import type { Connection, Tx } from '../../../../platform/db/database.ts'
import { loadMembers } from '../../../facts/identity/members.ts'
import { loadTouches } from '../incremental/journeys.ts'
import { loadSources, renewOldSources, sourceIdOf, type TouchSource } from '../touch-sources.ts'
import { type Conversions, inIdOrder, loadConversions } from './conversions.ts'
import { Journeys } from './journeys.ts'
import { TouchParts } from './touch-parts.ts'

export type Profile = {
  /** All identifiers; a customer is the number of its root. */
  people: UuidTable
  conversions: Conversions
  /** Conversions of known customers, in the order of their ids. */
  order: Int32Array
  customerOf: (conversion: number) => number
  journeys: Journeys
  /** What the touches name, by the numbers that the journeys hold. */
  sources: TouchSource[]
  /** Of `people` and `journeys`, which only crediting needs. */
  memory: ColumnMemory
}

/** Two connections read side by side: the profile's lock keeps both from seeing a change. */
export async function loadProfile(main: Connection, reader: Connection, profileId: string): Promise<Profile> {
  await renewOldSources(main.tx, profileId)
  return readProfile(main, reader, profileId)
}

/** Without a lock both are one connection, whose transaction sees one moment and may be read-only. */
export async function readProfile(
  main: Connection,
  reader: Connection,
  profileId: string,
  isReadOnly = false,
): Promise<Profile> {
  const identifierCount = await countRows(main.tx, 'identifiers', profileId)
  const memory = new ColumnMemory(UuidTable.bytes(identifierCount) + identifierCount * 4)
  const people = new UuidTable(identifierCount, memory.allocate)
  const conversionCount = await countRows(main.tx, 'conversions', profileId)
  const [roots, conversions] = await Promise.all([
    loadRoots(reader.client, profileId, people),
    loadConversions(main, profileId, people, conversionCount),
  ])
  // An identifier without a row of its own has no customer to credit.
  const rootOf = withRoom(roots, people)
  const customerOf = (conversion: number) => rootOf[conversions.rows.person(conversion)]!
  const order = inIdOrder(conversions.ids, (conversion) => customerOf(conversion) >= 0)
  const customers = onlyConverted(rootOf, conversions, customerOf)
  const reported = await listReported(main.tx, profileId)
  const known = { people, customers }
  const { journeys, sourceIds } = await loadSeenTouches(main.client, profileId, known, {
    hasReported: reported.length > 0,
    journeys: new Journeys(people.size, memory.allocate),
  })
  await addReportedTouches(main.tx, profileId, known, reported, { journeys, sourceIds })
  const sources = await readSources(main.tx, profileId, sourceIds, isReadOnly)
  return { people, conversions, order, customerOf, journeys, sources, memory }
}

/** So that columns need not grow. Counted, not taken from a plan: Citus writes plans of its own, and statistics may be old. */
async function countRows(tx: Tx, table: 'identifiers' | 'conversions', profileId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where profile_id = ${profileId}`.execute(tx)
  return rows[0]!.count
}

/** Each identifier's customer; -1 where the customer did not convert. */
function onlyConverted(
  rootOf: Int32Array,
  { ids }: Conversions,
  customerOf: (conversion: number) => number,
): Int32Array {
  const hasConverted = new Uint8Array(rootOf.length)
  for (let conversion = 0; conversion < ids.size; conversion++) {
    const customer = customerOf(conversion)
    if (customer >= 0) hasConverted[customer] = 1
  }
  return rootOf.map((root) => (root >= 0 && hasConverted[root] === 1 ? root : -1))
}

/** Numbers all identifiers and finds each one's root; -1 for one that has no row. */
async function loadRoots(client: pg.PoolClient, profileId: string, people: UuidTable): Promise<Int32Array> {
  let rootOf = withRoom(new Int32Array(), people)
  await readCopy(
    client,
    `copy (
      select id, nullif(customer_id, id) from identifiers where profile_id = '${profileId}') to stdout (format binary)`,
    2,
    ({ view, at, size }) => {
      const member = people.numberOf(view, at[0]!)
      const root = size[1]! < 0 ? member : people.numberOf(view, at[1]!)
      rootOf = withRoom(rootOf, people)
      rootOf[member] = root
    },
  )
  return rootOf
}

/** A root per identifier that the table has room for. */
function withRoom(rootOf: Int32Array, { capacity }: UuidTable): Int32Array {
  if (rootOf.length === capacity) return rootOf
  const larger = new Int32Array(capacity).fill(-1, rootOf.length)
  larger.set(rootOf)
  return larger
}

type Known = { people: UuidTable; customers: Int32Array }

async function loadSeenTouches(
  client: pg.PoolClient,
  profileId: string,
  { people, customers }: Known,
  { hasReported, journeys }: { hasReported: boolean; journeys: Journeys },
): Promise<{ journeys: Journeys; sourceIds: UuidTable }> {
  // The last of 21 columns: to read up to it is a fifth of what the database spends on a touch.
  const isSeen = hasReported ? 'and reported_at is null' : ''
  const parts = new TouchParts(people, customers, journeys)
  const sourceIds = new UuidTable()
  await readCopy(
    client,
    `copy (
        select identifier_id, occurred_at, source_id from touches
        where profile_id = '${profileId}' ${isSeen}) to stdout (format binary)`,
    3,
    ({ view, at }) => {
      parts.add(view, at[0]!, readInstant(view, at[1]!), sourceIds.numberOf(view, at[2]!))
    },
  )
  parts.end()
  return { journeys, sourceIds }
}

/** Identifiers with touches from records of providers. */
async function listReported(tx: Tx, profileId: string): Promise<string[]> {
  const { rows } = await sql<{ identifier_id: string }>`
    select distinct identifier_id from touches
    where profile_id = ${profileId} and reported_at is not null`.execute(tx)
  return rows.map((row) => row.identifier_id)
}

const CUSTOMERS_AT_ONCE = 2000

/** Touches from records of providers: whether it is an echo is decided by all touches of the customer, who are few. */
async function addReportedTouches(
  tx: Tx,
  profileId: string,
  { people, customers }: Known,
  reported: readonly string[],
  { journeys, sourceIds }: { journeys: Journeys; sourceIds: UuidTable },
): Promise<void> {
  const numbers = new Set(reported.map((id) => customers[people.numberOfText(id, false)] ?? -1))
  numbers.delete(-1)
  const customerIds = [...numbers].map((customer) => people.textAt(customer))
  for (let from = 0; from < customerIds.length; from += CUSTOMERS_AT_ONCE) {
    const part = customerIds.slice(from, from + CUSTOMERS_AT_ONCE)
    const members = await loadMembers(tx, profileId, part)
    for (const touch of await loadTouches(tx, profileId, members, new Set(part)))
      if (touch.reported_at !== null)
        journeys.add(
          people.numberOfText(touch.customer_id, false),
          touch.occurred_at.getTime(),
          sourceIds.numberOfText(sourceIdOf(touch)),
        )
  }
}

async function readSources(
  tx: Tx,
  profileId: string,
  sourceIds: UuidTable,
  isReadOnly: boolean,
): Promise<TouchSource[]> {
  const ids = Array.from({ length: sourceIds.size }, (_, number) => sourceIds.textAt(number))
  const sources = await loadSources(tx, profileId, ids, isReadOnly)
  return ids.map((id) => sources.get(id)!)
}
