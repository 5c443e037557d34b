/**
 * Payments and refunds: month, amount and owner. Once linked by customer, the owner field is replaced by the previous
 * move of the customer. Fields are interleaved for locality, and stored in blocks so that growing never copies.
 */
const BLOCK_BITS = 13
const BLOCK = 1 << BLOCK_BITS
const MASK = BLOCK - 1

/** 16 bytes per move: two integers, then the amount. */
type Block = { numbers: Int32Array; amounts: Float64Array }

export class Moves {
  length = 0
  private readonly blocks: Block[] = []

  push(owner: number, month: number, minor: number): void {
    const at = this.length & MASK
    if (at === 0) this.blocks.push(newBlock())
    const { numbers, amounts } = this.blocks[this.length >> BLOCK_BITS]!
    numbers[at * 4] = owner
    numbers[at * 4 + 1] = month
    amounts[at * 2 + 1] = minor
    this.length += 1
  }
  linkOf(move: number): number {
    return this.blocks[move >> BLOCK_BITS]!.numbers[(move & MASK) * 4]!
  }
  link(move: number, to: number): void {
    this.blocks[move >> BLOCK_BITS]!.numbers[(move & MASK) * 4] = to
  }
  monthOf(move: number): number {
    return this.blocks[move >> BLOCK_BITS]!.numbers[(move & MASK) * 4 + 1]!
  }
  minorOf(move: number): number {
    return this.blocks[move >> BLOCK_BITS]!.amounts[(move & MASK) * 2 + 1]!
  }
}

function newBlock(): Block {
  const bytes = new ArrayBuffer(BLOCK * 16)
  return { numbers: new Int32Array(bytes), amounts: new Float64Array(bytes) }
}
