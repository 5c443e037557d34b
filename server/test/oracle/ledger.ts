/** Credit of every conversion under every model, and its sums over a range of days. */
import { evaluateTouches, type Model, models, type Verdict } from './credit.ts'
import { split } from './decimal.ts'
import type { Facts } from './facts.ts'
import { firstPayments } from './first-payments.ts'
import type { Level, Settings } from './history.ts'
import type { Conversion } from './outcomes.ts'
import { countedChannel, overridesOf } from './overrides.ts'
import { customerOf, type Link, type Merge, type Node, strongestLinked } from './people.ts'
import type { Touch } from './touches.ts'

/** `counted`: the channel of its credit. */
export type PlacedTouch = Touch & { place: Record<Level, string | null>; counted: string }

export type Entry = {
  conversion: Conversion
  customer: Node
  verdicts: Record<Model, Verdict<PlacedTouch>[]>
}

export type Range = { from: string; to: string }

/** `cashParts` is the sum of shares in units of 1e-30; `cashUnrated` counts payments without a rate. */
export type Sum = {
  cashCount: number
  cashParts: bigint
  cash: bigint
  cashUnrated: number
  newCustomers: number
  newCash: bigint
  newUnrated: number
  count: number
  byType: Record<string, number>
}

type Counts = { count: number; money: bigint; parts: bigint; unrated: number }
type Group = Counts & {
  entity: string | null
  outcomeType: string
  revenueType: string
  first: { isOpening: boolean } | undefined
}

const nothing: Counts = { count: 0, money: 0n, parts: 0n, unrated: 0 }
export const WHOLE = 10n ** 30n

export class Ledger {
  readonly entries: Entry[]
  readonly touches: PlacedTouch[]
  /** First payments, by event. */
  readonly first = new Map<string, { isOpening: boolean }>()
  private readonly settings: Settings
  private readonly customers = new Map<Node, Node>()
  private readonly links: Link[]
  private readonly merges: Merge[]

  constructor(facts: Facts) {
    this.links = facts.links()
    this.merges = facts.merges()
    this.touches = facts.touches().map((touch) => {
      const { campaign, adSet, ad } = facts.delivery.place(touch.named)
      const placed = { ...touch, place: { campaign, ad_set: adSet, ad }, counted: touch.channel }
      return { ...placed, counted: countedChannel(placed, overridesOf(facts.world.seed)) }
    })
    this.settings = facts.settings
    const payments = facts.payments()
    for (const customer of new Set(payments.map((payment) => this.customerOf(payment.node))))
      for (const [id, part] of firstPayments(
        payments.filter((payment) => this.customerOf(payment.node) === customer),
      ))
        this.first.set(id, part)
    this.entries = facts.conversions().map((conversion) => {
      const customer = this.customerOf(conversion.node)
      const verdicts = {} as Entry['verdicts']
      for (const model of models)
        verdicts[model] = this.evaluateTouches(model, customer, conversion.at, conversion.report ?? 0n)
      return { conversion, customer, verdicts }
    })
  }

  /** Verdicts on every touch of the customer under the model, for this amount of money at this time. */
  evaluateTouches(model: Model, customer: Node, at: number, money: bigint): Verdict<PlacedTouch>[] {
    const touches = this.touches.filter((touch) => this.customerOf(touch.node) === customer)
    return evaluateTouches(model, { at, money }, touches, this.settings)
  }

  /** Touches that a merge assigned to the customer, but an earlier merge moved elsewhere. */
  superseded(customer: Node): PlacedTouch[] {
    const lost = this.merges.filter(
      ({ from, into }) => this.customerOf(into) === customer && this.customerOf(from) !== customer,
    )
    const roots = lost.map(({ from }) => strongestLinked(from, this.links))
    return this.touches.filter((touch) => roots.includes(strongestLinked(touch.node, this.links)))
  }

  customerOf(node: Node): Node {
    const customer = this.customers.get(node) ?? customerOf(node, this.links, this.merges)
    this.customers.set(node, customer)
    return customer
  }

  /** All cash, and other conversions that may be credited. */
  private counted(): Entry[] {
    return this.entries.filter(({ conversion }) => isCounted(conversion))
  }

  /** Sums per entity at the level; null has the credit without an entity. */
  sums(level: Level, model: Model, range: Range): Map<string | null, Sum> {
    return this.add(model, range, (touch) => touch.place[level])
  }

  /** Sums over all entities of the level: a conversion counts once. */
  inAll(level: Level, model: Model, range: Range): Sum {
    return (
      this.add(model, range, (touch) => (touch.place[level] === null ? null : 'all')).get('all') ?? noCredit
    )
  }

  /** Sums per platform of the highest entity: a conversion counts once in each. */
  platformSums(
    model: Model,
    range: Range,
    platformOf: (level: Level, id: string) => string,
    isWanted: (touch: PlacedTouch) => boolean = () => true,
  ): Map<string | null, Sum> {
    const sums = this.add(model, range, (touch) => {
      const highest = (['campaign', 'ad_set', 'ad'] as const).find((level) => touch.place[level] !== null)
      return highest === undefined || !isWanted(touch) ? null : platformOf(highest, touch.place[highest]!)
    })
    sums.delete(null)
    return sums
  }

  /** Everything by channel; null has conversions without a touch. */
  channelSums(
    model: Model,
    range: Range,
    channelOf: (touch: PlacedTouch) => string,
  ): Map<string | null, Sum> {
    return this.add(model, range, channelOf)
  }

  /** Every conversion once. */
  everything(model: Model, range: Range): Sum {
    const sums = this.add(model, range, () => 'all')
    const [credited, uncredited] = [sums.get('all') ?? noCredit, sums.get(null) ?? noCredit]
    const byType = { ...credited.byType }
    for (const [type, count] of Object.entries(uncredited.byType)) byType[type] = (byType[type] ?? 0) + count
    return {
      cashCount: credited.cashCount + uncredited.cashCount,
      cashParts: credited.cashParts + uncredited.cashParts,
      cash: credited.cash + uncredited.cash,
      cashUnrated: credited.cashUnrated + uncredited.cashUnrated,
      newCustomers: credited.newCustomers + uncredited.newCustomers,
      newCash: credited.newCash + uncredited.newCash,
      newUnrated: credited.newUnrated + uncredited.newUnrated,
      count: credited.count + uncredited.count,
      byType,
    }
  }

  /** Credit of paid clicks without an ad, by platform. */
  unassigned(model: Model, range: Range): Map<string | null, Sum> {
    const sums = this.add(model, range, (touch) => (touch.place.ad === null ? touch.platform : null))
    sums.delete(null)
    return sums
  }

  private add(
    model: Model,
    range: Range,
    entityOf: (touch: PlacedTouch) => string | null,
  ): Map<string | null, Sum> {
    const groups = new Map<string, Group>()
    const put = (entry: Entry, entity: string | null, counts: Partial<Counts>) => {
      const { outcomeType, revenueType, eventId } = entry.conversion
      const first = this.first.get(eventId)
      const key = JSON.stringify([entity, outcomeType, revenueType, first])
      const group = groups.get(key) ?? { entity, outcomeType, revenueType, first, ...nothing }
      const { count = 0, money = 0n, parts = 0n, unrated = 0 } = counts
      groups.set(key, {
        ...group,
        count: group.count + count,
        money: group.money + money,
        parts: group.parts + parts,
        unrated: group.unrated + unrated,
      })
    }
    for (const entry of this.counted()) {
      const { conversion } = entry
      const shares = creditsOf(entry, model)
      const holders = new Set<string | null>(
        shares.length === 0 ? [null] : shares.map((share) => entityOf(share.touch)),
      )
      if (isIn(range, conversion.day)) {
        const unrated = conversion.fxMissing ? 1 : 0
        for (const entity of holders) put(entry, entity, { count: 1, unrated })
        if (shares.length === 0) put(entry, null, { money: conversion.report ?? 0n, parts: WHOLE })
        for (const { touch, money, weight, total } of shares)
          put(entry, entityOf(touch), { money, parts: (weight * WHOLE) / total })
      }
      for (const refund of conversion.refunds) {
        if (!isIn(range, refund.day)) continue
        if (refund.report === null) {
          for (const entity of holders) put(entry, entity, { unrated: 1 })
          continue
        }
        if (shares.length === 0) put(entry, null, { money: -refund.report })
        const parts = split(
          refund.report,
          shares.map((share) => share.weight),
        )
        for (const [index, { touch }] of shares.entries())
          put(entry, entityOf(touch), { money: -parts[index]! })
      }
    }
    const isSomething = ({ count, money, unrated }: Group) => count !== 0 || money !== 0n || unrated !== 0
    return byEntity([...groups.values()].filter(isSomething))
  }

  /** The profile's cash, independent of credit, and the facts without a rate. */
  totals(range: Range): { cash: bigint; payments: number; fxMissing: number; cashUnrated: number } {
    let cash = 0n
    let payments = 0
    let fxMissing = 0
    let cashUnrated = 0
    for (const { conversion } of this.counted()) {
      if (isIn(range, conversion.day)) {
        if (conversion.revenueType === 'cash') {
          cash += conversion.report ?? 0n
          payments++
          if (conversion.fxMissing) cashUnrated++
        }
        if (conversion.fxMissing) fxMissing++
      }
      for (const refund of conversion.refunds) {
        if (!isIn(range, refund.day)) continue
        cash -= refund.report ?? 0n
        if (refund.report !== null) continue
        fxMissing++
        cashUnrated++
      }
    }
    return { cash, payments, fxMissing, cashUnrated }
  }
}

export function creditsOf(
  entry: Entry,
  model: Model,
): { touch: PlacedTouch; weight: bigint; total: bigint; money: bigint }[] {
  if (!entry.conversion.isEligible) return []
  return entry.verdicts[model].flatMap((verdict) => (verdict.weight === null ? [] : [verdict]))
}

export function isIn(range: Range, day: string): boolean {
  return day >= range.from && day <= range.to
}

/** Cash that is neither duplicate nor unconfirmed, and other conversions that may be credited. */
export function isCounted(conversion: Conversion): boolean {
  const { isEligible, revenueType, duplicateOf, unconfirmed } = conversion
  return isEligible || (revenueType === 'cash' && duplicateOf === null && !unconfirmed)
}

export const noCredit: Sum = {
  cashCount: 0,
  cashParts: 0n,
  cash: 0n,
  cashUnrated: 0,
  newCustomers: 0,
  newCash: 0n,
  newUnrated: 0,
  count: 0,
  byType: {},
}

function byEntity(groups: readonly Group[]): Map<string | null, Sum> {
  const sums = new Map<string | null, Sum>()
  for (const { entity, outcomeType, revenueType, first, count, money, parts, unrated } of groups) {
    const sum = sums.get(entity) ?? { ...noCredit, byType: {} }
    sums.set(entity, sum)
    if (revenueType === 'cash') {
      sum.cashCount += count
      sum.cashParts += parts
      sum.cash += money
      sum.cashUnrated += unrated
    }
    if (revenueType === 'cash' && first !== undefined) {
      if (first.isOpening) sum.newCustomers += count
      sum.newCash += money
      sum.newUnrated += unrated
    }
    sum.count += count
    if (count > 0) sum.byType[outcomeType] = (sum.byType[outcomeType] ?? 0) + count
  }
  return sums
}
