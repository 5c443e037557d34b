/** Journeys as paths of channels. Pure. */

/** The only step of a payment without a visit in the lookback. */
export const UNKNOWN = 'unknown'
/** The only step of a payment of a goal that is never credited: its visits are not stored with it. */
export const NOT_CREDITABLE = 'not_creditable'
const EARLIER = 'earlier'
export const MAX_STEPS = 6

/** Consecutive visits of one channel are one step; a long journey is cut to its last steps. */
export function toSteps(channels: readonly string[]): string[] {
  const steps = channels.filter((channel, index) => channel !== channels[index - 1])
  if (steps.length === 0) return [UNKNOWN]
  return steps.length > MAX_STEPS ? [EARLIER, ...steps.slice(-MAX_STEPS)] : steps
}

export type Sale = {
  steps: readonly string[]
  customerId: string
  /** False if only a refund of the payment is on these days. */
  isPaid: boolean
  /** What these days have of it, refunds subtracted. */
  amountMinor: number
  /** Amounts left out because they have no exchange rate. */
  unrated: number
}
export type Sum = { payments: number; customers: number; amountMinor: number; fxMissing: number }

type Refund = { day: number; amountMinor: number | null }

/** Money on the days of the report: the amount on the day of the payment, refunds on their own days. */
export function moneyOfDays(
  isPaid: boolean,
  paidMinor: number | null,
  refunds: readonly Refund[],
  days: { from: number; to: number },
): Pick<Sale, 'isPaid' | 'amountMinor' | 'unrated'> {
  const amounts = refunds
    .filter(({ day }) => day >= days.from && day <= days.to)
    .map(({ amountMinor }) => (amountMinor === null ? null : -amountMinor))
  if (isPaid) amounts.push(paidMinor)
  return {
    isPaid,
    amountMinor: amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0),
    unrated: amounts.filter((amount) => amount === null).length,
  }
}

export function sumSales(sales: readonly Sale[]): Sum {
  const paid = sales.filter(({ isPaid }) => isPaid)
  return {
    payments: paid.length,
    customers: new Set(paid.map(({ customerId }) => customerId)).size,
    amountMinor: sales.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    fxMissing: sales.reduce((sum, { unrated }) => sum + unrated, 0),
  }
}

/** Most common first, then by value. */
export function groupPaths(sales: readonly Sale[]): (Sum & { steps: readonly string[]; key: string })[] {
  return [...Map.groupBy(sales, ({ steps }) => steps.join())]
    .map(([key, group]) => ({ key, steps: group[0]!.steps, ...sumSales(group) }))
    .sort((a, b) => b.payments - a.payments || b.amountMinor - a.amountMinor || (a.key < b.key ? -1 : 1))
}
