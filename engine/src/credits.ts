/**
 * Credits of one chunk in columns: per conversion a range of touches. A touch appears once per conversion, and only if a
 * model credits it. `models` is a bit set by index in the list of models; the single-credit models give a touch the whole
 * conversion.
 */
import { grown } from './columns.ts'
import { LINEAR, TIME_DECAY } from './models.ts'

export class Credits {
  conversionCount = 0
  /** Credits of conversion c are `start[c]` up to `start[c + 1]`, in touch order. */
  start = new Int32Array(1024)
  /** Total weight per conversion; for linear, whose weights are 1, the number of touches. */
  linearTotal = new Int32Array(1024)
  timeDecayTotal = new Float64Array(1024)

  /** Per credit: the touch's index in the chunk. */
  touch = new Int32Array(4096)
  models = new Uint8Array(4096)
  timeDecayWeight = new Float64Array(4096)
  linearMinor = new Float64Array(4096)
  timeDecayMinor = new Float64Array(4096)

  reset(conversions: number): void {
    this.conversionCount = conversions
    this.start = grown(this.start, conversions + 1)
    this.linearTotal = grown(this.linearTotal, conversions)
    this.timeDecayTotal = grown(this.timeDecayTotal, conversions)
    this.start[0] = 0
  }

  /** Ensures capacity for `length` credits. */
  reserve(length: number): void {
    if (length <= this.touch.length) return
    this.touch = grown(this.touch, length)
    this.models = grown(this.models, length)
    this.timeDecayWeight = grown(this.timeDecayWeight, length)
    this.linearMinor = grown(this.linearMinor, length)
    this.timeDecayMinor = grown(this.timeDecayMinor, length)
  }

  /** Weight of a credit under a model (by index); 0 if the model does not credit the touch. */
  weightOf(credit: number, model: number): number {
    const isCredited = (this.models[credit]! >> model) & 1
    return model === TIME_DECAY ? isCredited && this.timeDecayWeight[credit]! : isCredited
  }

  totalWeightOf(conversion: number, model: number): number {
    if (model === LINEAR) return this.linearTotal[conversion]!
    if (model === TIME_DECAY) return this.timeDecayTotal[conversion]!
    return 1
  }

  /** Money of a credit under a model; `conversionMinor` is the conversion's amount. */
  amountOf(credit: number, model: number, conversionMinor: number): number {
    if (((this.models[credit]! >> model) & 1) === 0) return 0
    if (model === LINEAR) return this.linearMinor[credit]!
    if (model === TIME_DECAY) return this.timeDecayMinor[credit]!
    return conversionMinor
  }
}
