/** Figures of an entity or a total, computed from sums. */
import type { Model } from './credit.ts'
import { toNumber, toText } from './decimal.ts'
import { addUp, type Delivered, type Entity } from './delivery.ts'
import type { Facts } from './facts.ts'
import type { Level } from './history.ts'
import { isIn, Ledger, type Range, type Sum } from './ledger.ts'

export const noDelivery: Delivered = addUp([])
const MILLION = 1_000_000n

export class ExpectedFigures {
  readonly facts: Facts
  readonly ledger: Ledger
  readonly currency: string

  constructor(facts: Facts) {
    this.facts = facts
    this.ledger = new Ledger(facts)
    this.currency = facts.world.currency
  }

  protected deliveredBy(level: Level, id: string, range: Range): Delivered | undefined {
    const days = this.facts.delivery.days().filter((day) => isIn(range, day))
    return this.facts.delivery.total(level, id, days)
  }

  protected unit(): bigint {
    return 10n ** BigInt(toText(0n, this.currency).split('.')[1]?.length ?? 0)
  }

  protected money(minor: bigint | null): number | null {
    return minor === null ? null : toNumber(minor, this.currency)
  }

  protected traffic(delivered: Delivered): Record<string, unknown> {
    const impressions = delivered.impressions ?? 0n
    const clicks = delivered.clicks ?? 0n
    const spend = known(delivered.spend, delivered.fxMissing)
    return {
      impressions: Number(impressions),
      clicks: Number(clicks),
      reach: delivered.reach === null ? null : Number(delivered.reach),
      ctr: over(clicks * 100n, impressions),
      avg_cpm: spend === null ? null : over(spend * 1000n, impressions * this.unit()),
      avg_cpc: spend === null ? null : over(spend, clicks * this.unit()),
      messaging_conversations_started_7d: null,
    }
  }

  figures(credit: Sum, delivered: Delivered, model: Model) {
    const spend = known(delivered.spend, delivered.fxMissing)
    const value = known(credit.cash, credit.cashUnrated)
    return {
      spend: this.money(spend),
      roas: spend === null || value === null ? null : over(value, spend),
      cac: spend === null ? null : over(spend, BigInt(credit.cashCount) * this.unit()),
      ...this.creditFigures(credit, model),
      fx_missing: credit.cashUnrated + delivered.fxMissing,
    }
  }

  /** Figures of first payments. */
  newCustomers(credit: Sum, delivered: Delivered) {
    const spend = known(delivered.spend, delivered.fxMissing)
    const value = known(credit.newCash, credit.newUnrated)
    return {
      new_customer_count: credit.newCustomers,
      new_customer_value: this.money(value),
      new_customer_cac: spend === null ? null : over(spend, BigInt(credit.newCustomers) * this.unit()),
      new_customer_roas: spend === null || value === null ? null : over(value, spend),
    }
  }

  protected creditFigures(credit: Sum, model: Model) {
    const isDivided = model === 'linear' || model === 'time_decay'
    return {
      outcome_count: credit.cashCount,
      outcome_credit: isDivided ? toBillionths(credit.cashParts) : credit.cashCount,
      outcome_value: this.money(known(credit.cash, credit.cashUnrated)),
      attributed_outcome_count: credit.count,
      attributed_outcomes_by_type: credit.byType,
      fx_missing: credit.cashUnrated,
    }
  }

  entity(level: Level, id: string): Entity | undefined {
    return this.facts.delivery.entities.get(`${level}:${id}`)
  }

  protected text(minor: bigint | null): string | null {
    return minor === null ? null : toText(minor, this.currency)
  }

  protected measures(credit: Sum, delivered: Delivered): Record<string, unknown> {
    const { conversions, value } = delivered
    const { count } = credit
    const spend = known(delivered.spend, delivered.fxMissing)
    const cash = known(credit.cash, credit.cashUnrated)
    const gap = conversions === null ? null : BigInt(count) * 1000n - conversions
    return {
      spend: this.money(spend),
      platform_conversions: conversions === null ? null : Number(conversions) / 1000,
      platform_conversion_value: this.text(value),
      atribu_conversions: count,
      atribu_cash_conversions: credit.cashCount,
      atribu_cash_revenue: this.text(cash),
      conversion_gap: gap === null ? null : Number(gap) / 1000,
      conversion_gap_pct: gap === null || conversions === null ? null : over(gap * 100n, conversions),
      value_gap: value === null || cash === null ? null : this.text(cash - value),
      platform_roas: value === null || spend === null ? null : over(value, spend),
      atribu_roas: cash === null || spend === null ? null : over(cash, spend),
    }
  }
}

/** Null if all of the money is unknown. */
export function known(minor: bigint, missing: number): bigint | null {
  return minor === 0n && missing > 0 ? null : minor
}

function toBillionths(parts: bigint): number {
  const unit = 10n ** 21n
  return Number((parts + unit / 2n) / unit) / 1e9
}

/** A quotient rounded to six places, half away from zero; null for a divisor of 0. */
export function over(top: bigint, bottom: bigint, scale = MILLION): number | null {
  if (bottom === 0n) return null
  const [size, parts] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom]
  const rounded = (size * scale * 2n + parts) / (parts * 2n)
  return Number(top < 0n === bottom < 0n ? rounded : -rounded) / Number(scale) + 0
}

export function less(total: Delivered, part: Delivered): Delivered {
  const remainderOf = (name: 'conversions' | 'value') => {
    const remainder = (total[name] ?? 0n) - (part[name] ?? 0n)
    return remainder === 0n ? null : remainder
  }
  return {
    ...noDelivery,
    spend: total.spend - part.spend,
    conversions: remainderOf('conversions'),
    value: remainderOf('value'),
    fxMissing: Math.max(0, total.fxMissing - part.fxMissing),
  }
}
