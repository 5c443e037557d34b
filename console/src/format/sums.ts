/** Adds amounts with at most four decimals, without binary rounding errors. */
export function sumMoney(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, amount) => sum + Math.round(amount * 10_000), 0)) / 10_000
}
