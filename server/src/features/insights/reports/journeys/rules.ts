/** Journeys as paths of channels. Pure. */

/** The only step of a payment without a visit. */
export const UNKNOWN = 'unknown'
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
  /** Null without an exchange rate. */
  amountMinor: number | null
  /** Its refunds without an exchange rate. */
  unratedRefunds: number
}
export type Sum = { payments: number; customers: number; amountMinor: number; fxMissing: number }

export function sumSales(sales: readonly Sale[]): Sum {
  return {
    payments: sales.length,
    customers: new Set(sales.map(({ customerId }) => customerId)).size,
    amountMinor: sales.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0),
    fxMissing: sales.reduce(
      (sum, { amountMinor, unratedRefunds }) => sum + unratedRefunds + (amountMinor === null ? 1 : 0),
      0,
    ),
  }
}

/** Most common first, then by value. */
export function groupPaths(sales: readonly Sale[]): (Sum & { steps: readonly string[]; key: string })[] {
  return [...Map.groupBy(sales, ({ steps }) => steps.join())]
    .map(([key, group]) => ({ key, steps: group[0]!.steps, ...sumSales(group) }))
    .sort((a, b) => b.payments - a.payments || b.amountMinor - a.amountMinor || (a.key < b.key ? -1 : 1))
}
