/** Loads a profile's conversions into columns, with their refunds. */
import { sql } from 'kysely'
import type pg from 'pg'
import { dayNumber } from '../../../../platform/contract/dates.ts'
import { ByteTable } from '../../../../platform/db/copy/byte-table.ts'
import { ColumnMemory } from '../../../../platform/db/copy/column-memory.ts'
import { readBigint, readCopy, readDay, readInstant } from '../../../../platform/db/copy/copy-out.ts'
import { UuidList, UuidTable } from '../../../../platform/db/copy/uuid-table.ts'
import type { Connection, Tx } from '../../../../platform/db/database.ts'
import type { PackedRefund } from '../credits/packed.ts'
import { type OutcomeKind, rollupKind, unratedRefundKind } from '../credits/rollups.ts'
import { COUNTED } from '../incremental/journeys.ts'
import {
  ConversionColumns,
  FIRST_BALANCE,
  FIRST_OPENS,
  FX_MISSING,
  HAS_REFUNDS,
  NOT_ELIGIBLE,
  STATUSES,
  UNNAMED,
} from './conversion-columns.ts'
import { IntegerColumn } from './integer-column.ts'

export type Conversions = {
  ids: UuidList
  rows: ConversionColumns
  refunds: Map<number, PackedRefund[]>
  kinds: OutcomeKind[]
  /** `kinds`, followed by the kinds of cash without a rate, first payments and refunds without a rate. */
  rollupKinds: OutcomeKind[]
  rollupKindOf(conversion: number): number
  unratedRefundKindOf(conversion: number): number
  goals: UuidTable
  /** Backs `ids` and `rows`. */
  memory: ColumnMemory
}

export async function loadConversions(
  { tx, client }: Connection,
  profileId: string,
  people: UuidTable,
  expected: number,
): Promise<Conversions> {
  const refunded = await loadRefunds(tx, profileId)
  const first = await loadFirstPayments(client, profileId)
  const hasPayments = refunded.payments.size + first.payments.size > 0
  const memory = new ColumnMemory(16 * Math.max(1024, expected) + ConversionColumns.bytes(expected))
  const ids = new UuidList(expected, memory.allocate)
  const rows = new ConversionColumns(memory.allocate)
  const kindNames = new ByteTable()
  const goals = new UuidTable()
  const refunds = new Map<number, PackedRefund[]>()
  await readCopy(
    client,
    `copy (
      select id, identifier_id, occurred_at, day, outcome_type, revenue_type, report_value_minor, value_minor is null, goal_id,
        attribution_eligible, ${hasPayments ? `case when revenue_type = 'cash' then event_id end` : 'null'},
        identifier_id = event_id
      from conversions where profile_id = '${profileId}' and ${COUNTED}) to stdout (format binary)`,
    12,
    (row) => {
      const { view, size } = row
      const index = ids.push(view, row.at[0]!)
      const hasNoReportValue = size[6]! < 0
      const payment = size[10]! < 0 ? -1 : refunded.payments.numberOf(view, row.at[10]!, false)
      const paymentRefunds = refunded.refunds[payment]
      const firstPart = size[10]! < 0 ? -1 : first.payments.numberOf(view, row.at[10]!, false)
      if (paymentRefunds !== undefined) refunds.set(index, paymentRefunds)
      const isRateMissing = hasNoReportValue && view.getUint8(row.at[7]!) === 0
      const isEligible = view.getUint8(row.at[9]!) !== 0
      rows.add(
        index,
        readInstant(view, row.at[2]!),
        hasNoReportValue ? 0 : readBigint(view, row.at[6]!),
        people.numberOf(view, row.at[1]!),
        readDay(view, row.at[3]!),
        // Outcome type and revenue type are adjacent in the row, with their lengths: one key covers both.
        kindNames.numberOf(view, row.at[4]! - 4, row.at[5]! + size[5]!),
        goals.numberOf(view, row.at[8]!),
        (isRateMissing ? FX_MISSING : 0) |
          (paymentRefunds === undefined ? 0 : HAS_REFUNDS) |
          (isEligible ? 0 : NOT_ELIGIBLE) |
          (view.getUint8(row.at[11]!) === 0 ? 0 : UNNAMED) |
          (firstPart < 0 ? 0 : first.isBalance.get(firstPart) === 1 ? FIRST_BALANCE : FIRST_OPENS),
      )
    },
  )
  const kinds = readKinds(kindNames)
  const rollupKinds = [...kinds]
  const numbers: number[] = []
  const rollupKindOf = (conversion: number) => {
    const kind = rows.kind(conversion)
    const flags = rows.statusFlags(conversion)
    if (flags === 0 || kinds[kind]!.revenueType !== 'cash') return kind
    const fxMissing = rows.isRateMissing(conversion)
    numbers[kind * STATUSES + flags] ??=
      rollupKinds.push(rollupKind(kinds[kind]!, { fxMissing, first: rows.first(conversion) })) - 1
    return numbers[kind * STATUSES + flags]!
  }
  const refundKinds: { later?: number; first?: number } = {}
  const unratedRefundKindOf = (conversion: number) => {
    const first = rows.first(conversion)
    const part = first === null ? 'later' : 'first'
    refundKinds[part] ??= rollupKinds.push(unratedRefundKind(first)) - 1
    return refundKinds[part]
  }
  return { ids, rows, refunds, kinds, rollupKinds, rollupKindOf, unratedRefundKindOf, goals, memory }
}

function readKinds(names: ByteTable): OutcomeKind[] {
  return Array.from({ length: names.size }, (_, number) => {
    const [outcomeType, revenueType] = names.textsAt(number)
    return { outcomeType: outcomeType!, revenueType: revenueType! }
  })
}

type FirstPayments = { payments: UuidTable; isBalance: IntegerColumn }

async function loadFirstPayments(client: pg.PoolClient, profileId: string): Promise<FirstPayments> {
  const first: FirstPayments = { payments: new UuidTable(), isBalance: new IntegerColumn() }
  await readCopy(
    client,
    `copy (
      select id, is_first_balance from payments
      where profile_id = '${profileId}' and is_first_payment) to stdout (format binary)`,
    2,
    ({ view, at }) => {
      first.payments.numberOf(view, at[0]!)
      first.isBalance.push(view.getUint8(at[1]!))
    },
  )
  return first
}

type RefundsByPayment = { payments: UuidTable; refunds: PackedRefund[][] }

/** Refunds of each payment, in the order in which credits pack them. */
async function loadRefunds(tx: Tx, profileId: string): Promise<RefundsByPayment> {
  const { rows } = await sql<{ payment_id: string; day: string; report_amount_minor: number | null }>`
    select payment_id, day, report_amount_minor from refunds where profile_id = ${profileId}
    order by payment_id, day, occurred_at, id`.execute(tx)
  const result: RefundsByPayment = { payments: new UuidTable(), refunds: [] }
  const id = new DataView(new ArrayBuffer(16))
  for (const row of rows) {
    const hex = row.payment_id.replaceAll('-', '')
    for (let word = 0; word < 4; word++)
      id.setUint32(word * 4, Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16))
    const payment = result.payments.numberOf(id, 0)
    result.refunds[payment] ??= []
    result.refunds[payment].push({ day: dayNumber(row.day), amountMinor: row.report_amount_minor })
  }
  return result
}

/** Numbers of the conversions that match `isWanted`, sorted by id. */
export function inIdOrder(ids: UuidList, isWanted: (conversion: number) => boolean): Int32Array {
  const { words } = ids
  const numbers = new Int32Array(ids.size)
  let count = 0
  let isOrdered = true
  for (let index = 0; index < ids.size; index++) {
    if (!isWanted(index)) continue
    if (count > 0 && isOrdered) isOrdered = compareWords(words, numbers[count - 1]! * 4, words, index * 4) < 0
    numbers[count++] = index
  }
  // Ids start with the time of receipt, so rows are mostly sorted already.
  return isOrdered ? numbers.subarray(0, count) : sortById(words, numbers.subarray(0, count), ids.size)
}

function sortById(words: Int32Array, numbers: Int32Array, size: number): Int32Array {
  // Sort key: the leading bits of the id, as many as fit in a double, above the number. Sorting doubles is ten times
  // faster than comparing ids; equal leading bits are sorted by the full id below.
  const scale = 2 ** Math.ceil(Math.log2(size + 1))
  const dropped = 2 ** Math.max(0, Math.log2(scale) - 21)
  const leadingBits = (index: number) => Math.floor((words[index * 4]! >>> 0) / dropped)
  const order = Int32Array.from(
    Float64Array.from(numbers, (index) => leadingBits(index) * scale + index).sort(),
    (key) => key % scale,
  )
  for (let begin = 0; begin < order.length; ) {
    let end = begin + 1
    while (end < order.length && leadingBits(order[end]!) === leadingBits(order[begin]!)) end += 1
    if (end > begin + 1) order.subarray(begin, end).sort((a, b) => compareWords(words, a * 4, words, b * 4))
    begin = end
  }
  return order
}

/** Compares two UUIDs bytewise, like the database. */
export function compareWords(a: Int32Array, aAt: number, b: Int32Array, bAt: number): number {
  for (let word = 0; word < 4; word++) {
    const x = a[aAt + word]! >>> 0
    const y = b[bAt + word]! >>> 0
    if (x !== y) return x < y ? -1 : 1
  }
  return 0
}
