/**
 * Credits of one chunk: per conversion a run of touches, compact enough to be written out as they are.
 * A touch appears once per conversion, and only if some model credits it. `models` holds one bit per model, at its
 * position in the list of models; the single-credit models give such a touch the whole conversion.
 */
import { grown } from './columns.ts'
import { LINEAR, TIME_DECAY } from './models.ts'

export class Credits {
  conversionCount = 0
  /** Credits of conversion c are `start[c]` up to `start[c + 1]`, in touch order. */
  start = new Int32Array(1024)
  /** Totals of the weights per conversion: linear gives each touch 1, so its total is their number. */
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

  /** Room for credits up to `length`. */
  reserve(length: number): void {
    if (length <= this.touch.length) return
    this.touch = grown(this.touch, length)
    this.models = grown(this.models, length)
    this.timeDecayWeight = grown(this.timeDecayWeight, length)
    this.linearMinor = grown(this.linearMinor, length)
    this.timeDecayMinor = grown(this.timeDecayMinor, length)
  }

  /** Weight of one credit under a model (its position); 0 where the model gives the touch nothing. */
  weightOf(credit: number, model: number): number {
    const isCredited = (this.models[credit]! >> model) & 1
    return model === TIME_DECAY ? isCredited && this.timeDecayWeight[credit]! : isCredited
  }

  totalWeightOf(conversion: number, model: number): number {
    if (model === LINEAR) return this.linearTotal[conversion]!
    if (model === TIME_DECAY) return this.timeDecayTotal[conversion]!
    return 1
  }

  /** Money of one credit under a model, given the conversion's whole amount. */
  amountOf(credit: number, model: number, conversionMinor: number): number {
    if (((this.models[credit]! >> model) & 1) === 0) return 0
    if (model === LINEAR) return this.linearMinor[credit]!
    if (model === TIME_DECAY) return this.timeDecayMinor[credit]!
    return conversionMinor
  }
}
