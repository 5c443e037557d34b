/** A column of unknown length in blocks, so that growing it never copies what is there. */
const BLOCK_BITS = 17
const BLOCK = 1 << BLOCK_BITS
const MASK = BLOCK - 1

type Numbers = Float64Array | Int32Array

export class Column<T extends Numbers> {
  length = 0
  private readonly blocks: T[] = []
  private readonly make: (length: number) => T
  constructor(make: (length: number) => T) {
    this.make = make
  }
  push(value: number): void {
    const at = this.length & MASK
    if (at === 0) this.blocks.push(this.make(BLOCK))
    this.blocks[this.length >> BLOCK_BITS]![at] = value
    this.length += 1
  }
  get(index: number): number {
    return this.blocks[index >> BLOCK_BITS]![index & MASK]!
  }
}

export const integers = () => new Column((length) => new Int32Array(length))
