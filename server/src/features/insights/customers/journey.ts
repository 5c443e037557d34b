/** The touches, replies, conversions and payments of one customer in chronological order. */
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { describeTouches } from '../../attribution/crediting/describe-touches.ts'
import { dropEchoes } from '../../attribution/crediting/incremental/journeys.ts'
import type { JourneyEntry } from './contract.ts'
import {
  type ConversionRow,
  type JourneyTouchRow,
  listConversions,
  listPayments,
  listReplies,
  listTouches,
  type PaymentRow,
  type ReplyRow,
} from './journey-queries.ts'

/** The newest of each kind. */
const MAX_ENTRIES = 500

export async function loadJourney(
  db: Db | Tx,
  person: { profileId: string; customerId: string; identifierIds: readonly string[] },
): Promise<{ journey: JourneyEntry[]; journey_truncated: boolean }> {
  const params = { ...person, limit: MAX_ENTRIES + 1 }
  const touches = await listTouches(db, params)
  const conversions = await listConversions(db, params)
  const payments = await listPayments(db, params)
  const replies = await listReplies(db, params)
  const distinctTouches = dropEchoes(
    touches
      .slice(0, MAX_ENTRIES)
      .reverse()
      .map((touch) => ({ ...touch, customer_id: person.customerId })),
  )
  const describe = await describeTouches(db, person.profileId, distinctTouches)
  return {
    journey: inOrder([
      ...distinctTouches.map((touch) => ({
        kind: 'touch' as const,
        ...describe(touch),
        ...whereFrom(touch),
        occurred_at: touch.occurred_at.toISOString(),
      })),
      ...conversions.slice(0, MAX_ENTRIES).map(toConversion),
      ...payments.slice(0, MAX_ENTRIES).map(toPayment),
      ...replies.slice(0, MAX_ENTRIES).map(toReply),
    ]),
    journey_truncated: [touches, conversions, payments, replies].some((rows) => rows.length > MAX_ENTRIES),
  }
}

const rank = { touch: 0, reply: 1, conversion: 2, payment: 3 }

/** By time; entries with equal times are ordered from cause to effect. */
export function inOrder(entries: readonly JourneyEntry[]): JourneyEntry[] {
  return entries.toSorted((a, b) =>
    a.occurred_at === b.occurred_at ? rank[a.kind] - rank[b.kind] : a.occurred_at < b.occurred_at ? -1 : 1,
  )
}

function whereFrom(touch: JourneyTouchRow) {
  const { identifier_id, landing_path, referrer_host, utm_source, utm_medium, utm_campaign } = touch
  return { identifier_id, landing_path, referrer_host, utm_source, utm_medium, utm_campaign }
}

function toConversion(row: ConversionRow): JourneyEntry {
  return {
    kind: 'conversion',
    occurred_at: row.occurred_at.toISOString(),
    conversion_id: row.id,
    outcome_type: row.outcome_type,
    revenue_type: row.revenue_type,
    value:
      row.value_minor === null || row.currency === null
        ? null
        : toDecimalNumber(row.value_minor, row.currency),
    currency: row.currency,
    attribution_eligible: row.attribution_eligible,
    duplicate_of: row.duplicate_of,
    unconfirmed: row.unconfirmed,
  }
}

function toReply({ id, occurred_at, conversation_id, template }: ReplyRow): JourneyEntry {
  return { kind: 'reply', occurred_at: occurred_at.toISOString(), conversation_id, message_id: id, template }
}

function toPayment(row: PaymentRow): JourneyEntry {
  return {
    kind: 'payment',
    occurred_at: row.occurred_at.toISOString(),
    payment_id: row.id,
    provider: row.provider,
    status: row.status,
    value: toDecimalNumber(row.value_minor, row.currency),
    refunded_value: toDecimalNumber(row.refunded_minor, row.currency),
    currency: row.currency,
    is_first_payment: row.is_first_payment,
  }
}
