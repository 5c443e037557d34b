/** Credits a loaded profile in chunks, in the order of conversion ids, so that credits can be streamed to the database. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BulkAttribution, Chunk, type Credits, Rollups } from '@whence/engine'
import { CreditWriter, type PackedRefund, type PathEntities, packPrefix } from '../credits/packed.ts'
import type { PathBook } from '../credits/paths.ts'
import { PlatformCounts } from '../credits/platform-counts.ts'
import { type WholeReason, wholeReasonOf } from '../credits/unattributed-reasons.ts'
import { Uncredited } from '../credits/uncredited.ts'
import type { AttributionProfile } from '../settings.ts'
import { STATUSES } from './conversion-columns.ts'
import { Journey } from './journeys.ts'
import type { Profile } from './load.ts'
import { orderTies } from './order-simultaneous-touches.ts'

/** Small, so that the connection sends one chunk while the next is computed. */
const CONVERSIONS_PER_CHUNK = 500

/** One conversion's packed credit. The object is reused: it is valid until the next conversion. */
export type Credit = {
  /** Number of the conversion. */
  conversion: number
  /** The packed credit is the first `length` bytes. */
  bytes: Buffer
  length: number
}

export type CreditTotals = {
  rollups: Rollups
  unassigned: Rollups | null
  platforms: PlatformCounts
  uncredited: Uncredited
  /** A conversion with credit, per goal number. */
  firstOfGoal: Map<number, number>
}

/** Receives credits in the order of ids. `endChunk` is called after each chunk; false stops the run. */
export type CreditSink = { put(credit: Credit): void; endChunk(): Promise<boolean> }

/**
 * Simultaneous touches are ordered with `readTies`, a connection that is idle while credits are written. Returns null
 * if the sink stopped the run.
 */
export async function creditProfile(
  profile: AttributionProfile,
  loaded: Profile,
  book: PathBook,
  readTies: Parameters<typeof orderTies>[0],
  sink: CreditSink,
): Promise<CreditTotals | null> {
  const { conversions, order } = loaded
  const bulk = new BulkAttribution(profile.settings)
  const filler = new ChunkFiller(bulk.chunk, loaded, book)
  const platforms = new PlatformCounts(book.platforms)
  const packer = new Packer(loaded, filler, platforms)
  const unassigned = book.hasUnassigned() ? new Rollups({ namedOnly: true }) : null
  for (let from = 0; from < order.length; from += CONVERSIONS_PER_CHUNK) {
    const numbers = order.subarray(from, from + CONVERSIONS_PER_CHUNK)
    filler.fill(numbers)
    if (filler.tied.length > 0) await orderTies(readTies, loaded, filler)
    bulk.attributeChunk()
    if (unassigned !== null) filler.unassigned.addTo(unassigned, bulk.credits)
    for (let index = 0; index < numbers.length; index++) {
      const conversion = numbers[index]!
      const isCredited = packer.pack(conversion, index, bulk.credits)
      if (isCredited) packer.noteGoal(conversions.rows.goal(conversion), conversion)
      sink.put(packer.credit)
    }
    if (!(await sink.endChunk())) return null
    // Yield to the event loop, so that the process keeps serving requests.
    await nextTurn()
  }
  const { uncredited, firstOfGoal } = packer
  return { rollups: bulk.rollups, unassigned, platforms, uncredited, firstOfGoal }
}

/** Copies the journeys of a chunk's customers into the engine's columns, each journey once. */
class ChunkFiller {
  readonly chunk: Chunk
  readonly unassigned: UnassignedView
  /** Customers of the chunk with simultaneous touches, and the index of their first touch in the chunk. */
  readonly tied: { customer: number; begin: number }[] = []
  /** Per touch of the chunk: its path number. */
  path = new Int32Array(4096)
  private readonly loaded: Profile
  private readonly isDirect: Uint8Array
  private readonly pathOf: Int32Array
  private readonly entities: PathEntities[]
  private readonly unassignedKeysOf: PathEntities[] | null
  /** Each customer's index in the chunk, plus one; 0 if absent. */
  private readonly positionOf: Int32Array
  private readonly placed: number[] = []
  private noCustomerAt = -1
  private customers = new Int32Array(1024)
  private readonly journey = new Journey()

  constructor(chunk: Chunk, loaded: Profile, book: PathBook) {
    this.chunk = chunk
    this.unassigned = new UnassignedView(chunk)
    this.loaded = loaded
    this.isDirect = Uint8Array.from(loaded.sources, (source) => (source.is_direct ? 1 : 0))
    this.pathOf = Int32Array.from(loaded.sources, (source) => book.numberOf(source))
    this.entities = Array.from(this.pathOf, (path) => book.entitiesOf(path))
    this.unassignedKeysOf = book.hasUnassigned()
      ? Array.from(this.pathOf, (path) => book.unassignedKeysOf(path))
      : null
    this.positionOf = new Int32Array(loaded.people.size)
  }

  fill(numbers: Int32Array): void {
    const { chunk, loaded, placed } = this
    const { rows, refunds, rollupKindOf, unratedRefundKindOf } = loaded.conversions
    chunk.reset()
    this.noCustomerAt = -1
    this.tied.length = 0
    for (const customer of placed) this.positionOf[customer] = 0
    placed.length = 0
    if (this.customers.length < numbers.length) this.customers = new Int32Array(numbers.length)
    for (let index = 0; index < numbers.length; index++)
      this.customers[index] = loaded.customerOf(numbers[index]!)
    loaded.journeys.prefetch(this.customers, numbers.length)
    for (const conversion of numbers) {
      const index = chunk.addConversion(
        rows.at(conversion),
        rows.amountMinor(conversion),
        rows.day(conversion),
        rollupKindOf(conversion),
        rows.isEligible(conversion) ? this.place(loaded.customerOf(conversion)) : this.noCustomer(),
      )
      if (!rows.hasRefunds(conversion)) continue
      for (const { amountMinor, day } of refunds.get(conversion)!)
        if (amountMinor === null) chunk.addRefund(index, 0, day, unratedRefundKindOf(conversion))
        else chunk.addRefund(index, amountMinor, day)
    }
  }

  /** A customer without touches, for conversions that may not be credited. */
  private noCustomer(): number {
    if (this.noCustomerAt < 0) this.noCustomerAt = this.chunk.beginCustomer()
    return this.noCustomerAt
  }

  private place(customer: number): number {
    const positionPlusOne = this.positionOf[customer]!
    if (positionPlusOne > 0) return positionPlusOne - 1
    const { chunk, journey } = this
    const position = chunk.beginCustomer()
    this.positionOf[customer] = position + 1
    this.placed.push(customer)
    if (this.loaded.journeys.read(customer, journey)) this.tied.push({ customer, begin: chunk.touchCount })
    for (let touch = 0; touch < journey.count; touch++) {
      const source = journey.source[touch]!
      const { campaign, adSet, ad } = this.entities[source]!
      const at = chunk.addTouch(journey.at[touch]!, this.isDirect[source] === 1, campaign, adSet, ad)
      if (at === this.path.length) this.path = doubled(this.path)
      this.path[at] = this.pathOf[source]!
      if (this.unassignedKeysOf !== null) this.unassigned.setTouch(at, this.unassignedKeysOf[source]!)
    }
    return position
  }

  /** Replaces a touch by another of the same instant. */
  replaceTouch(at: number, source: number): void {
    const { chunk } = this
    const { campaign, adSet, ad } = this.entities[source]!
    chunk.touchIsDirect[at] = this.isDirect[source]!
    chunk.touchCampaign[at] = campaign
    chunk.touchAdSet[at] = adSet
    chunk.touchAd[at] = ad
    this.path[at] = this.pathOf[source]!
    if (this.unassignedKeysOf !== null) this.unassigned.setTouch(at, this.unassignedKeysOf[source]!)
  }
}

/** Caches the packed prefix per kind: consecutive conversions mostly have the same day and so the same prefix. */
class PrefixCache {
  private readonly conversions: Profile['conversions']
  private readonly byKind: { day: number; bytes: Buffer }[] = []
  constructor({ conversions }: Profile) {
    this.conversions = conversions
  }
  of(conversion: number): Buffer {
    const { rows, kinds } = this.conversions
    const day = rows.day(conversion)
    const kind = rows.kind(conversion)
    const slot = kind * STATUSES + rows.statusFlags(conversion)
    const cached = this.byKind[slot]
    if (cached?.day === day) return cached.bytes
    const fxMissing = rows.isRateMissing(conversion)
    const bytes = packPrefix({ ...kinds[kind]!, day, fxMissing, first: rows.first(conversion) })
    this.byKind[slot] = { day, bytes }
    return bytes
  }
}

class Packer {
  readonly firstOfGoal = new Map<number, number>()
  readonly uncredited = new Uncredited()
  readonly credit: Credit
  private readonly loaded: Profile
  private readonly filler: ChunkFiller
  private readonly platforms: PlatformCounts
  private readonly prefixes: PrefixCache
  private readonly writer = new CreditWriter()
  constructor(loaded: Profile, filler: ChunkFiller, platforms: PlatformCounts) {
    this.loaded = loaded
    this.filler = filler
    this.platforms = platforms
    this.prefixes = new PrefixCache(loaded)
    this.credit = { conversion: 0, bytes: this.writer.bytes, length: 0 }
  }

  /** Packs the conversion's credit and counts it by platform. Returns false if no touch was credited. */
  pack(conversion: number, index: number, credits: Credits): boolean {
    const { writer, credit, platforms } = this
    const { rows, refunds, rollupKindOf } = this.loaded.conversions
    const paymentRefunds = rows.hasRefunds(conversion) ? refunds.get(conversion)! : []
    const { path } = this.filler
    const [from, to] = [credits.start[index]!, credits.start[index + 1]!]
    writer.length = 0
    writer.raw(this.prefixes.of(conversion))
    const uncredited = this.countUncredited(conversion, paymentRefunds, to > from)
    writer.head({ amountMinor: rows.amountMinor(conversion), uncredited, refunds: paymentRefunds })
    platforms.begin(rows.day(conversion), rollupKindOf(conversion))
    for (let at = from; at < to; at++) {
      const touchPath = path[credits.touch[at]!]!
      writer.touch(touchPath, credits.models[at]!, credits.timeDecayWeight[at]!)
      platforms.touch(touchPath, credits.models[at]!)
    }
    for (const refund of paymentRefunds)
      if (refund.amountMinor === null) this.countUnratedRefund(conversion, refund.day, credits, from, to)
    credit.conversion = conversion
    credit.bytes = writer.bytes
    credit.length = writer.length
    return to > from
  }

  private countUncredited(
    conversion: number,
    refunds: PackedRefund[],
    isCredited: boolean,
  ): WholeReason | null {
    const { conversions, customerOf } = this.loaded
    const { rows, kinds } = conversions
    const isUnnamed = rows.isUnnamed(conversion) && customerOf(conversion) === rows.person(conversion)
    const reason = wholeReasonOf({ isEligible: rows.isEligible(conversion), isUnnamed, isCredited })
    if (reason === null) return null
    const kind = kinds[rows.kind(conversion)]!
    const [day, amountMinor] = [rows.day(conversion), rows.amountMinor(conversion)]
    const fxMissing = rows.isRateMissing(conversion)
    this.uncredited.addCredit(reason, { ...kind, day, amountMinor, fxMissing, refunds }, 1)
    return reason
  }

  private countUnratedRefund(conversion: number, day: number, credits: Credits, from: number, to: number) {
    this.platforms.begin(day, this.loaded.conversions.unratedRefundKindOf(conversion))
    for (let at = from; at < to; at++)
      this.platforms.touch(this.filler.path[credits.touch[at]!]!, credits.models[at]!)
  }

  noteGoal(goal: number, conversion: number): void {
    const first = this.firstOfGoal.get(goal)
    if (first === undefined) this.firstOfGoal.set(goal, conversion)
  }
}

/** The chunk with unassigned keys in place of entities: the same journeys, for the rollup of unassigned credit. */
class UnassignedView {
  private readonly chunk: Chunk
  private readonly view = new Chunk()
  private campaign = new Int32Array(4096)
  private adSet = new Int32Array(4096)
  private ad = new Int32Array(4096)
  constructor(chunk: Chunk) {
    this.chunk = chunk
  }
  setTouch(at: number, keys: PathEntities): void {
    if (at >= this.campaign.length) {
      this.campaign = doubled(this.campaign)
      this.adSet = doubled(this.adSet)
      this.ad = doubled(this.ad)
    }
    this.campaign[at] = keys.campaign
    this.adSet[at] = keys.adSet
    this.ad[at] = keys.ad
  }
  addTo(rollups: Rollups, credits: Credits): void {
    const view: Chunk = Object.assign(this.view, this.chunk, {
      touchCampaign: this.campaign,
      touchAdSet: this.adSet,
      touchAd: this.ad,
    })
    for (let index = 0; index < view.conversionCount; index++) rollups.addConversion(view, credits, index)
    for (let refund = 0; refund < view.refundCount; refund++) rollups.addRefund(view, credits, refund)
  }
}

function doubled(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(column.length * 2)
  larger.set(column)
  return larger
}
