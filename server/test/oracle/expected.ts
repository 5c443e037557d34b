/** What each report must say, worked out from the facts alone. */
import { createHash } from 'node:crypto'
import type { Model } from './credit.ts'
import { split, toNumber, toText } from './decimal.ts'
import { addUp, type Delivered, type Entity } from './delivery.ts'
import type { Facts } from './facts.ts'
import type { Level } from './history.ts'
import { creditsOf, isIn, Ledger, type Range, type Sum } from './ledger.ts'

export const noCredit: Sum = { cashCount: 0, cash: 0n, count: 0, byType: {} }
const noDelivery: Delivered = addUp([])
const MILLION = 1_000_000n
const DAY = 86_400_000

export class Expected {
  readonly facts: Facts
  readonly ledger: Ledger
  readonly currency: string

  constructor(facts: Facts) {
    this.facts = facts
    this.ledger = new Ledger(facts)
    this.currency = facts.world.currency
  }

  /** By platform id. */
  campaigns(level: Level, model: Model, range: Range, detailed: boolean): Record<string, unknown> {
    const sums = this.ledger.sums(level, model, range)
    const rows: Record<string, unknown> = {}
    for (const id of this.entitiesOf(level, sums, range))
      rows[id] = this.row(level, id, sums.get(id) ?? noCredit, range, detailed)
    return rows
  }

  private entitiesOf(level: Level, sums: ReadonlyMap<string | null, Sum>, range: Range): string[] {
    const ids = new Set<string>()
    for (const id of sums.keys()) if (id !== null) ids.add(id)
    for (const entity of this.facts.delivery.entities.values())
      if (entity.level === level && this.deliveredBy(level, entity.id, range) !== undefined)
        ids.add(entity.id)
    return [...ids]
  }

  private deliveredBy(level: Level, id: string, range: Range): Delivered | undefined {
    const days = this.facts.delivery.days().filter((day) => isIn(range, day))
    return this.facts.delivery.total(level, id, days)
  }

  row(level: Level, id: string, credit: Sum, range: Range, detailed: boolean): Record<string, unknown> {
    const delivered = this.deliveredBy(level, id, range) ?? noDelivery
    const entity = this.entity(level, id)
    const plain = {
      platform_id: id,
      campaign_name: entity?.name ?? null,
      spend: toNumber(delivered.spend, this.currency),
      outcome_count: credit.cashCount,
      outcome_value: toNumber(credit.cash, this.currency),
      roas: over(credit.cash, delivered.spend),
      attributed_outcome_count: credit.count,
      attributed_outcomes_by_type: credit.byType,
    }
    if (!detailed) return plain
    const impressions = delivered.impressions ?? 0n
    const clicks = delivered.clicks ?? 0n
    const campaign = entity?.campaign == null ? undefined : this.entity('campaign', entity.campaign)
    const adSet = entity?.adSet == null ? undefined : this.entity('ad_set', entity.adSet)
    const unit = 10n ** BigInt(toText(0n, this.currency).split('.')[1]?.length ?? 0)
    return {
      ...plain,
      entity_level: level,
      parent_name: (level === 'ad' ? adSet?.name : null) ?? campaign?.name ?? null,
      impressions: Number(impressions),
      clicks: Number(clicks),
      reach: delivered.reach === null ? null : Number(delivered.reach),
      ctr: over(clicks * 100n, impressions),
      avg_cpm: over(delivered.spend * 1000n, impressions * unit),
      avg_cpc: over(delivered.spend, clicks * unit),
      cac: over(delivered.spend, BigInt(credit.cashCount) * unit),
      status: null,
      objective: null,
      daily_budget: null,
      campaign_external_id: entity?.campaign ?? null,
      ad_set_external_id: entity?.adSet ?? null,
      messaging_conversations_started_7d: null,
    }
  }

  entity(level: Level, id: string): Entity | undefined {
    return this.facts.delivery.entities.get(`${level}:${id}`)
  }

  unattributed(level: Level, model: Model, range: Range): Record<string, unknown> {
    const sum = this.ledger.sums(level, model, range).get(null) ?? noCredit
    return {
      outcome_count: sum.cashCount,
      outcome_value: toNumber(sum.cash, this.currency),
      attributed_outcome_count: sum.count,
      attributed_outcomes_by_type: sum.byType,
    }
  }

  meta(level: Level, model: Model, range: Range, deliveryFxMissing: number): Record<string, unknown> {
    const { cash, fxMissing } = this.ledger.totals(range)
    const sums = this.ledger.sums(level, model, range)
    let credited = 0n
    for (const [entity, sum] of sums) if (entity !== null) credited += sum.cash
    const unattributed = sums.get(null)?.cash ?? 0n
    const { settings } = this.facts
    return {
      date_from: range.from,
      date_to: range.to,
      model,
      lookback_days: model === 'first_touch' ? settings.firstTouchLookbackDays : settings.lookbackDays,
      reconciliation: {
        total: toNumber(cash, this.currency),
        credited: toNumber(credited, this.currency),
        unattributed: toNumber(unattributed, this.currency),
        delta: 0,
      },
      currency: this.currency,
      fx_missing: fxMissing + deliveryFxMissing,
    }
  }

  /** Rates missing in the delivery that a report at the level shows, of all entities or of some. */
  fxMissingIn(level: Level, range: Range, ids?: readonly string[]): number {
    let missing = 0
    for (const entity of this.facts.delivery.entities.values())
      if (entity.level === level && (ids?.includes(entity.id) ?? true))
        missing += this.deliveredBy(level, entity.id, range)?.fxMissing ?? 0
    return missing
  }

  trend(level: Level, ids: readonly string[], range: Range): Record<string, unknown>[] {
    const rows: Record<string, unknown>[] = []
    for (const id of ids)
      for (const day of this.facts.delivery.days()) {
        const delivered = isIn(range, day) ? this.facts.delivery.total(level, id, [day]) : undefined
        if (delivered !== undefined)
          rows.push({
            entity_id: id,
            date: day,
            spend: toNumber(delivered.spend, this.currency),
            impressions: Number(delivered.impressions ?? 0n),
            clicks: Number(delivered.clicks ?? 0n),
          })
      }
    return rows
  }

  /** By the conversion's name, a refund with its own word behind it. */
  conversions(level: Level, id: string, model: Model, range: Range): Record<string, unknown> {
    const rows: Record<string, unknown> = {}
    for (const entry of this.ledger.entries) {
      const { conversion } = entry
      if (!conversion.isEligible) continue
      const all = creditsOf(entry, model)
      const isOwn = all.map(({ touch }) => touch.place[level] === id)
      const shares = all.filter((_, index) => isOwn[index])
      if (shares.length === 0) continue
      const sumOwn = (parts: readonly bigint[]) =>
        parts.reduce((sum, part, index) => (isOwn[index] ? sum + part : sum), 0n)
      const shared = {
        outcome_event_id: conversion.eventId,
        outcome_type: conversion.outcomeType,
        revenue_type: conversion.revenueType,
        credit: over(sumOwn(all.map(({ weight }) => weight)), shares[0]!.total),
      }
      const isUnknown = conversion.value !== null && conversion.report === null
      if (isIn(range, conversion.day))
        rows[conversion.name] = {
          ...shared,
          kind: 'conversion',
          refund_id: null,
          occurred_at: new Date(conversion.at).toISOString(),
          value: conversion.value === null ? null : toNumber(conversion.value, conversion.currency!),
          currency: conversion.currency,
          credited_value: isUnknown ? null : toNumber(sumOwn(all.map(({ money }) => money)), this.currency),
        }
      for (const refund of conversion.refunds.filter(({ day }) => isIn(range, day))) {
        const parts = split(
          refund.report ?? 0n,
          all.map(({ weight }) => weight),
        )
        rows[`${conversion.name} refund`] = {
          ...shared,
          kind: 'refund',
          occurred_at: new Date(refund.at).toISOString(),
          value: toNumber(-refund.value, refund.currency),
          currency: refund.currency,
          credited_value: refund.report === null ? null : toNumber(-sumOwn(parts), this.currency),
        }
      }
    }
    return rows
  }

  comparison(level: Level, model: Model, range: Range): { platforms: unknown; rows: unknown } {
    const sums = this.ledger.sums(level, model, range)
    const rows: Record<string, unknown> = {}
    const platformOf = (id: string) => this.entity(level, id)?.source ?? 'unknown'
    const credits = this.ledger.platformSums(level, model, range, platformOf)
    const deliveries = new Map<string, Delivered[]>()
    for (const id of this.entitiesOf(level, sums, range)) {
      const platform = platformOf(id)
      const credit = sums.get(id) ?? noCredit
      const delivered = this.deliveredBy(level, id, range) ?? noDelivery
      deliveries.set(platform, [...(deliveries.get(platform) ?? []), delivered])
      rows[id] = {
        entity_level: level,
        platform,
        platform_id: id,
        name: this.entity(level, id)?.name ?? null,
        ...this.measures(credit, delivered),
      }
    }
    const unassigned = this.ledger.unassigned(level, model, range)
    const platforms: Record<string, unknown> = {}
    for (const platform of new Set([...deliveries.keys(), ...unassigned.keys()] as string[])) {
      const days = this.facts.delivery
        .days()
        .filter((day) => isIn(range, day) && this.anyDelivery(level, day, platform))
      const clicks = unassigned.get(platform) ?? noCredit
      platforms[platform] = {
        platform,
        ...this.measures(credits.get(platform) ?? noCredit, addUp(deliveries.get(platform) ?? [])),
        has_delivery: days.length > 0,
        delivery_through: days.at(-1) ?? null,
        unassigned_conversions: clicks.count,
        unassigned_cash_revenue: toText(clicks.cash, this.currency),
      }
    }
    return { platforms, rows }
  }

  overview(model: Model, range: Range): { totals: unknown; days: unknown[] } {
    const money = (minor: bigint) => toNumber(minor, this.currency)
    const measure = (own: Range) => {
      const sums = this.ledger.sums('campaign', model, own)
      const { cash, payments } = this.ledger.totals(own)
      let credited = 0n
      for (const [entity, sum] of sums) if (entity !== null) credited += sum.cash
      const ids = this.entitiesOf('campaign', sums, own)
      const spend = ids.reduce((sum, id) => sum + (this.deliveredBy('campaign', id, own)?.spend ?? 0n), 0n)
      const outside = sums.get(null)?.cashCount ?? 0
      const shown = { spend: money(spend), revenue: money(cash), credited_revenue: money(credited), payments }
      return { shown, spend, credited, creditedPayments: payments - outside }
    }
    const { shown, spend, credited, creditedPayments } = measure(range)
    const days: unknown[] = []
    for (let time = Date.parse(range.from); time <= Date.parse(range.to); time += DAY) {
      const date = new Date(time).toISOString().slice(0, 10)
      days.push({ date, ...measure({ from: date, to: date }).shown })
    }
    const unit = 10n ** BigInt(toText(0n, this.currency).split('.')[1]?.length ?? 0)
    return {
      totals: {
        ...shown,
        credited_payments: creditedPayments,
        roas: over(credited, spend),
        cac: over(spend, BigInt(creditedPayments) * unit),
      },
      days,
    }
  }

  private anyDelivery(level: Level, day: string, source: string): boolean {
    return [...this.facts.delivery.entities.values()].some(
      (entity) =>
        entity.level === level && this.facts.delivery.on(level, entity.id, day, source) !== undefined,
    )
  }

  private measures(credit: Sum, delivered: Delivered): Record<string, unknown> {
    const { conversions, value, spend } = delivered
    const { count, cash } = credit
    const gap = conversions === null ? null : BigInt(count) * 1000n - conversions
    const text = (minor: bigint | null) => (minor === null ? null : toText(minor, this.currency))
    return {
      spend: toNumber(spend, this.currency),
      platform_conversions: conversions === null ? null : Number(conversions) / 1000,
      platform_conversion_value: text(value),
      atribu_conversions: count,
      atribu_cash_conversions: credit.cashCount,
      atribu_cash_revenue: text(cash),
      conversion_gap: gap === null ? null : Number(gap) / 1000,
      conversion_gap_pct: gap === null || conversions === null ? null : over(gap * 100n, conversions),
      value_gap: value === null ? null : text(cash - value),
      platform_roas: value === null ? null : over(value, spend),
      atribu_roas: over(cash, spend),
    }
  }
}

/** A quotient to six places, half away from zero; null over nothing. */
export function over(top: bigint, bottom: bigint): number | null {
  if (bottom === 0n) return null
  const size = top < 0n ? -top : top
  const rounded = (size * MILLION * 2n + bottom) / (bottom * 2n)
  return Number(top < 0n ? -rounded : rounded) / Number(MILLION) + 0
}

/** SHA-256 over the data with the keys of every object in order and nothing between. */
export function hashOf(data: unknown): string {
  return createHash('sha256').update(ordered(data)).digest('hex')
}

function ordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${ordered((value as Record<string, unknown>)[key])}`).join(',')}}`
}
