/** Expected responses of each report, computed from the facts. */
import type { Model } from './credit.ts'
import { DAY, split, toNumber } from './decimal.ts'
import { addUp, type Delivered } from './delivery.ts'
import { ExpectedComparison } from './expected-comparison.ts'
import { known, noDelivery, over } from './expected-figures.ts'
import type { Level } from './history.ts'
import { creditsOf, isCounted, isIn, noCredit, type Range, type Sum } from './ledger.ts'

/** Shares of a conversion are exact to 1e-9. */
const SHARE_SCALE = 1_000_000_000n

export class Expected extends ExpectedComparison {
  /** By platform id. */
  campaigns(level: Level, model: Model, range: Range, detailed: boolean): Record<string, unknown> {
    const sums = this.ledger.sums(level, model, range)
    const rows: Record<string, unknown> = {}
    for (const id of this.entitiesOf(level, sums, range))
      rows[id] = this.row(level, id, sums.get(id) ?? noCredit, model, range, detailed)
    return rows
  }

  row(
    level: Level,
    id: string,
    credit: Sum,
    model: Model,
    range: Range,
    detailed: boolean,
  ): Record<string, unknown> {
    const delivered = this.deliveredBy(level, id, range) ?? noDelivery
    const entity = this.entity(level, id)
    const { cac, ...figures } = this.figures(credit, delivered, model)
    const plain = { platform_id: id, campaign_name: entity?.name ?? null, ...figures }
    if (!detailed) return plain
    const campaign = entity?.campaign == null ? undefined : this.entity('campaign', entity.campaign)
    const adSet = entity?.adSet == null ? undefined : this.entity('ad_set', entity.adSet)
    return {
      ...plain,
      ...this.traffic(delivered),
      ...this.newCustomers(credit, delivered),
      cac,
      entity_level: level,
      parent_name: (level === 'ad' ? adSet?.name : null) ?? campaign?.name ?? null,
      status: null,
      objective: null,
      daily_budget: null,
      platform_actions: [],
      campaign_external_id: entity?.campaign ?? null,
      ad_set_external_id: entity?.adSet ?? null,
    }
  }

  /** The total of all rows of the level. */
  total(level: Level, model: Model, range: Range): Record<string, unknown> {
    const ids = this.entitiesOf(level, this.ledger.sums(level, model, range), range)
    const delivered = addUp(ids.map((id) => this.deliveredBy(level, id, range) ?? noDelivery))
    return {
      ...this.figures(this.ledger.inAll(level, model, range), delivered, model),
      ...this.newCustomers(this.ledger.inAll(level, model, range), delivered),
      ...this.traffic(delivered),
      ratios_over: 'credited',
    }
  }

  unattributed(level: Level, model: Model, range: Range): Record<string, unknown> {
    const sum = this.ledger.sums(level, model, range).get(null) ?? noCredit
    const { new_customer_count, new_customer_value } = this.newCustomers(sum, noDelivery)
    return { ...this.creditFigures(sum, model), new_customer_count, new_customer_value }
  }

  /** Missing rates, newest first. */
  missingRates(range: Range): { currency: string; day: string }[] {
    const missing = new Set<string>()
    for (const { conversion } of this.ledger.entries) {
      if (!isCounted(conversion)) continue
      if (conversion.fxMissing && isIn(range, conversion.day))
        missing.add(`${conversion.day} ${conversion.currency}`)
      for (const { day, report, currency } of conversion.refunds)
        if (report === null && isIn(range, day))
          missing.add(`${day} ${currency === this.currency ? conversion.currency : currency}`)
    }
    for (const { day, currency } of this.facts.delivery.missingRates())
      if (isIn(range, day)) missing.add(`${day} ${currency}`)
    return [...missing]
      .map((text) => ({ day: text.slice(0, 10), currency: text.slice(11) }))
      .sort((a, b) => (a.day === b.day ? (a.currency < b.currency ? -1 : 1) : a.day > b.day ? -1 : 1))
      .slice(0, 100)
  }

  meta(level: Level, model: Model, range: Range, deliveryFxMissing: number): Record<string, unknown> {
    const { cash, fxMissing, cashUnrated } = this.ledger.totals(range)
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
        left_out: cashUnrated,
      },
      currency: this.currency,
      fx_missing: fxMissing + deliveryFxMissing,
      fx_missing_rates: fxMissing + deliveryFxMissing === 0 ? [] : this.missingRates(range),
    }
  }

  /** Number of missing rates in the delivery of a report at the level, for all or some entities. */
  /** Delivery of a campaign; empty if it is unknown. */
  deliveryOf(campaign: string, range: Range): Delivered {
    return this.deliveredBy('campaign', campaign, range) ?? noDelivery
  }

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
            spend: this.money(known(delivered.spend, delivered.fxMissing)),
            impressions: Number(delivered.impressions ?? 0n),
            clicks: Number(delivered.clicks ?? 0n),
          })
      }
    return rows
  }

  /** By the conversion's name; refunds have a suffix. */
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
        credit: over(sumOwn(all.map(({ weight }) => weight)), shares[0]!.total, SHARE_SCALE),
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

  overview(model: Model, range: Range): { totals: unknown; days: unknown[] } {
    const measure = (span: Range) => {
      const sums = this.ledger.sums('campaign', model, span)
      const { cash, payments, cashUnrated } = this.ledger.totals(span)
      const ids = this.entitiesOf('campaign', sums, span)
      const delivered = addUp(ids.map((id) => this.deliveredBy('campaign', id, span) ?? noDelivery))
      let [credited, creditedUnrated] = [0n, 0]
      for (const [entity, sum] of sums)
        if (entity !== null) {
          credited += sum.cash
          creditedUnrated += sum.cashUnrated
        }
      const spend = known(delivered.spend, delivered.fxMissing)
      const revenue = known(cash, cashUnrated)
      const shown = {
        spend: this.money(spend),
        revenue: this.money(revenue),
        credited_revenue: this.money(known(credited, creditedUnrated)),
        payments,
      }
      const totalRoas = spend === null || revenue === null ? null : over(revenue, spend)
      return { shown, delivered, totalRoas }
    }
    const { shown, delivered, totalRoas } = measure(range)
    const days: unknown[] = []
    for (let time = Date.parse(range.from); time <= Date.parse(range.to); time += DAY) {
      const date = new Date(time).toISOString().slice(0, 10)
      days.push({ date, ...measure({ from: date, to: date }).shown })
    }
    const all = this.figures(this.ledger.inAll('campaign', model, range), delivered, model)
    return {
      totals: {
        ...shown,
        credited_payments: all.outcome_count,
        outcome_credit: all.outcome_credit,
        roas: all.roas,
        total_roas: totalRoas,
        cac: all.cac,
      },
      days,
    }
  }
}
