/**
 * A batch of complete customers as columns, the input of the bulk path. The caller adds rows customer by customer,
 * attributes the chunk, writes the credits and resets it, so memory is bounded by one chunk.
 *
 * Add only touches that may be credited (not superseded by a merge, no echoes). A customer's touches must be added in
 * touch order (occurredAt, recordedAt, id); conversions and refunds in any order.
 */
import { grown } from './columns.ts'
import { checkKey } from './day-rollup.ts'

/** For refunds with a known amount: they change money but no counts. */
export const NOT_COUNTED = -1

export class Chunk {
  customerCount = 0
  touchCount = 0
  conversionCount = 0
  refundCount = 0

  /** Touches of customer c are `touchStart[c]` up to `touchStart[c + 1]`. */
  touchStart = new Int32Array(1024)
  touchAt = new Float64Array(4096)
  touchIsDirect = new Uint8Array(4096)
  touchCampaign = new Int32Array(4096)
  touchAdSet = new Int32Array(4096)
  touchAd = new Int32Array(4096)

  conversionCustomer = new Int32Array(1024)
  conversionAt = new Float64Array(1024)
  conversionAmountMinor = new Float64Array(1024)
  conversionDay = new Int32Array(1024)
  conversionOutcomeType = new Int32Array(1024)

  refundConversion = new Int32Array(64)
  refundAmountMinor = new Float64Array(64)
  refundDay = new Int32Array(64)
  /** The outcome type to count the refund under, or NOT_COUNTED. */
  refundOutcomeType = new Int32Array(64)

  reset(): void {
    this.customerCount = 0
    this.touchCount = 0
    this.conversionCount = 0
    this.refundCount = 0
  }

  /** Starts a customer: touches and conversions added next belong to it. */
  beginCustomer(): number {
    const customer = this.customerCount++
    this.touchStart = grown(this.touchStart, customer + 2)
    this.touchStart[customer] = this.touchCount
    this.touchStart[customer + 1] = this.touchCount
    return customer
  }

  /** Entities are the caller's indexes, or NO_ENTITY. Returns the touch's index in the chunk. */
  addTouch(occurredAt: number, isDirect: boolean, campaign: number, adSet: number, ad: number): number {
    const touch = this.touchCount
    if (this.customerCount === 0) throw new RangeError('a touch needs a customer: call beginCustomer first')
    if (touch > this.touchStart[this.customerCount - 1]! && !(occurredAt >= this.touchAt[touch - 1]!)) {
      throw new RangeError('touches of a customer must come in touch order')
    }
    if (touch === this.touchAt.length) this.growTouches(touch + 1)
    this.touchAt[touch] = occurredAt
    this.touchIsDirect[touch] = isDirect ? 1 : 0
    this.touchCampaign[touch] = campaign
    this.touchAdSet[touch] = adSet
    this.touchAd[touch] = ad
    this.touchCount = touch + 1
    this.touchStart[this.customerCount] = this.touchCount
    return touch
  }

  /**
   * `day` and `outcomeType` are the caller's indexes and key the rollups; `customer` is by default the one started last.
   * Returns the conversion's index in the chunk.
   */
  addConversion(
    occurredAt: number,
    amountMinor: number,
    day: number,
    outcomeType: number,
    customer = this.customerCount - 1,
  ): number {
    if (!(customer >= 0 && customer < this.customerCount))
      throw new RangeError('a conversion needs a customer: call beginCustomer first')
    if (!Number.isSafeInteger(amountMinor))
      throw new RangeError(`amount ${amountMinor} is not whole minor units`)
    checkKey(day, outcomeType)
    const conversion = this.conversionCount
    if (conversion === this.conversionAt.length) this.growConversions(conversion + 1)
    this.conversionCustomer[conversion] = customer
    this.conversionAt[conversion] = occurredAt
    this.conversionAmountMinor[conversion] = amountMinor
    this.conversionDay[conversion] = day
    this.conversionOutcomeType[conversion] = outcomeType
    this.conversionCount = conversion + 1
    return conversion
  }

  /**
   * Subtracts `amountMinor` (positive) from the conversion's credit, on the refund's own day. With `countedAs`, the refund
   * is counted under that outcome type; used for refunds with an unknown amount.
   */
  addRefund(conversion: number, amountMinor: number, day: number, countedAs = NOT_COUNTED): void {
    if (!(conversion >= 0 && conversion < this.conversionCount))
      throw new RangeError('a refund needs its conversion')
    if (!Number.isSafeInteger(amountMinor))
      throw new RangeError(`refund ${amountMinor} is not whole minor units`)
    checkKey(day, countedAs === NOT_COUNTED ? this.conversionOutcomeType[conversion]! : countedAs)
    const refund = this.refundCount
    if (refund === this.refundDay.length) {
      this.refundConversion = grown(this.refundConversion, refund + 1)
      this.refundAmountMinor = grown(this.refundAmountMinor, refund + 1)
      this.refundDay = grown(this.refundDay, refund + 1)
      this.refundOutcomeType = grown(this.refundOutcomeType, refund + 1)
    }
    this.refundConversion[refund] = conversion
    this.refundAmountMinor[refund] = amountMinor
    this.refundDay[refund] = day
    this.refundOutcomeType[refund] = countedAs
    this.refundCount = refund + 1
  }

  private growTouches(length: number): void {
    this.touchAt = grown(this.touchAt, length)
    this.touchIsDirect = grown(this.touchIsDirect, length)
    this.touchCampaign = grown(this.touchCampaign, length)
    this.touchAdSet = grown(this.touchAdSet, length)
    this.touchAd = grown(this.touchAd, length)
  }

  private growConversions(length: number): void {
    this.conversionCustomer = grown(this.conversionCustomer, length)
    this.conversionAt = grown(this.conversionAt, length)
    this.conversionAmountMinor = grown(this.conversionAmountMinor, length)
    this.conversionDay = grown(this.conversionDay, length)
    this.conversionOutcomeType = grown(this.conversionOutcomeType, length)
  }
}
