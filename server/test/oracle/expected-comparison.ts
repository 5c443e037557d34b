/** The platforms' own counts next to ours, computed from the facts. */
import type { Model } from './credit.ts'
import { addUp, type Delivered } from './delivery.ts'
import { ExpectedFigures, known, less, noDelivery } from './expected-figures.ts'
import type { Level } from './history.ts'
import { noCredit, type Range, type Sum } from './ledger.ts'

export class ExpectedComparison extends ExpectedFigures {
  protected entitiesOf(level: Level, sums: ReadonlyMap<string | null, Sum>, range: Range): string[] {
    const ids = new Set<string>()
    for (const id of sums.keys()) if (id !== null) ids.add(id)
    for (const entity of this.facts.delivery.entities.values())
      if (entity.level === level && this.deliveredBy(level, entity.id, range) !== undefined)
        ids.add(entity.id)
    return [...ids]
  }
  comparison(level: Level, model: Model, range: Range): { platforms: unknown; rows: unknown } {
    const sums = this.ledger.sums(level, model, range)
    const rows: Record<string, unknown> = {}
    const platformOf = (at: Level, id: string) => this.entity(at, id)?.source ?? 'unknown'
    const credits = this.ledger.platformSums(model, range, platformOf)
    const ofPlatforms = this.ledger.platformSums(
      model,
      range,
      platformOf,
      (touch) => touch.place[level] === null,
    )
    const deliveries = this.platformDeliveries(range)
    const isDivided = model === 'linear' || model === 'time_decay'
    const none = { cash: 0n, unrated: 0, count: 0, cashCount: 0, delivered: [] as Delivered[] }
    const listed = new Map<string, typeof none>()
    const compared = new Map<string, { credit: Sum; delivered: Delivered }[]>()
    for (const id of this.entitiesOf(level, sums, range)) {
      const platform = this.topPlatform(level, id)
      const credit = sums.get(id) ?? noCredit
      const delivered = this.deliveredBy(level, id, range) ?? noDelivery
      const platformSum = listed.get(platform) ?? none
      if (delivered.conversions !== null)
        compared.set(platform, [...(compared.get(platform) ?? []), { credit, delivered }])
      listed.set(platform, {
        cash: platformSum.cash + credit.cash,
        unrated: platformSum.unrated + credit.cashUnrated,
        count: platformSum.count + credit.count,
        cashCount: platformSum.cashCount + credit.cashCount,
        delivered: [...platformSum.delivered, delivered],
      })
      rows[id] = {
        kind: 'entity',
        entity_level: level,
        platform,
        platform_id: id,
        name: this.entity(level, id)?.name ?? null,
        ...this.measures(credit, delivered),
      }
    }
    const unassigned = this.ledger.unassigned(model, range)
    const platforms: Record<string, unknown> = {}
    const through = this.deliveredThrough(range.to)
    const names = [
      ...credits.keys(),
      ...deliveries.keys(),
      ...unassigned.keys(),
      ...through.keys(),
    ] as string[]
    for (const platform of new Set(names)) {
      const clicks = unassigned.get(platform) ?? noCredit
      const day = through.get(platform) ?? null
      platforms[platform] = {
        platform,
        ...this.measures(credits.get(platform) ?? noCredit, deliveries.get(platform) ?? noDelivery),
        compared: isDivided ? null : this.comparedSides(compared.get(platform) ?? []),
        has_delivery: day !== null && day >= range.from,
        delivery_through: day,
        unassigned_conversions: clicks.count,
        unassigned_cash_revenue: this.text(known(clicks.cash, clicks.cashUnrated)),
      }
    }
    for (const platform of new Set([...credits.keys(), ...deliveries.keys(), ...listed.keys()] as string[])) {
      const platformSum = listed.get(platform) ?? none
      const total = credits.get(platform) ?? noCredit
      const counted = ofPlatforms.get(platform) ?? noCredit
      const credit = {
        ...noCredit,
        cash: total.cash - platformSum.cash,
        // Under dividing models the remainder is counted from its parts; otherwise it is the total less the rows.
        count: isDivided ? counted.count : total.count - platformSum.count,
        cashCount: isDivided ? counted.cashCount : total.cashCount - platformSum.cashCount,
        cashUnrated: isDivided ? counted.cashUnrated : total.cashUnrated - platformSum.unrated,
      }
      const delivered = less(deliveries.get(platform) ?? noDelivery, addUp(platformSum.delivered))
      const isNothing =
        credit.count === 0 &&
        credit.cash === 0n &&
        delivered.spend === 0n &&
        delivered.conversions === null &&
        delivered.value === null
      if (!isNothing)
        rows[`not_assigned ${platform}`] = {
          kind: 'not_assigned',
          entity_level: level,
          platform,
          platform_id: null,
          name: null,
          ...this.measures(credit, delivered),
        }
    }
    return { platforms, rows }
  }

  /** Sums over entities for which the platform reports conversions; money over those for which it reports a value, if any. */
  private comparedSides(parts: readonly { credit: Sum; delivered: Delivered }[]): unknown {
    if (parts.length === 0) return null
    const valued = parts.filter(({ delivered }) => delivered.value !== null)
    const { platform_roas, value_gap } = this.sumOf(valued)
    const { atribu_cash_revenue, atribu_roas } = this.sumOf(valued.length === 0 ? parts : valued)
    return {
      entities: parts.length,
      valued_entities: valued.length,
      ...this.sumOf(parts),
      platform_roas,
      value_gap,
      atribu_cash_revenue,
      atribu_roas,
    }
  }

  private sumOf(parts: readonly { credit: Sum; delivered: Delivered }[]) {
    const credit = { ...noCredit }
    for (const { credit: part } of parts) {
      credit.cash += part.cash
      credit.count += part.count
      credit.cashCount += part.cashCount
      credit.cashUnrated += part.cashUnrated
    }
    return this.measures(credit, addUp(parts.map(({ delivered }) => delivered)))
  }

  /** Platform of its highest parent, by the platform's structure. */
  private topPlatform(level: Level, id: string): string {
    const entity = this.entity(level, id)
    const top =
      entity?.campaign != null
        ? this.entity('campaign', entity.campaign)
        : entity?.adSet != null
          ? this.entity('ad_set', entity.adSet)
          : entity
    return top?.source ?? 'unknown'
  }

  /** Campaigns, and entities without a campaign. */
  platformDeliveries(range: Range): Map<string, Delivered> {
    const parts = new Map<string, Delivered[]>()
    for (const { level, id, source, campaign, adSet } of this.facts.delivery.entities.values()) {
      if (level !== 'campaign' && (campaign !== null || (level === 'ad' && adSet !== null))) continue
      const delivered = this.deliveredBy(level, id, range)
      if (delivered !== undefined) parts.set(source, [...(parts.get(source) ?? []), delivered])
    }
    return new Map([...parts].map(([source, delivered]) => [source, addUp(delivered)]))
  }

  comparisonFxMissing(range: Range): number {
    return [...this.platformDeliveries(range).values()].reduce(
      (sum, delivered) => sum + delivered.fxMissing,
      0,
    )
  }

  /** By source: its last day with delivery up to this one. */
  private deliveredThrough(to: string): Map<string, string> {
    const last = new Map<string, string>()
    const { delivery } = this.facts
    const sources = new Set([...delivery.entities.values()].map(({ source }) => source))
    for (const day of delivery.days().filter((candidate) => candidate <= to))
      for (const source of sources)
        if (
          [...delivery.entities.values()].some(
            ({ level, id }) => delivery.on(level, id, day, source) !== undefined,
          )
        )
          last.set(source, day)
    return last
  }
}
