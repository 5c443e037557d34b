/** Results of an event: the conversions that goals count, and the payment. */
import { dayIn, exchange, toMinor } from './decimal.ts'
import {
  type BrowserRevenue,
  type GoalFields,
  type PaymentStatus,
  type RevenueType,
  rates,
  type World,
} from './history.ts'
import type { Node } from './people.ts'
import type { StoredEvent } from './stored-events.ts'

export type Conversion = {
  /** `<event id> <goal key>`. */
  name: string
  eventId: string
  goal: string
  node: Node
  at: number
  recordedAt: number
  day: string
  outcomeType: string
  revenueType: RevenueType
  isEligible: boolean
  duplicateOf: string | null
  unconfirmed: boolean
  value: bigint | null
  currency: string | null
  /** In the report currency; null without money or without a rate. */
  report: bigint | null
  fxMissing: boolean
  refunds: (Refund & { day: string; report: bigint | null })[]
}

export type Payment = {
  id: string
  at: number
  recordedAt: number
  node: Node
  isAssigned: boolean
  value: bigint
  currency: string
  provider: string
  status: PaymentStatus | 'duplicate' | 'unconfirmed'
  subject: string | null
  isInstallment: boolean
  refund: Refund | null
}

/** A refund as reported by the merchant. */
export type ReportedRefund = { at: number; value: bigint; currency: string }
/** `value`: the counted part; `counted`: the same in the payment's currency. */
export type Refund = ReportedRefund & { counted: bigint; isCapped: boolean; isWaiting: boolean }
export type Goals = ReadonlyMap<string, GoalFields>
type MerchantMarks = Pick<Payment, 'isInstallment'> & {
  payer: Node | undefined
  refund: ReportedRefund | null
  moneyStatus: MoneyStatus
}

export function hasArrived(status: Payment['status']): boolean {
  return status === 'succeeded' || status === 'disputed'
}

/** A refund is capped at the payment and counts only once the payment has succeeded; without an exchange rate it waits. */
function counted(
  payment: { value: bigint; currency: string; status: Payment['status'] },
  reported: ReportedRefund,
  zone: string,
): Refund {
  const day = dayIn(zone, reported.at)
  const converted = exchange(reported.value, reported.currency, payment.currency, day, rates)
  if (converted === null) return { ...reported, counted: 0n, isCapped: false, isWaiting: true }
  const most = hasArrived(payment.status) ? payment.value : 0n
  if (converted <= most) return { ...reported, counted: converted, isCapped: false, isWaiting: false }
  const back = exchange(most, payment.currency, reported.currency, day, rates)!
  const value = back < reported.value ? back : reported.value
  return { ...reported, value, counted: most, isCapped: value !== reported.value, isWaiting: false }
}

function moneyOf(event: StoredEvent, world: World): { value: bigint; currency: string } | null {
  const { value, currency = world.currency } = event.body.properties ?? {}
  return value === undefined ? null : { value: toMinor(value, currency), currency }
}

export function paymentOf(
  event: StoredEvent,
  node: Node,
  goals: Goals,
  world: World,
  marks: MerchantMarks,
): Payment | null {
  const money = moneyOf(event, world)
  const isCash = [...goals.values()].some(
    (goal) => goal.revenue_type === 'cash' && goal.source_event_names.includes(event.name),
  )
  if (money === null || !isCash) return null
  const { payer, refund: reported, moneyStatus, ...otherMarks } = marks
  const status = hasArrived(event.status) ? (statusOf(moneyStatus) ?? event.status) : event.status
  const refund = reported && counted({ ...money, status }, reported, world.zone)
  return {
    id: event.id,
    at: event.at,
    recordedAt: event.recordedAt,
    node: payer ?? node,
    isAssigned: payer !== undefined,
    ...money,
    provider: event.source,
    status,
    subject: event.source === 'events' ? (event.body.properties?.subject_ref ?? null) : null,
    ...otherMarks,
    refund,
  }
}

export function conversionsOf(
  event: StoredEvent,
  payment: Payment | null,
  node: Node,
  goals: Goals,
  world: World,
  moneyStatus: MoneyStatus,
): Conversion[] {
  if (!hasArrived(event.status)) return []
  const inReport = (value: bigint, currency: string, day: string) =>
    exchange(value, currency, world.currency, day, rates)
  return [...goals].flatMap(([goal, fields]): Conversion[] => {
    if (!fields.source_event_names.includes(event.name)) return []
    const day = dayIn(world.zone, event.at)
    const money = moneyOf(event, world)
    const report = money === null ? null : inReport(money.value, money.currency, day)
    const refund = fields.revenue_type === 'cash' ? payment?.refund : null
    const duplicateOf = moneyStatus.duplicateOf[fields.revenue_type] ?? null
    const unconfirmed = duplicateOf === null && fields.revenue_type === 'cash' && moneyStatus.unconfirmed
    const refunds = [refund ?? []].flat().map((entry) => {
      const refundDay = dayIn(world.zone, entry.at)
      return {
        ...entry,
        day: refundDay,
        report: entry.isWaiting ? null : inReport(entry.value, entry.currency, refundDay),
      }
    })
    return [
      {
        name: `${event.id} ${goal}`,
        eventId: event.id,
        goal,
        node: payment?.node ?? node,
        at: event.at,
        recordedAt: event.recordedAt,
        day,
        outcomeType: fields.outcome_type,
        // Without an amount a cash conversion is pipeline.
        revenueType: fields.revenue_type === 'cash' && money === null ? 'pipeline' : fields.revenue_type,
        isEligible: fields.attribution_eligible && duplicateOf === null && !unconfirmed,
        duplicateOf,
        unconfirmed,
        value: money?.value ?? null,
        currency: money?.currency ?? null,
        report,
        fxMissing: money !== null && report === null,
        refunds,
      },
    ]
  })
}

/** Reasons why an event's money does not count. */
export type MoneyStatus = { duplicateOf: Partial<Record<RevenueType, string>>; unconfirmed: boolean }

function statusOf({ duplicateOf, unconfirmed }: MoneyStatus): 'duplicate' | 'unconfirmed' | undefined {
  if (duplicateOf.cash !== undefined) return 'duplicate'
  return unconfirmed ? 'unconfirmed' : undefined
}

const trust: Record<StoredEvent['source'], number> = { cardgateway: 0, partner: 1, events: 2, web: 3 }

/** The most trusted source of an order counts; events of other sources are duplicates of its earliest event. */
export function moneyStatusOf(
  event: StoredEvent,
  all: readonly StoredEvent[],
  goals: Goals,
  world: World,
  mode: BrowserRevenue,
): MoneyStatus {
  const earns = (stored: StoredEvent, type: RevenueType) =>
    hasArrived(stored.status) &&
    [...goals.values()].some(
      (goal) => goal.revenue_type === type && goal.source_event_names.includes(stored.name),
    )
  const order = event.body.properties?.order_id
  const duplicateOf: MoneyStatus['duplicateOf'] = {}
  for (const type of ['cash', 'gross'] as const) {
    if (order === undefined || !earns(event, type)) continue
    const tellings = all.filter(
      (telling) => telling.body.properties?.order_id === order && earns(telling, type),
    )
    const best = Math.min(...tellings.map((telling) => trust[telling.source]))
    if (trust[event.source] === best) continue
    const first = tellings
      .filter((telling) => trust[telling.source] === best)
      .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))[0]
    duplicateOf[type] = first!.id
  }
  const isMoney = event.source === 'web' && moneyOf(event, world) !== null
  const since = Math.min(
    ...all
      .filter((stored) => stored.source !== 'web' && moneyOf(stored, world) !== null && earns(stored, 'cash'))
      .map((stored) => stored.at),
  )
  const unconfirmed = isMoney && (mode === 'ignore' || (mode === 'confirm' && event.at >= since))
  return { duplicateOf, unconfirmed }
}
