/** Writes the credits of a conversion as rows: the conversion and each of its refunds, per model and touch. */
import { models, splitInto } from '@whence/engine'
import type { CopyRow } from '../../../platform/db/copy/copy-out.ts'
import { type PackedCredit, unpackCredit } from '../../attribution/crediting/credits/packed.ts'
import { BooleanChunk, BytesChunk, NumberChunk } from './column-chunk.ts'
import type { ParquetFile } from './parquet.ts'

const CONVERSION_ID = 1
const PACKED = 2
const DECAY = models.indexOf('time_decay')

type Part = { day: number; amountMinor: number | null; sign: 1 | -1; refundNumber: number | null }

/** The writer reads the day, the conversion id and the packed credit. Without a credited touch it writes one row per model. */
export function createCreditWriter(file: ParquetFile): (row: CopyRow) => void {
  const rows = new CreditRows(file)
  return ({ bytes, view, at, size }) => {
    const packedAt = at[PACKED]!
    const credit = unpackCredit(bytes.subarray(packedAt, packedAt + size[PACKED]!))
    rows.count = 0
    const amountMinor = credit.fxMissing ? null : credit.amountMinor
    rows.addPart(credit, { day: credit.day, amountMinor, sign: 1, refundNumber: null })
    for (const [index, { day, amountMinor }] of credit.refunds.entries())
      rows.addPart(credit, { day, amountMinor, sign: -1, refundNumber: index + 1 })
    rows.conversionId.addBytes(view, at[CONVERSION_ID]!, at[CONVERSION_ID]! + 16, rows.count)
    rows.outcomeType.addText(credit.outcomeType, rows.count)
    rows.revenueType.addText(credit.revenueType, rows.count)
    rows.firstPayment.addText(credit.first, rows.count)
    file.endRows(rows.count)
  }
}

class CreditRows {
  count = 0
  readonly conversionId: BytesChunk
  readonly outcomeType: BytesChunk
  readonly revenueType: BytesChunk
  readonly firstPayment: BytesChunk
  private readonly day: NumberChunk
  private readonly part: BytesChunk
  private readonly refundNumber: NumberChunk
  private readonly model: BytesChunk
  private readonly touchNumber: NumberChunk
  private readonly pathId: NumberChunk
  private readonly weight: NumberChunk
  private readonly totalWeight: NumberChunk
  private readonly valueMinor: NumberChunk
  private readonly hasRate: BooleanChunk
  private paths = new Float64Array(64)
  private weights = new Float64Array(64)
  private amounts = new Float64Array(64)

  constructor(file: ParquetFile) {
    this.conversionId = file.column('conversion_id', BytesChunk)
    this.outcomeType = file.column('outcome_type', BytesChunk)
    this.revenueType = file.column('revenue_type', BytesChunk)
    this.firstPayment = file.column('first_payment', BytesChunk)
    this.day = file.column('day', NumberChunk)
    this.part = file.column('part', BytesChunk)
    this.refundNumber = file.column('refund_number', NumberChunk)
    this.model = file.column('model', BytesChunk)
    this.touchNumber = file.column('touch_number', NumberChunk)
    this.pathId = file.column('path_id', NumberChunk)
    this.weight = file.column('weight', NumberChunk)
    this.totalWeight = file.column('total_weight', NumberChunk)
    this.valueMinor = file.column('value_minor', NumberChunk)
    this.hasRate = file.column('has_rate', BooleanChunk)
  }

  addPart(credit: PackedCredit, { day, amountMinor, sign, refundNumber }: Part): void {
    const begin = this.count
    for (let model = 0; model < models.length; model++) {
      const touches = this.addShares(credit, model, amountMinor, sign)
      if (touches === 0) this.addUncredited(amountMinor === null ? null : sign * amountMinor)
      const rows = Math.max(1, touches)
      this.model.addText(models[model]!, rows)
      this.count += rows
    }
    const rows = this.count - begin
    this.day.addNumber(day, rows)
    this.part.addText(refundNumber === null ? 'conversion' : 'refund', rows)
    if (refundNumber === null) this.refundNumber.addNull(rows)
    else this.refundNumber.addNumber(refundNumber, rows)
    this.hasRate.addBoolean(amountMinor !== null, rows)
  }

  /** Returns the number of touches that the model credits. */
  private addShares({ touches }: PackedCredit, model: number, amountMinor: number | null, sign: 1 | -1) {
    if (touches.length > this.paths.length) this.reserve(touches.length)
    const { paths, weights, amounts } = this
    const bit = 1 << model
    let count = 0
    let total = 0
    for (let index = 0; index < touches.length; index++) {
      const touch = touches[index]!
      if ((touch.models & bit) === 0) continue
      const weight = model === DECAY ? touch.decayWeight : 1
      paths[count] = touch.path
      weights[count] = weight
      total += weight
      count += 1
    }
    if (count === 0) return 0
    splitInto(amountMinor ?? 0, weights, 0, count, total, amounts, 0)
    for (let touch = 0; touch < count; touch++) {
      this.touchNumber.addNumber(touch + 1)
      this.pathId.addNumber(paths[touch]!)
      this.weight.addNumber(weights[touch]!)
      if (amountMinor === null) this.valueMinor.addNull()
      else this.valueMinor.addNumber(sign * amounts[touch]!)
    }
    this.totalWeight.addNumber(total, count)
    return count
  }

  private addUncredited(amountMinor: number | null): void {
    this.touchNumber.addNull()
    this.pathId.addNull()
    this.weight.addNull()
    this.totalWeight.addNull()
    if (amountMinor === null) this.valueMinor.addNull()
    else this.valueMinor.addNumber(amountMinor)
  }

  private reserve(touches: number): void {
    this.paths = new Float64Array(touches * 2)
    this.weights = new Float64Array(touches * 2)
    this.amounts = new Float64Array(touches * 2)
  }
}
