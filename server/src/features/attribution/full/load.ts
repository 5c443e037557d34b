/** Reads a whole profile into columns: who is whose, what converted, and the touches of those who did. */
import { sql } from 'kysely'
import type pg from 'pg'
import { dayNumber } from '../../../contract/dates.ts'
import type { Tx } from '../../../db/database.ts'
import { loadMembers } from '../../identity/members.ts'
import { loadTouches } from '../journeys.ts'
import type { PackedRefund } from '../packed.ts'
import type { NamedAd } from '../paths.ts'
import { KindIndex } from '../recompute.ts'
import { readBigint, readCopy, readDay, readInstant, readUuid } from './binary-copy.ts'
import { ByteTable } from './byte-table.ts'
import { doubles, integers } from './columns.ts'

const UUID = 16

export type Conversions = {
  count: number
  /** Ids, in the order of the columns. */
  ids: ByteTable
  /** Identifier number of the customer. */
  customer: ReturnType<typeof integers>
  at: ReturnType<typeof doubles>
  amountMinor: ReturnType<typeof doubles>
  day: ReturnType<typeof integers>
  kind: ReturnType<typeof integers>
  goal: ReturnType<typeof integers>
  /** Bit 0: a rate is missing. */
  flags: ReturnType<typeof integers>
  refunds: Map<number, PackedRefund[]>
  kinds: KindIndex
  goals: ByteTable
}

export type Profile = {
  /** All identifiers; a customer is the number of its root. */
  people: ByteTable
  conversions: Conversions
  touches: Touches
  named: NamedAd[]
}

/** Touches by customer, in touch order; a customer's are `start[c]` up to `start[c + 1]`. */
export type Touches = { start: Int32Array; at: Float64Array; named: Int32Array; isDirect: Uint8Array }

export async function loadProfile(tx: Tx, client: pg.PoolClient, profileId: string): Promise<Profile> {
  const people = new ByteTable(1 << 16)
  const rootOf = await loadPeople(client, profileId, people)
  const conversions = await loadConversions(tx, client, profileId, people, rootOf)
  const hasConverted = new Uint8Array(people.size)
  for (let index = 0; index < conversions.count; index++) hasConverted[conversions.customer.get(index)] = 1
  const raw = await loadRawTouches(client, profileId, people, rootOf, hasConverted)
  const named = readNamed(raw.names)
  const touches = groupTouches(raw, people.size)
  await orderTies(tx, profileId, people, touches, named)
  return { people, conversions, touches, named }
}

/** Numbers all identifiers and tells each one's root. */
async function loadPeople(client: pg.PoolClient, profileId: string, people: ByteTable): Promise<Int32Array> {
  const roots = integers()
  const members = integers()
  await readCopy(
    client,
    `copy (select id, customer_id from identifiers where profile_id = '${profileId}') to stdout (format binary)`,
    2,
    ({ bytes, at }) => {
      members.push(people.numberOf(bytes, at[0]!, at[0]! + UUID))
      roots.push(people.numberOf(bytes, at[1]!, at[1]! + UUID))
    },
  )
  const rootOf = new Int32Array(people.size).fill(-1)
  for (let index = 0; index < members.length; index++) rootOf[members.get(index)] = roots.get(index)
  return rootOf
}

async function loadConversions(
  tx: Tx,
  client: pg.PoolClient,
  profileId: string,
  people: ByteTable,
  rootOf: Int32Array,
): Promise<Conversions> {
  const refundsOf = await loadRefunds(tx, profileId)
  const ids = new ByteTable(1 << 16)
  const [customer, day, kind, goal, flags] = [integers(), integers(), integers(), integers(), integers()]
  const [at, amountMinor] = [doubles(), doubles()]
  const kinds = new KindIndex()
  const goals = new ByteTable()
  const refunds = new Map<number, PackedRefund[]>()
  await readCopy(
    client,
    `copy (
      select id, identifier_id, occurred_at, day, outcome_type, revenue_type, report_value_minor, value_minor is null, goal_id, event_id
      from conversions where profile_id = '${profileId}' and attribution_eligible) to stdout (format binary)`,
    10,
    (row) => {
      const { bytes } = row
      const owner = people.numberOf(bytes, row.at[1]!, row.at[1]! + UUID, false)
      // An identifier without a row of its own has no customer to credit.
      if (owner < 0 || rootOf[owner]! < 0) return
      const index = ids.numberOf(bytes, row.at[0]!, row.at[0]! + UUID)
      const revenueType = text(bytes, row.at[5]!, row.size[5]!)
      customer.push(rootOf[owner]!)
      at.push(readInstant(bytes, row.at[2]!))
      day.push(readDay(bytes, row.at[3]!))
      kind.push(kinds.of(text(bytes, row.at[4]!, row.size[4]!), revenueType))
      amountMinor.push(row.size[6]! < 0 ? 0 : readBigint(bytes, row.at[6]!))
      goal.push(goals.numberOf(bytes, row.at[8]!, row.at[8]! + UUID))
      const own =
        revenueType === 'cash' && refundsOf.size > 0
          ? refundsOf.get(bytes.toString('hex', row.at[9]!, row.at[9]! + UUID))
          : undefined
      if (own !== undefined) refunds.set(index, own.known)
      const isMissing = (row.size[6]! < 0 && bytes[row.at[7]!] === 0) || own?.isMissing === true
      flags.push(isMissing ? 1 : 0)
    },
  )
  return { count: ids.size, ids, customer, at, amountMinor, day, kind, goal, flags, refunds, kinds, goals }
}

type OwnRefunds = { known: PackedRefund[]; isMissing: boolean }

/** By the payment's id in hexadecimal, in the order that credits are packed in. */
async function loadRefunds(tx: Tx, profileId: string): Promise<Map<string, OwnRefunds>> {
  const { rows } = await sql<{ payment_id: string; day: string; report_amount_minor: number | null }>`
    select payment_id, day, report_amount_minor from refunds where profile_id = ${profileId}
    order by payment_id, day, occurred_at, id`.execute(tx)
  const byPayment = new Map<string, OwnRefunds>()
  for (const row of rows) {
    const key = row.payment_id.replaceAll('-', '')
    const own = byPayment.get(key) ?? { known: [], isMissing: false }
    byPayment.set(key, own)
    if (row.report_amount_minor === null) own.isMissing = true
    else own.known.push({ day: dayNumber(row.day), amountMinor: row.report_amount_minor })
  }
  return byPayment
}

type RawTouches = {
  customer: ReturnType<typeof integers>
  at: ReturnType<typeof doubles>
  /** Number of what it names, doubled, plus one for a direct touch. */
  named: ReturnType<typeof integers>
  names: ByteTable
}

async function loadRawTouches(
  client: pg.PoolClient,
  profileId: string,
  people: ByteTable,
  rootOf: Int32Array,
  hasConverted: Uint8Array,
): Promise<RawTouches> {
  const raw = { customer: integers(), at: doubles(), named: integers(), names: new ByteTable() }
  await readCopy(
    client,
    `copy (
      select identifier_id, occurred_at, is_direct, platform, campaign_external_id, ad_set_external_id, ad_external_id
      from touches where profile_id = '${profileId}') to stdout (format binary)`,
    7,
    ({ bytes, at, size }) => {
      const person = people.numberOf(bytes, at[0]!, at[0]! + UUID, false)
      const root = person < 0 ? -1 : rootOf[person]!
      if (root < 0 || hasConverted[root] === 0) return
      // The names with their lengths lie side by side in the row, so they are one key.
      const end = at[6]! + Math.max(0, size[6]!)
      raw.customer.push(root)
      raw.at.push(readInstant(bytes, at[1]!))
      raw.named.push(raw.names.numberOf(bytes, at[3]! - 4, end) * 2 + bytes[at[2]!]!)
    },
  )
  return raw
}

function readNamed(names: ByteTable): NamedAd[] {
  return Array.from({ length: names.size }, (_, number) => {
    let at = names.startOf(number)
    const next = () => {
      const size = names.keys.readInt32BE(at)
      at += 4 + Math.max(0, size)
      return size < 0 ? null : text(names.keys, at - size, size)
    }
    return {
      platform: next(),
      campaign_external_id: next(),
      ad_set_external_id: next(),
      ad_external_id: next(),
    }
  })
}

/** A counting sort by customer, then each short journey by time. */
function groupTouches(raw: RawTouches, customers: number): Touches {
  const start = new Int32Array(customers + 1)
  for (let index = 0; index < raw.customer.length; index++) start[raw.customer.get(index) + 1]! += 1
  for (let customer = 0; customer < customers; customer++) start[customer + 1]! += start[customer]!
  const next = start.slice(0, customers)
  const at = new Float64Array(raw.customer.length)
  const named = new Int32Array(raw.customer.length)
  const isDirect = new Uint8Array(raw.customer.length)
  for (let index = 0; index < raw.customer.length; index++) {
    const customer = raw.customer.get(index)
    const time = raw.at.get(index)
    let place = next[customer]!
    next[customer] = place + 1
    for (const begin = start[customer]!; place > begin && at[place - 1]! > time; place--) {
      at[place] = at[place - 1]!
      named[place] = named[place - 1]!
      isDirect[place] = isDirect[place - 1]!
    }
    const name = raw.named.get(index)
    at[place] = time
    named[place] = name >> 1
    isDirect[place] = name & 1
  }
  return { start, at, named, isDirect }
}

const TIES_AT_ONCE = 1000

/** Touches of one instant are ordered by when they were recorded; such customers are few and read in order. */
async function orderTies(
  tx: Tx,
  profileId: string,
  people: ByteTable,
  touches: Touches,
  named: readonly NamedAd[],
): Promise<void> {
  const tied: number[] = []
  for (let customer = 0; customer + 1 < touches.start.length; customer++) {
    for (let at = touches.start[customer]! + 1; at < touches.start[customer + 1]!; at++) {
      if (touches.at[at] !== touches.at[at - 1]) continue
      tied.push(customer)
      break
    }
  }
  if (tied.length === 0) return
  const keyOf = (ad: NamedAd) =>
    JSON.stringify([ad.platform, ad.campaign_external_id, ad.ad_set_external_id, ad.ad_external_id])
  const numbers = new Map(named.map((ad, number) => [keyOf(ad), number]))
  for (let from = 0; from < tied.length; from += TIES_AT_ONCE) {
    const ids = new Map(
      tied.slice(from, from + TIES_AT_ONCE).map((number) => [uuidAt(people, number), number]),
    )
    const members = await loadMembers(tx, profileId, [...ids.keys()])
    const rows = await loadTouches(tx, profileId, members, new Set(ids.keys()))
    const next = new Map<string, number>()
    for (const row of rows) {
      const place = next.get(row.customer_id) ?? touches.start[ids.get(row.customer_id)!]!
      next.set(row.customer_id, place + 1)
      touches.at[place] = row.occurred_at.getTime()
      touches.named[place] = numbers.get(keyOf(row))!
      touches.isDirect[place] = row.is_direct ? 1 : 0
    }
  }
}

export function uuidAt(table: ByteTable, number: number): string {
  return readUuid(table.keys, table.startOf(number))
}

const texts = new Map<string, string>()

/** Short words come again and again: as Latin letters they are decoded by a lookup. */
function text(bytes: Buffer, at: number, size: number): string {
  const raw = bytes.toString('latin1', at, at + size)
  let decoded = texts.get(raw)
  if (decoded === undefined) {
    decoded = bytes.toString('utf8', at, at + size)
    if (texts.size < 10_000) texts.set(raw, decoded)
  }
  return decoded
}
