/** Journeys as paths of channels. Pure. */

/** In the place of what no visit led to. */
export const UNKNOWN = 'unknown'
const EARLIER = 'earlier'
export const MOST_STEPS = 6

/** Visits in a row of one channel are one step; of a long journey the last steps remain. */
export function stepsOf(channels: readonly string[]): string[] {
  const steps = channels.filter((channel, index) => channel !== channels[index - 1])
  if (steps.length === 0) return [UNKNOWN]
  return steps.length > MOST_STEPS ? [EARLIER, ...steps.slice(-MOST_STEPS)] : steps
}

export type Sale = {
  steps: readonly string[]
  customerId: string
  /** Null without an exchange rate. */
  amountMinor: number | null
  /** Refunds of it without a rate. */
  unratedRefunds: number
}
export type Sum = { payments: number; customers: number; amountMinor: number; fxMissing: number }

export function sumOf(sales: readonly Sale[]): Sum {
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

/** The most common first, then the most valuable. */
export function pathsOf(sales: readonly Sale[]): (Sum & { steps: readonly string[]; key: string })[] {
  return [...Map.groupBy(sales, ({ steps }) => steps.join())]
    .map(([key, own]) => ({ key, steps: own[0]!.steps, ...sumOf(own) }))
    .sort((a, b) => b.payments - a.payments || b.amountMinor - a.amountMinor || (a.key < b.key ? -1 : 1))
}
