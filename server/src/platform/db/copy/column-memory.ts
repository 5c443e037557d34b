/**
 * Arena for the columns of one large computation: a few large blocks, all freed at the same time. V8 would free
 * them only at the next major collection, and malloc retains freed smaller blocks.
 */

/** Zeroed memory, aligned to 8 bytes. */
export type Allocate = (bytes: number) => { buffer: ArrayBuffer; at: number }

/** malloc returns blocks of at least this size to the operating system. */
const LARGE = 32 * 1024 * 1024

export const allocateAlone: Allocate = (bytes) => ({ buffer: new ArrayBuffer(bytes), at: 0 })

export class ColumnMemory {
  private readonly blocks: ArrayBuffer[] = []
  private used = 0
  private nextBlock: number

  /** `expected`: bytes that will certainly be used. Pages of a block use memory only once written. */
  constructor(expected: number) {
    this.nextBlock = expected
  }

  readonly allocate: Allocate = (bytes) => {
    const rounded = Math.ceil(bytes / 8) * 8
    let block = this.blocks.at(-1)
    if (block === undefined || this.used + rounded > block.byteLength) {
      block = new ArrayBuffer(Math.max(rounded, this.nextBlock))
      this.blocks.push(block)
      this.used = 0
      this.nextBlock = Math.min(LARGE, 2 * block.byteLength)
    }
    const at = this.used
    this.used += rounded
    return { buffer: block, at }
  }

  /** Frees all memory immediately; the columns are empty afterwards. */
  release(): void {
    for (const block of this.blocks) block.transfer(0)
    this.blocks.length = 0
  }
}

export function allocateIntegers(allocate: Allocate, length: number): Int32Array {
  const { buffer, at } = allocate(length * 4)
  return new Int32Array(buffer, at, length)
}

export function allocateDoubles(allocate: Allocate, length: number): Float64Array {
  const { buffer, at } = allocate(length * 8)
  return new Float64Array(buffer, at, length)
}
