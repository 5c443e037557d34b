import type { CopyRow } from '../../../platform/db/copy/copy-out.ts'

/** The 32-bit halves of this many hashes add up exactly in a double. */
const EXACT_ROWS = 2 ** 20

/** Exact sum of 64-bit hashes, equal to PostgreSQL's `sum`. */
export class HashSum {
  rows = 0
  private total = 0n
  private high = 0
  private low = 0

  add({ view, at }: CopyRow, field: number): void {
    this.high += view.getInt32(at[field]!)
    this.low += view.getUint32(at[field]! + 4)
    this.rows += 1
    if (this.rows % EXACT_ROWS === 0) this.fold()
  }

  sum(): bigint {
    this.fold()
    return this.total
  }

  private fold(): void {
    this.total += BigInt(this.high) * 2n ** 32n + BigInt(this.low)
    this.high = 0
    this.low = 0
  }
}
