/** Every conversion's credit under every model, and its sums over a range of days. */
import { judge, type Model, models, type Verdict } from './credit.ts'
import { split } from './decimal.ts'
import type { Facts } from './facts.ts'
import type { Level, Settings } from './history.ts'
import type { Conversion } from './outcomes.ts'
import { climb, customerOf, type Link, type Merge, type Node } from './people.ts'
import type { Touch } from './touches.ts'

export type PlacedTouch = Touch & { place: Record<Level, string | null> }

export type Entry = {
  conversion: Conversion
  customer: Node
  verdicts: Record<Model, Verdict<PlacedTouch>[]>
}

export type Range = { from: string; to: string }

export type Sum = { cashCount: number; cash: bigint; count: number; byType: Record<string, number> }

type Group = { entity: string | null; outcomeType: string; revenueType: string; count: number; money: bigint }

export class Ledger {
  readonly entries: Entry[]
  readonly touches: PlacedTouch[]
  private readonly settings: Settings
  private readonly customers = new Map<Node, Node>()
  private readonly links: Link[]
  private readonly merges: Merge[]

  constructor(facts: Facts) {
    this.links = facts.links()
    this.merges = facts.merges()
    this.touches = facts.touches().map((touch) => {
      const { campaign, adSet, ad } = facts.delivery.place(touch.named)
      return { ...touch, place: { campaign, ad_set: adSet, ad } }
    })
    this.settings = facts.settings
    this.entries = facts.conversions().map((conversion) => {
      const customer = this.customerOf(conversion.node)
      const verdicts = {} as Entry['verdicts']
      for (const model of models)
        verdicts[model] = this.judge(model, customer, conversion.at, conversion.report ?? 0n)
      return { conversion, customer, verdicts }
    })
  }

  /** Under each model, every touch of the customer as seen from a moment at which this much money came. */
  judge(model: Model, customer: Node, at: number, money: bigint): Verdict<PlacedTouch>[] {
    const own = this.touches.filter((touch) => this.customerOf(touch.node) === customer)
    return judge(model, { at, money }, own, this.settings)
  }

  /** Touches that a merge meant for the customer and that another merge, decided before, took elsewhere. */
  superseded(customer: Node): PlacedTouch[] {
    const lost = this.merges.filter(
      ({ from, into }) => this.customerOf(into) === customer && this.customerOf(from) !== customer,
    )
    const roots = lost.map(({ from }) => climb(from, this.links))
    return this.touches.filter((touch) => roots.includes(climb(touch.node, this.links)))
  }

  customerOf(node: Node): Node {
    const known = this.customers.get(node) ?? customerOf(node, this.links, this.merges)
    this.customers.set(node, known)
    return known
  }

  /** Those that credit is made for. */
  private eligible(): Entry[] {
    return this.entries.filter((entry) => entry.conversion.isEligible)
  }

  /** Sums per entity at the level; the entity null took what named none. */
  sums(level: Level, model: Model, range: Range): Map<string | null, Sum> {
    return this.add(model, range, (touch) => touch.place[level])
  }

  /** Sums per platform of the entity at the level: a conversion counts once in each. */
  platformSums(
    level: Level,
    model: Model,
    range: Range,
    platformOf: (id: string) => string,
  ): Map<string | null, Sum> {
    return this.add(model, range, (touch) => {
      const id = touch.place[level]
      return id === null ? null : platformOf(id)
    })
  }

  /** Credit of paid clicks that named no ad, by platform, where nothing stands at the level. */
  unassigned(level: Level, model: Model, range: Range): Map<string | null, Sum> {
    const sums = this.add(model, range, (touch) =>
      touch.place[level] === null && touch.named.ad === null ? touch.platform : null,
    )
    sums.delete(null)
    return sums
  }

  private add(
    model: Model,
    range: Range,
    entityOf: (touch: PlacedTouch) => string | null,
  ): Map<string | null, Sum> {
    const groups = new Map<string, Group>()
    const put = (entry: Entry, entity: string | null, count: number, money: bigint) => {
      const { outcomeType, revenueType } = entry.conversion
      const key = JSON.stringify([entity, outcomeType, revenueType])
      const group = groups.get(key) ?? { entity, outcomeType, revenueType, count: 0, money: 0n }
      groups.set(key, { ...group, count: group.count + count, money: group.money + money })
    }
    for (const entry of this.eligible()) {
      const { conversion } = entry
      const shares = creditsOf(entry, model)
      if (isIn(range, conversion.day)) {
        const counted = new Set<string | null>(
          shares.length === 0 ? [null] : shares.map((own) => entityOf(own.touch)),
        )
        for (const entity of counted) put(entry, entity, 1, 0n)
        if (shares.length === 0) put(entry, null, 0, conversion.report ?? 0n)
        for (const { touch, money } of shares) put(entry, entityOf(touch), 0, money)
      }
      for (const refund of conversion.refunds) {
        if (!isIn(range, refund.day) || refund.report === null) continue
        if (shares.length === 0) put(entry, null, 0, -refund.report)
        const parts = split(
          refund.report,
          shares.map((own) => own.weight),
        )
        for (const [index, { touch }] of shares.entries()) put(entry, entityOf(touch), 0, -parts[index]!)
      }
    }
    return byEntity([...groups.values()].filter((group) => group.count !== 0 || group.money !== 0n))
  }

  /** The profile's own cash, counted without any credit, and the facts without a rate. */
  totals(range: Range): { cash: bigint; payments: number; fxMissing: number } {
    let cash = 0n
    let payments = 0
    let fxMissing = 0
    for (const { conversion } of this.eligible()) {
      if (isIn(range, conversion.day)) {
        if (conversion.revenueType === 'cash') {
          cash += conversion.report ?? 0n
          payments++
        }
        if (conversion.fxMissing) fxMissing++
      }
      for (const refund of conversion.refunds) if (isIn(range, refund.day)) cash -= refund.report ?? 0n
    }
    return { cash, payments, fxMissing }
  }
}

export function creditsOf(
  entry: Entry,
  model: Model,
): { touch: PlacedTouch; weight: bigint; total: bigint; money: bigint }[] {
  return entry.verdicts[model].flatMap((verdict) => (verdict.weight === null ? [] : [verdict]))
}

export function isIn(range: Range, day: string): boolean {
  return day >= range.from && day <= range.to
}

function byEntity(groups: readonly Group[]): Map<string | null, Sum> {
  const sums = new Map<string | null, Sum>()
  for (const { entity, outcomeType, revenueType, count, money } of groups) {
    const sum = sums.get(entity) ?? { cashCount: 0, cash: 0n, count: 0, byType: {} }
    sums.set(entity, sum)
    if (revenueType === 'cash') {
      sum.cashCount += count
      sum.cash += money
    }
    sum.count += count
    if (count > 0) sum.byType[outcomeType] = (sum.byType[outcomeType] ?? 0) + count
  }
  return sums
}
