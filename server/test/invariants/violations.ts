/** Violations of a rule. Money is summed in thousandths and shares to 1e-9, to avoid floating-point differences. */
import { type Difference, Differences } from '../oracle/differences.ts'

export type Violation = Difference

/** Thousandths cover the minor units of every currency in use. Unknown money adds nothing. */
export const milli = (value: number | string | null): number => Math.round(Number(value ?? 0) * 1000)
const NANO = 1e9

export class Violations {
  private readonly found = new Differences()

  get all(): readonly Violation[] {
    return this.found.all
  }

  lines(most: number): string[] {
    return this.found.all
      .slice(0, most)
      .map(
        ({ where, expected, got }) =>
          `${where}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`,
      )
  }

  equal(where: string, expected: unknown, got: unknown): void {
    this.found.check(where, expected, got)
  }

  atMost(where: string, part: number, whole: number): void {
    if (part > whole) this.found.all.push({ where, expected: `at most ${whole}`, got: part })
  }

  /** A ratio, which is rounded to six decimals. */
  close(where: string, expected: number | null, got: number | null): void {
    const isClose = expected === null || got === null ? expected === got : Math.abs(expected - got) < 1e-6
    if (!isClose) this.equal(where, expected, got)
  }

  money<T>(
    where: string,
    parts: readonly T[],
    select: (part: T) => number | string | null,
    whole: number | string | null,
  ): void {
    this.equal(
      where,
      milli(whole),
      parts.reduce((sum, part) => sum + milli(select(part)), 0),
    )
  }

  count<T>(
    where: string,
    parts: readonly T[],
    select: (part: T) => number | null,
    whole: number | null,
  ): void {
    this.equal(
      where,
      whole ?? 0,
      parts.reduce((sum, part) => sum + (select(part) ?? 0), 0),
    )
  }

  /** Each share is rounded to 1e-9, so that a sum may be off by half of that per part. */
  shares<T>(where: string, parts: readonly T[], select: (part: T) => number, whole: number): void {
    const sum = parts.reduce((total, part) => total + select(part), 0)
    if (Math.abs(sum - whole) * NANO > parts.length + 1)
      this.found.all.push({ where, expected: whole, got: sum })
  }
}

export function addTypes(parts: readonly Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const part of parts)
    for (const [type, count] of Object.entries(part)) sum[type] = (sum[type] ?? 0) + count
  return sum
}
