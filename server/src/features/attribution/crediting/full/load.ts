/** Reads a whole profile into columns: identifiers and their customers, conversions, and touches of converted customers. */
import { sql } from 'kysely'
import type pg from 'pg'
import { ColumnMemory } from '../../../../platform/db/copy/column-memory.ts'
import { readCopy, readInstant } from '../../../../platform/db/copy/copy-out.ts'
import { UuidTable } from '../../../../platform/db/copy/uuid-table.ts'
import type { Connection, Tx } from '../../../../platform/db/database.ts'
import { loadMembers } from '../../../facts/identity/members.ts'
import { loadTouches } from '../incremental/journeys.ts'
import { loadSources, migrateOldSources, sourceIdOf, type TouchSource } from '../touch-sources.ts'
import { type Conversions, inIdOrder, loadConversions } from './conversions.ts'
import { Journeys } from './journeys.ts'
import { TouchParts } from './touch-parts.ts'

export type Profile = {
  /** All identifiers. A customer is the number of its root identifier. */
  people: UuidTable
  conversions: Conversions
  /** Conversions of existing customers, sorted by id. */
  order: Int32Array
  customerOf: (conversion: number) => number
  journeys: Journeys
  /** Touch sources, by the source numbers of the journeys. */
  sources: TouchSource[]
  /** Backs `people` and `journeys`, which only crediting needs. */
  memory: ColumnMemory
}

/** Reads on two connections in parallel. The profile's lock guarantees that both see the same state. */
export async function loadProfile(main: Connection, reader: Connection, profileId: string): Promise<Profile> {
  await migrateOldSources(main.tx, profileId)
  return readProfile(main, reader, profileId)
}

/** Without the lock, pass the same connection twice: its transaction is one snapshot and may be read-only. */
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
  // An identifier without a row has no customer to credit.
  const rootOf = resizeRoots(roots, people)
  const customerOf = (conversion: number) => rootOf[conversions.rows.person(conversion)]!
  const order = inIdOrder(conversions.ids, (conversion) => customerOf(conversion) >= 0)
  const customers = convertedCustomers(rootOf, conversions, customerOf)
  const reported = await listReported(main.tx, profileId)
  const lookup = { people, customers }
  const { journeys, sourceIds } = await loadSeenTouches(main.client, profileId, lookup, {
    hasReported: reported.length > 0,
    journeys: new Journeys(people.size, memory.allocate),
  })
  await addReportedTouches(main.tx, profileId, lookup, reported, { journeys, sourceIds })
  const sources = await readSources(main.tx, profileId, sourceIds, isReadOnly)
  return { people, conversions, order, customerOf, journeys, sources, memory }
}

/** Exact counts, to size the columns. Planner estimates would not do: Citus has its own plans, and statistics may be old. */
async function countRows(tx: Tx, table: 'identifiers' | 'conversions', profileId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where profile_id = ${profileId}`.execute(tx)
  return rows[0]!.count
}

/** Each identifier's customer; -1 if the customer did not convert. */
function convertedCustomers(
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

/** Numbers all identifiers and loads the root of each; -1 for an identifier without a row. */
async function loadRoots(client: pg.PoolClient, profileId: string, people: UuidTable): Promise<Int32Array> {
  let rootOf = resizeRoots(new Int32Array(), people)
  await readCopy(
    client,
    `copy (
      select id, nullif(customer_id, id) from identifiers where profile_id = '${profileId}') to stdout (format binary)`,
    2,
    ({ view, at, size }) => {
      const member = people.numberOf(view, at[0]!)
      const root = size[1]! < 0 ? member : people.numberOf(view, at[1]!)
      rootOf = resizeRoots(rootOf, people)
      rootOf[member] = root
    },
  )
  return rootOf
}

/** Grows the column to the capacity of the table. */
function resizeRoots(rootOf: Int32Array, { capacity }: UuidTable): Int32Array {
  if (rootOf.length === capacity) return rootOf
  const larger = new Int32Array(capacity).fill(-1, rootOf.length)
  larger.set(rootOf)
  return larger
}

type CustomerLookup = { people: UuidTable; customers: Int32Array }

async function loadSeenTouches(
  client: pg.PoolClient,
  profileId: string,
  { people, customers }: CustomerLookup,
  { hasReported, journeys }: { hasReported: boolean; journeys: Journeys },
): Promise<{ journeys: Journeys; sourceIds: UuidTable }> {
  // reported_at is the last of 21 columns: reading it is a fifth of the database's cost per touch, so skip it if possible.
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

/** Identifiers with touches that a provider reported. */
async function listReported(tx: Tx, profileId: string): Promise<string[]> {
  const { rows } = await sql<{ identifier_id: string }>`
    select distinct identifier_id from touches
    where profile_id = ${profileId} and reported_at is not null`.execute(tx)
  return rows.map((row) => row.identifier_id)
}

const CUSTOMERS_AT_ONCE = 2000

/** Adds touches that providers reported. Echoes are decided on all touches of a customer; few customers have reported ones. */
async function addReportedTouches(
  tx: Tx,
  profileId: string,
  { people, customers }: CustomerLookup,
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
