/**
 * Memory for the columns of one large piece of work: a few large blocks, all freed at once. V8 would free them after its
 * next major collection, and malloc keeps what it freed of smaller ones.
 */

/** Zeros; 8 bytes each begin at a multiple of 8. */
export type Allocate = (bytes: number) => { buffer: ArrayBuffer; at: number }

/** malloc returns blocks of at least this size to the system. */
const LARGE = 32 * 1024 * 1024

export const allocateAlone: Allocate = (bytes) => ({ buffer: new ArrayBuffer(bytes), at: 0 })

export class ColumnMemory {
  private readonly blocks: ArrayBuffer[] = []
  private used = 0
  private nextBlock: number

  /** `expected`: bytes that are certain to be used. Pages of a block take memory once they are written. */
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

  /** Frees all of it now; its columns are empty from here on. */
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
