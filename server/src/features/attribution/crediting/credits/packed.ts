/**
 * Binary encoding of a conversion's credit under all five models, a few dozen bytes: kind and day, amount, refunds, and
 * per touch its path, a bit set of the models that credit it and its time-decay weight. Money per touch is not stored:
 * the engine's split reproduces it exactly.
 */
import { Chunk, Credits, models, type Rollups, splitMinor } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import type { FirstPart, KindIndex, OutcomeKind } from './rollups.ts'
import { type WholeReason, wholeReasons } from './unattributed-reasons.ts'

export type PackedTouch = { path: number; models: number; decayWeight: number }
/** The amount is null if its exchange rate is missing. */
export type PackedRefund = { day: number; amountMinor: number | null }
/** `fxMissing`: the exchange rate of the amount is missing. `first`: its role in the customer's first payment. */
type CreditPrefix = OutcomeKind & { day: number; fxMissing: boolean; first: FirstPart }
export type PackedCredit = CreditPrefix & {
  amountMinor: number
  /** Why no touch can be credited. */
  uncredited: WholeReason | null
  refunds: PackedRefund[]
  touches: PackedTouch[]
}

/** Encoded as one byte each. Stored credits refer to these by index: only ever append. */
const revenueTypes = ['cash', 'pipeline', 'gross']
const usualOutcomes = [
  'payment_received',
  'lead_created',
  'dm_started',
  'appointment_booked',
  'appointment_attended',
  'quote_presented',
  'closed_won',
  'order_placed',
]
/** Instead of the number of a usual outcome: the name of the type follows. */
const OTHER_OUTCOME = 0
const FX_MISSING = 1
const BEFORE_1970 = 2
const REVENUE_SHIFT = 2
const REVENUE_MASK = 7
const FIRST_OPENS = 32
const FIRST_BALANCE = 64
/** Instead of a refund's sign and amount. */
const NO_RATE = 2

/** Set for every touch within the lookback. */
export const LINEAR_BIT = 1 << models.indexOf('linear')
const DECAY_BIT = 1 << models.indexOf('time_decay')

/** Writes integers up to 2^53 as LEB128 varints (little-endian base 128); a sign precedes its number. */
export class CreditWriter {
  bytes = Buffer.allocUnsafe(64)
  length = 0
  number(value: number): void {
    if (this.length + 10 > this.bytes.length) this.bytes = Buffer.concat([this.bytes], this.bytes.length * 2)
    const { bytes } = this
    let at = this.length
    let remaining = value
    // Bitwise operators work on 32 bits, so larger numbers are written 28 bits (four bytes) at a time.
    while (remaining >= 2 ** 31) {
      const higher = Math.floor(remaining / 2 ** 28)
      let low = remaining - higher * 2 ** 28
      for (let byte = 0; byte < 4; byte++, low >>= 7) bytes[at++] = (low & 127) | 128
      remaining = higher
    }
    for (; remaining >= 128; remaining >>= 7) bytes[at++] = (remaining & 127) | 128
    bytes[at++] = remaining
    this.length = at
  }
  signed(value: number): void {
    // Sign and value are separate: a zigzag encoding would double the value, beyond the safe integers.
    this.number(value < 0 ? 1 : 0)
    this.number(Math.abs(value))
  }
  raw(source: Buffer): void {
    while (this.length + source.length > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes], this.bytes.length * 2)
    for (let at = 0; at < source.length; at++) this.bytes[this.length++] = source[at]!
  }
  /** The reason shares the number of the sign, so it takes no byte of its own. */
  head({
    amountMinor,
    uncredited,
    refunds,
  }: Pick<PackedCredit, 'amountMinor' | 'uncredited' | 'refunds'>): void {
    const reason = uncredited === null ? 0 : wholeReasons.indexOf(uncredited) + 1
    this.number((amountMinor < 0 ? 1 : 0) + 2 * reason)
    this.number(Math.abs(amountMinor))
    this.number(refunds.length)
    for (const refund of refunds) {
      this.number(refund.day)
      if (refund.amountMinor === null) this.number(NO_RATE)
      else this.signed(refund.amountMinor)
    }
  }
  touch(path: number, bits: number, decayWeight: number): void {
    this.number(path)
    this.number(bits)
    if ((bits & DECAY_BIT) !== 0) this.number(decayWeight)
  }
}

/** The encoded number of a path. */
function pathBytes(path: number): Buffer {
  const writer = new CreditWriter()
  writer.number(path)
  return writer.bytes.subarray(0, writer.length)
}

/**
 * SQL predicate: may the packed credit (the column) contain one of the paths? No false negatives; a few false
 * positives, where the same bytes mean something else. Bytes before the first possible path are not searched.
 */
export function mayContainPath(packed: RawBuilder<unknown>, paths: readonly number[]): RawBuilder<boolean> {
  const matches = paths.map(
    (path) => sql`position(${pathBytes(path)}::bytea in substr(${packed}, ${FIRST_PATH_AT}::integer)) > 0`,
  )
  return matches.length === 0 ? sql`false` : sql`(${sql.join(matches, sql` or `)})`
}

/** The first bytes of a packed credit: flags, outcome type and day. */
export function packPrefix({ outcomeType, revenueType, day, fxMissing, first }: CreditPrefix): Buffer {
  const writer = new CreditWriter()
  const revenue = revenueTypes.indexOf(revenueType)
  if (revenue < 0) throw new RangeError(`unknown revenue type ${revenueType}`)
  const bits = first === null ? 0 : first === 'opens' ? FIRST_OPENS : FIRST_BALANCE
  writer.number(
    (fxMissing ? FX_MISSING : 0) | (day < 0 ? BEFORE_1970 : 0) | (revenue << REVENUE_SHIFT) | bits,
  )
  const usual = usualOutcomes.indexOf(outcomeType) + 1
  writer.number(usual)
  if (usual === OTHER_OUTCOME) {
    const name = Buffer.from(outcomeType)
    writer.number(name.length)
    writer.raw(name)
  }
  writer.number(Math.abs(day))
  return writer.bytes.subarray(0, writer.length)
}

export function packCredit(credit: PackedCredit): Buffer {
  const writer = new CreditWriter()
  writer.raw(packPrefix(credit))
  writer.head(credit)
  for (const touch of credit.touches) writer.touch(touch.path, touch.models, touch.decayWeight)
  return Buffer.from(writer.bytes.subarray(0, writer.length))
}

/** Position (from 1) of the first byte after the shortest possible head: no credit contains a path before it. */
const FIRST_PATH_AT =
  packCredit({
    outcomeType: usualOutcomes[0]!,
    revenueType: revenueTypes[0]!,
    day: 0,
    fxMissing: false,
    first: null,
    amountMinor: 0,
    uncredited: null,
    refunds: [],
    touches: [],
  }).length + 1

export function unpackCredit(bytes: Buffer): PackedCredit {
  let at = 0
  const number = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  const text = (length: number) => {
    at += length
    return bytes.toString('utf8', at - length, at)
  }
  const flags = number()
  const usual = number()
  const outcomeType = usual === OTHER_OUTCOME ? text(number()) : usualOutcomes[usual - 1]!
  const day = (flags & BEFORE_1970) === 0 ? number() : -number()
  const sign = number()
  const amountMinor = sign % 2 === 1 ? -number() : number()
  const refunds = Array.from({ length: number() }, () => {
    const [day, sign] = [number(), number()]
    return { day, amountMinor: sign === NO_RATE ? null : sign === 1 ? -number() : number() }
  })
  const touches: PackedTouch[] = []
  while (at < bytes.length) {
    const path = number()
    const bits = number()
    touches.push({ path, models: bits, decayWeight: (bits & DECAY_BIT) === 0 ? 0 : number() })
  }
  return {
    outcomeType,
    revenueType: revenueTypes[(flags >> REVENUE_SHIFT) & REVENUE_MASK]!,
    day,
    fxMissing: (flags & FX_MISSING) !== 0,
    first: (flags & FIRST_OPENS) !== 0 ? 'opens' : (flags & FIRST_BALANCE) !== 0 ? 'balance' : null,
    amountMinor,
    uncredited: sign < 2 ? null : wholeReasons[Math.floor(sign / 2) - 1]!,
    refunds,
    touches,
  }
}

/** Weight, total and money of each touch under one model. Pass a refund's amount to split it like the conversion's. */
export function shareOf(
  credit: PackedCredit,
  model: number,
  amountMinor = credit.amountMinor,
): { path: number; weight: number; total: number; amountMinor: number }[] {
  const bit = 1 << model
  const credited = credit.touches.filter((touch) => (touch.models & bit) !== 0)
  const weights = credited.map((touch) => (bit === DECAY_BIT ? touch.decayWeight : 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const amounts = splitMinor(amountMinor, weights)
  return credited.map((touch, index) => ({
    path: touch.path,
    weight: weights[index]!,
    total,
    amountMinor: amounts[index]!,
  }))
}

/** `shareOf` into reused columns, for bulk reads: allocating objects would cost more than decoding. */
export class PackedShares {
  count = 0
  total = 0
  paths = new Float64Array(64)
  weights = new Float64Array(64)
  private bytes: Buffer = Buffer.alloc(0)
  private at = 0

  /** Decodes the packed credit at `begin`..`end`: the shares that the model credits. */
  read(bytes: Buffer, begin: number, end: number, model: number): void {
    this.bytes = bytes
    this.at = begin
    this.count = 0
    this.total = 0
    this.skipHead()
    const bit = 1 << model
    while (this.at < end) {
      const path = this.number()
      const bits = this.number()
      const decayWeight = (bits & DECAY_BIT) === 0 ? 0 : this.number()
      if ((bits & bit) !== 0) this.push(path, bit === DECAY_BIT ? decayWeight : 1)
    }
  }

  private skipHead(): void {
    this.at += 1
    if (this.number() === OTHER_OUTCOME) {
      const length = this.number()
      this.at += length
    }
    // Skips the day, the sign and the amount.
    for (let number = 0; number < 3; number++) this.number()
    for (let refunds = this.number(); refunds > 0; refunds--) {
      this.number()
      if (this.number() !== NO_RATE) this.number()
    }
  }

  private push(path: number, weight: number): void {
    if (this.count === this.paths.length) {
      this.paths = doubled(this.paths)
      this.weights = doubled(this.weights)
    }
    this.paths[this.count] = path
    this.weights[this.count++] = weight
    this.total += weight
  }

  private number(): number {
    const { bytes } = this
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[this.at++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
}

function doubled(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2)
  larger.set(column)
  return larger
}

/** SQL predicate: the packed credit (the column `packed`) is cash that opens a customer's first payment. */
export const IS_FIRST_CASH = `get_byte(packed, 0) & ${FIRST_OPENS | (REVENUE_MASK << REVENUE_SHIFT)} = ${FIRST_OPENS}`

export type PathEntities = { campaign: number; adSet: number; ad: number }

/** Adds the contribution of packed credits to the rollups, exactly as the bulk path did when it wrote them. */
export function addPacked(
  rollups: Rollups,
  packed: readonly PackedCredit[],
  kinds: KindIndex,
  entitiesOf: (path: number) => PathEntities,
): void {
  const chunk = new Chunk()
  const credits = new Credits()
  credits.reset(packed.length)
  for (const [conversion, credit] of packed.entries()) {
    chunk.beginCustomer()
    const start = credits.start[conversion]!
    const { touches } = credit
    credits.reserve(start + touches.length)
    credits.start[conversion + 1] = start + touches.length
    const linear = spread(credit, LINEAR_BIT)
    const decay = spread(credit, DECAY_BIT)
    for (const [index, touch] of touches.entries()) {
      const { campaign, adSet, ad } = entitiesOf(touch.path)
      credits.touch[start + index] = chunk.addTouch(0, false, campaign, adSet, ad)
      credits.models[start + index] = touch.models
      credits.timeDecayWeight[start + index] = touch.decayWeight
      credits.linearMinor[start + index] = linear[index]!
      credits.timeDecayMinor[start + index] = decay[index]!
    }
    credits.linearTotal[conversion] = touches.filter((touch) => (touch.models & LINEAR_BIT) !== 0).length
    credits.timeDecayTotal[conversion] = touches.reduce((sum, touch) => sum + touch.decayWeight, 0)
    chunk.addConversion(0, credit.amountMinor, credit.day, kinds.ofCredit(credit))
    rollups.addConversion(chunk, credits, conversion)
    for (const refund of credit.refunds) {
      if (refund.amountMinor === null)
        chunk.addRefund(conversion, 0, refund.day, kinds.ofUnratedRefund(credit))
      else chunk.addRefund(conversion, refund.amountMinor, refund.day)
      rollups.addRefund(chunk, credits, chunk.refundCount - 1)
    }
  }
}

/** The amount of each touch under a model that divides credit; 0 for touches that the model does not credit. */
function spread(credit: PackedCredit, bit: number): number[] {
  if (credit.amountMinor === 0) return credit.touches.map(() => 0)
  const weights = credit.touches.map((touch) =>
    (touch.models & bit) === 0 ? 0 : bit === DECAY_BIT ? touch.decayWeight : 1,
  )
  return weights.some((weight) => weight > 0) ? splitMinor(credit.amountMinor, weights) : weights
}
