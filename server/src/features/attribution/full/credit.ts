/** Credits a loaded profile, all conversions at once: packed rows in one arena, and every rollup. */
import { BulkAttribution, Chunk, type Credits, Rollups } from '@whence/engine'
import { dayAt } from '../../../contract/dates.ts'
import { CreditWriter, type PathEntities } from '../packed.ts'
import type { PathBook } from '../paths.ts'
import type { AttributionProfile } from '../settings.ts'
import type { TotalDelta } from '../totals.ts'
import type { Profile } from './load.ts'

const CUSTOMERS_PER_CHUNK = 2000

export type Credited = {
  /** The packed credit of conversion c lies in `writer.bytes` from `start[c]` to `end[c]`. */
  writer: CreditWriter
  start: Float64Array
  end: Float64Array
  /** Distinct paths of conversion c, sorted, from `pathStart[c]` to `pathEnd[c]`. */
  paths: Int32Array
  pathStart: Int32Array
  pathEnd: Int32Array
  rollups: Rollups
  unassigned: Rollups | null
  totals: TotalDelta[]
  /** A conversion with credit, per goal number. */
  firstOfGoal: Map<number, number>
}

export function creditProfile(profile: AttributionProfile, loaded: Profile, book: PathBook): Credited {
  const { conversions, touches, named } = loaded
  const { count } = conversions
  const pathOf = Int32Array.from(named, (ad) => book.numberOf(ad))
  const entities = Array.from(pathOf, (path) => book.entitiesOf(path))
  const platforms = book.hasPlatforms ? Array.from(pathOf, (path) => book.platformsOf(path)) : null
  const bulk = new BulkAttribution(profile.settings)
  const result: Credited = {
    writer: new CreditWriter(),
    start: new Float64Array(count),
    end: new Float64Array(count),
    paths: new Int32Array(1024),
    pathStart: new Int32Array(count),
    pathEnd: new Int32Array(count),
    rollups: bulk.rollups,
    unassigned: platforms === null ? null : new Rollups(),
    totals: [],
    firstOfGoal: new Map(),
  }
  result.writer.bytes = Buffer.allocUnsafe(Math.max(1024, count * 48))
  const order = byCustomer(conversions.customer, count, touches.start.length - 1)
  const packer = new Packer(result, loaded, pathOf)
  const view = new PlatformView(bulk.chunk)
  let next = 0
  while (next < count) {
    const { chunk } = bulk
    chunk.reset()
    view.reset()
    const first = next
    for (let customers = 0; customers < CUSTOMERS_PER_CHUNK && next < count; customers++) {
      const customer = conversions.customer.get(order[next]!)
      chunk.beginCustomer()
      const begin = touches.start[customer]!
      packer.offsets.push(begin - chunk.touchCount)
      for (let at = begin; at < touches.start[customer + 1]!; at++) {
        const ad = touches.named[at]!
        const { campaign, adSet, ad: adEntity } = entities[ad]!
        chunk.addTouch(touches.at[at]!, touches.isDirect[at] === 1, campaign, adSet, adEntity)
        if (platforms !== null) view.addTouch(platforms[ad]!)
      }
      for (; next < count && conversions.customer.get(order[next]!) === customer; next++) {
        const conversion = order[next]!
        const index = chunk.addConversion(
          conversions.at.get(conversion),
          conversions.amountMinor.get(conversion),
          conversions.day.get(conversion),
          conversions.kind.get(conversion),
        )
        for (const refund of conversions.refunds.get(conversion) ?? [])
          chunk.addRefund(index, refund.amountMinor, refund.day)
      }
    }
    bulk.attributeChunk()
    if (result.unassigned !== null) view.addTo(result.unassigned, bulk.credits)
    for (let at = first; at < next; at++) packer.pack(order[at]!, at - first, bulk.chunk, bulk.credits)
    packer.offsets.length = 0
  }
  result.totals = totalsOf(loaded)
  return result
}

/** Conversion numbers, customer after customer. */
function byCustomer(
  customer: Profile['conversions']['customer'],
  count: number,
  customers: number,
): Int32Array {
  const start = new Int32Array(customers + 1)
  for (let index = 0; index < count; index++) start[customer.get(index) + 1]! += 1
  for (let at = 0; at < customers; at++) start[at + 1]! += start[at]!
  const order = new Int32Array(count)
  for (let index = 0; index < count; index++) order[start[customer.get(index)]!++] = index
  return order
}

class Packer {
  /** Per customer of the chunk: what leads from a touch's index in the chunk to its place in the profile. */
  readonly offsets: number[] = []
  private readonly result: Credited
  private readonly loaded: Profile
  private readonly pathOf: Int32Array
  private pathCount = 0
  constructor(result: Credited, loaded: Profile, pathOf: Int32Array) {
    this.result = result
    this.loaded = loaded
    this.pathOf = pathOf
  }

  pack(conversion: number, index: number, chunk: Chunk, credits: Credits): void {
    const { result, loaded, pathOf } = this
    const { writer } = result
    const { conversions, touches } = loaded
    const offset = this.offsets[chunk.conversionCustomer[index]!]!
    const [from, to] = [credits.start[index]!, credits.start[index + 1]!]
    result.start[conversion] = writer.length
    writer.head(conversions.amountMinor.get(conversion), conversions.refunds.get(conversion) ?? [])
    const pathStart = this.pathCount
    this.reserve(to - from)
    for (let credit = from; credit < to; credit++) {
      const path = pathOf[touches.named[credits.touch[credit]! + offset]!]!
      writer.touch(path, credits.models[credit]!, credits.timeDecayWeight[credit]!)
      this.insertPath(pathStart, path)
    }
    result.end[conversion] = writer.length
    result.pathStart[conversion] = pathStart
    result.pathEnd[conversion] = this.pathCount
    if (to > from) {
      const goal = conversions.goal.get(conversion)
      if (!result.firstOfGoal.has(goal)) result.firstOfGoal.set(goal, conversion)
    }
  }

  private reserve(more: number): void {
    const { paths } = this.result
    if (this.pathCount + more <= paths.length) return
    const larger = new Int32Array(Math.max(paths.length * 2, this.pathCount + more))
    larger.set(paths)
    this.result.paths = larger
  }

  /** Into its place among the conversion's paths, once. */
  private insertPath(start: number, path: number): void {
    const { paths } = this.result
    let at = this.pathCount
    while (at > start && paths[at - 1]! > path) at -= 1
    if (at > start && paths[at - 1] === path) return
    paths.copyWithin(at + 1, at, this.pathCount)
    paths[at] = path
    this.pathCount += 1
  }
}

/** The chunk as seen by platform: the same journeys, but a touch stands on its platform where it names nothing. */
class PlatformView {
  private readonly chunk: Chunk
  private campaign = new Int32Array(4096)
  private adSet = new Int32Array(4096)
  private ad = new Int32Array(4096)
  private count = 0
  constructor(chunk: Chunk) {
    this.chunk = chunk
  }
  reset(): void {
    this.count = 0
  }
  addTouch(platforms: PathEntities): void {
    if (this.count === this.campaign.length) {
      this.campaign = doubled(this.campaign)
      this.adSet = doubled(this.adSet)
      this.ad = doubled(this.ad)
    }
    this.campaign[this.count] = platforms.campaign
    this.adSet[this.count] = platforms.adSet
    this.ad[this.count] = platforms.ad
    this.count += 1
  }
  addTo(rollups: Rollups, credits: Credits): void {
    const view: Chunk = Object.assign(new Chunk(), this.chunk, {
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

function totalsOf({ conversions }: Profile): TotalDelta[] {
  const sums = new Map<number, TotalDelta>()
  const at = (day: number, kind: number) => {
    const key = day * 256 + kind
    let sum = sums.get(key)
    if (sum === undefined) {
      sum = { day: dayAt(day), ...conversions.kinds.list[kind]!, conversions: 0, valueMinor: 0, fxMissing: 0 }
      sums.set(key, sum)
    }
    return sum
  }
  for (let index = 0; index < conversions.count; index++) {
    const kind = conversions.kind.get(index)
    const sum = at(conversions.day.get(index), kind)
    sum.conversions += 1
    sum.valueMinor += conversions.amountMinor.get(index)
    sum.fxMissing += conversions.flags.get(index)
    for (const refund of conversions.refunds.get(index) ?? [])
      at(refund.day, kind).valueMinor -= refund.amountMinor
  }
  return [...sums.values()].filter(
    (sum) => sum.conversions !== 0 || sum.valueMinor !== 0 || sum.fxMissing !== 0,
  )
}
