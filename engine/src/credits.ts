/**
 * Credits of one chunk: per conversion a run of touches, each with its weight and money under all five models.
 * A touch appears once per conversion, and only if some model credits it.
 */
import { grown } from './columns.ts'

export type ModelColumns = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]

export class Credits {
  conversionCount = 0
  /** Credits of conversion c are `start[c]` up to `start[c + 1]`, in touch order. */
  start = new Int32Array(1024)
  /** Index in the chunk of the credited touch. */
  touch = new Int32Array(4096)
  /** One column per model, in the order of `models`; 0 where the model gives the touch nothing. */
  readonly weight = modelColumns(4096)
  readonly amountMinor = modelColumns(4096)
  /** Sums of the weights per conversion; the single-credit models' is 1, or 0 without an eligible touch. */
  linearTotal = new Float64Array(1024)
  timeDecayTotal = new Float64Array(1024)

  reset(conversions: number): void {
    this.conversionCount = conversions
    this.start = grown(this.start, conversions + 1)
    this.linearTotal = grown(this.linearTotal, conversions)
    this.timeDecayTotal = grown(this.timeDecayTotal, conversions)
    this.start[0] = 0
  }

  /** Room for credits up to `length`. */
  reserve(length: number): void {
    if (length <= this.touch.length) return
    this.touch = grown(this.touch, length)
    for (const kept of [this.weight, this.amountMinor]) {
      for (let model = 0; model < kept.length; model++) kept[model] = grown(kept[model]!, this.touch.length)
    }
  }
}

export function modelColumns(length: number): ModelColumns {
  const column = () => new Float64Array(length)
  return [column(), column(), column(), column(), column()]
}
