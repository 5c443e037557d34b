/** Delivery of ads: parents as last reported, and per entity and day its own row or the sum of its children's rows. */
import { exchange, toMinor, toUnits } from './decimal.ts'
import { type Level, type Rate, rates, type SpendRow } from './history.ts'

export const levels: readonly Level[] = ['campaign', 'ad_set', 'ad']

/** `campaign:C1`. */
export type EntityName = string

export type Entity = {
  level: Level
  id: string
  source: string
  name: string | null
  campaign: string | null
  adSet: string | null
}

export type Delivered = {
  spend: bigint
  impressions: bigint | null
  clicks: bigint | null
  reach: bigint | null
  /** Thousandths. */
  conversions: bigint | null
  value: bigint | null
  fxMissing: number
}

const counters = ['impressions', 'clicks', 'conversions', 'value'] as const

export class Delivery {
  readonly entities = new Map<EntityName, Entity>()
  private readonly rows = new Map<
    string,
    { level: Level; id: string; day: string; source: string; currency: string; own: Delivered }
  >()
  private readonly currency: string

  constructor(currency: string) {
    this.currency = currency
  }

  /** Returns the counts of the import's response. */
  take(rows: readonly SpendRow[]): { inserted: number; updated: number; unchanged: number } {
    const answer = { inserted: 0, updated: 0, unchanged: 0 }
    for (const row of rows) this.nameAll(row)
    this.align()
    for (const row of rows) {
      const id = row[`${row.level}_id`]!
      const key = `${row.level} ${id} ${row.date} ${row.source}`
      const before = this.rows.get(key)
      const own = this.read(row)
      this.rows.set(key, {
        level: row.level,
        id,
        day: row.date,
        source: row.source,
        currency: row.currency ?? this.currency,
        own,
      })
      if (before === undefined) answer.inserted++
      else if (this.deliveryTexts.get(key) === sentence(row, this.currency)) answer.unchanged++
      else answer.updated++
      this.deliveryTexts.set(key, sentence(row, this.currency))
    }
    return answer
  }
  private readonly deliveryTexts = new Map<string, string>()

  private nameAll(row: SpendRow): void {
    if (row.campaign_id !== undefined)
      this.name('campaign', row.campaign_id, row.source, row.campaign_name, {})
    if (row.level !== 'campaign' && row.ad_set_id !== undefined)
      this.name('ad_set', row.ad_set_id, row.source, row.ad_set_name, { campaign: row.campaign_id })
    if (row.level === 'ad')
      this.name('ad', row.ad_id!, row.source, row.ad_name, {
        campaign: row.campaign_id,
        adSet: row.ad_set_id,
      })
  }

  /** Parents are assigned after the whole import, so the order of its rows does not matter. */
  private align(): void {
    for (const entity of this.entities.values()) {
      if (entity.level !== 'ad' || entity.adSet === null) continue
      const campaign = this.entities.get(`ad_set:${entity.adSet}`)?.campaign ?? null
      if (campaign !== null) entity.campaign = campaign
    }
  }

  private name(
    level: Level,
    id: string,
    source: string,
    name: string | undefined,
    parents: { campaign?: string | undefined; adSet?: string | undefined },
  ): void {
    const existing = this.entities.get(`${level}:${id}`)
    this.entities.set(`${level}:${id}`, {
      level,
      id,
      source: existing?.source ?? source,
      name: name ?? existing?.name ?? null,
      campaign: parents.campaign ?? existing?.campaign ?? null,
      adSet: parents.adSet ?? existing?.adSet ?? null,
    })
  }

  private read(row: SpendRow): Delivered {
    const currency = row.currency ?? this.currency
    const toOwnCurrency = (text: string | undefined): bigint | null | undefined => {
      if (text === undefined) return undefined
      const minor = toMinor(text, currency)
      return minor === 0n ? 0n : exchange(minor, currency, this.currency, row.date, rates as Rate[])
    }
    const spend = toOwnCurrency(row.spend)
    const value = toOwnCurrency(row.platform_conversion_value)
    const count = (number: number | undefined) => (number === undefined ? null : BigInt(number))
    return {
      spend: spend ?? 0n,
      impressions: count(row.impressions),
      clicks: count(row.clicks),
      reach: count(row.reach),
      conversions: row.platform_conversions === undefined ? null : toUnits(row.platform_conversions, 3),
      value: value ?? null,
      fxMissing: spend === null || value === null ? 1 : 0,
    }
  }

  /** Parents of a touch's entities: from the platform's structure, otherwise from the touch. */
  place(ids: { campaign: string | null; adSet: string | null; ad: string | null }): {
    campaign: string | null
    adSet: string | null
    ad: string | null
  } {
    const ofAd = ids.ad === null ? undefined : this.entities.get(`ad:${ids.ad}`)
    const adSet = ofAd?.adSet ?? ids.adSet
    const ofSet = adSet === null ? undefined : this.entities.get(`ad_set:${adSet}`)
    return { campaign: ofSet?.campaign ?? ofAd?.campaign ?? ids.campaign, adSet, ad: ids.ad }
  }

  days(): string[] {
    return [...new Set([...this.rows.values()].map((row) => row.day))].sort()
  }

  sources(): string[] {
    return [...new Set([...this.rows.values()].map((row) => row.source))].sort()
  }

  missingRates(): { day: string; currency: string }[] {
    return [...this.rows.values()].filter(({ own }) => own.fxMissing > 0)
  }

  /** Undefined without delivery. */
  on(level: Level, id: string, day: string, source: string): Delivered | undefined {
    const row = this.rows.get(`${level} ${id} ${day} ${source}`)
    if (row !== undefined) return row.own
    if (level === 'ad') return undefined
    const parts: Delivered[] = []
    for (const child of this.entities.values()) {
      const isChild =
        level === 'ad_set'
          ? child.level === 'ad' && child.adSet === id
          : child.campaign === id &&
            (child.level === 'ad_set' || (child.level === 'ad' && child.adSet === null))
      const part = isChild ? this.on(child.level, child.id, day, source) : undefined
      if (part !== undefined) parts.push(part)
    }
    return parts.length === 0 ? undefined : addUp(parts)
  }

  /** Over days and sources. */
  total(level: Level, id: string, days: readonly string[], sources = this.sources()): Delivered | undefined {
    const parts: Delivered[] = []
    for (const day of days)
      for (const source of sources) {
        const part = this.on(level, id, day, source)
        if (part !== undefined) parts.push(part)
      }
    if (parts.length === 0) return undefined
    return { ...addUp(parts), reach: parts.length === 1 ? parts[0]!.reach : null }
  }
}

/** Reach is not additive, because days, ads and sources share accounts. */
export function addUp(parts: readonly Delivered[]): Delivered {
  const sum: Delivered = {
    spend: 0n,
    impressions: null,
    clicks: null,
    reach: null,
    conversions: null,
    value: null,
    fxMissing: 0,
  }
  for (const part of parts) {
    sum.spend += part.spend
    sum.fxMissing += part.fxMissing
    for (const counter of counters) {
      const value = part[counter]
      if (value !== null) sum[counter] = (sum[counter] ?? 0n) + value
    }
  }
  return sum
}

/** The delivery of a row as text, without names. */
function sentence(row: SpendRow, currency: string): string {
  const money = (text: string | undefined) =>
    text === undefined ? null : String(toMinor(text, row.currency ?? currency))
  return JSON.stringify([
    money(row.spend),
    row.currency ?? currency,
    row.impressions ?? null,
    row.clicks ?? null,
    row.reach ?? null,
    row.platform_conversions ?? null,
    money(row.platform_conversion_value),
  ])
}
