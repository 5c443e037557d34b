/** A growable column of integers, in blocks, so that growing copies nothing. */
const BLOCK_BITS = 17
const BLOCK = 1 << BLOCK_BITS
const MASK = BLOCK - 1

export class IntegerColumn {
  length = 0
  private readonly blocks: Int32Array[] = []
  push(value: number): void {
    const at = this.length & MASK
    if (at === 0) this.blocks.push(new Int32Array(BLOCK))
    this.blocks[this.length >> BLOCK_BITS]![at] = value
    this.length += 1
  }
  get(index: number): number {
    return this.blocks[index >> BLOCK_BITS]![index & MASK]!
  }
}
