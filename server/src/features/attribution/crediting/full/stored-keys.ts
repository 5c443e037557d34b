/** Looks up the row of a stored key by its bytes. Strings were most of the garbage that V8 collected. */
import { levels } from '@whence/engine'
import { ByteTable } from '../../../../platform/db/copy/byte-table.ts'
import { type CopyRow, readDay } from '../../../../platform/db/copy/copy-out.ts'
import type { OutcomeKind } from '../credits/rollups.ts'
import { type RollupTable, toKey } from './rollup-table.ts'

/** Columns of a stored row before its measures: level, entity, day, outcome type and revenue type. */
export const KEY_COLUMNS = 5

export class StoredKeys {
  private readonly levels = new ByteTable()
  private readonly entities: ByteTable
  private readonly kindNames = new ByteTable()
  private readonly kinds: number[] = []

  /** `entities`: their binary form in COPY rows, by rank. */
  constructor(entities: readonly Buffer[], kinds: readonly OutcomeKind[]) {
    for (const level of levels) numberOf(this.levels, Buffer.from(level))
    this.entities = new ByteTable(entities.length)
    for (const entity of entities) numberOf(this.entities, entity)
    for (const [kind, { outcomeType, revenueType }] of kinds.entries())
      this.kinds[numberOf(this.kindNames, Buffer.concat([field(outcomeType), field(revenueType)]))] = kind
  }

  /** Index of the row in the table, or -1. */
  find(fresh: RollupTable, { view, at, size }: CopyRow): number {
    const level = this.levels.numberOf(view, at[0]!, at[0]! + size[0]!, false)
    const rank = this.entities.numberOf(view, at[1]!, at[1]! + size[1]!, false)
    // Outcome type and revenue type are adjacent in the row, with their lengths: one key covers both.
    const kindName = this.kindNames.numberOf(view, at[3]! - 4, at[4]! + size[4]!, false)
    if (level < 0 || rank < 0 || kindName < 0) return -1
    return fresh.find(toKey(level, readDay(view, at[2]!), rank, this.kinds[kindName]!))
  }
}

function numberOf(table: ByteTable, key: Buffer): number {
  return table.numberOf(new DataView(key.buffer, key.byteOffset, key.length), 0, key.length)
}

/** A text field of a COPY row: length, then bytes. */
function field(value: string): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
