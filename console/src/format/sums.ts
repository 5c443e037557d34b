/** Adds amounts as they came, decimals of at most four places, without the dust of binary fractions. */
export function sumMoney(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, amount) => sum + Math.round(amount * 10_000), 0)) / 10_000
}
