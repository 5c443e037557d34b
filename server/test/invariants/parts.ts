/** A part is at most its whole, parts of a partition add up to it, and ratios match the figures next to them. */
import { models } from '@whence/engine'
import { type Figures, type Level, levels, type Model, type UnderModel } from './read.ts'
import { addTypes, type Violations } from './violations.ts'

export const dividing: ReadonlySet<Model> = new Set(['linear', 'time_decay'])

type Measures = {
  outcome_count: number
  outcome_credit: number
  outcome_value: number | null
  attributed_outcome_count: number
  attributed_outcomes_by_type: Record<string, number>
  fx_missing: number
  new_customer_count?: number
  new_customer_value?: number | null
  spend?: number | null
  roas?: number | null
  cac?: number | null
  impressions?: number
  clicks?: number
}

export function checkParts(violations: Violations, figures: Figures): void {
  for (const model of models) {
    const under = figures.models[model]
    for (const level of levels) checkLevel(violations, { model, level }, under)
    checkChannels(violations, `${model} channels`, under, model)
    checkReasons(violations, `${model} reasons`, under, model)
    checkOverview(violations, `${model} overview`, under)
    checkCohorts(violations, `${model} cohorts`, under, model)
  }
  checkPeople(violations, figures)
}

/** Invariants of a single row. */
function checkRow(violations: Violations, where: string, row: Measures): void {
  const { outcome_count: count, spend = null, outcome_value: value } = row
  violations.atMost(`${where} credit`, row.outcome_credit, count + 1e-9)
  // A refund without its payment in the range has money but no count and no share.
  if (count === 0) violations.equal(`${where} credit of nothing`, 0, row.outcome_credit)
  violations.atMost(`${where} payments of outcomes`, count, row.attributed_outcome_count)
  violations.atMost(`${where} new customers`, row.new_customer_count ?? 0, count)
  violations.equal(
    `${where} types`,
    row.attributed_outcome_count,
    Object.values(row.attributed_outcomes_by_type).reduce((sum, outcomes) => sum + outcomes, 0),
  )
  for (const [type, outcomes] of Object.entries(row.attributed_outcomes_by_type))
    violations.atMost(`${where} type ${type} shown`, 1, outcomes)
  if (row.roas !== undefined) {
    const roas = value === null || spend === null || spend === 0 ? null : value / spend
    violations.close(`${where} roas`, roas, row.roas)
  }
  if (row.cac !== undefined)
    violations.close(`${where} cac`, spend === null || count === 0 ? null : spend / count, row.cac)
}

/** Parts of a partition; under a dividing model a count may be in several of them. */
function checkWhole(
  violations: Violations,
  where: string,
  parts: readonly Measures[],
  whole: Measures,
  isDivided: boolean,
): void {
  violations.money(`${where} value`, parts, (part) => part.outcome_value, whole.outcome_value)
  violations.shares(`${where} credit`, parts, (part) => part.outcome_credit, whole.outcome_credit)
  if (whole.new_customer_value !== undefined)
    violations.money(
      `${where} new customer value`,
      parts,
      (part) => part.new_customer_value ?? null,
      whole.new_customer_value,
    )
  if (whole.spend !== undefined)
    violations.money(`${where} spend`, parts, (part) => part.spend ?? null, whole.spend)
  const types = addTypes(parts.map((part) => part.attributed_outcomes_by_type))
  const counts = [
    ['payments', (part: Measures) => part.outcome_count],
    ['outcomes', (part: Measures) => part.attributed_outcome_count],
    ['new customers', (part: Measures) => part.new_customer_count ?? 0],
    ['fx_missing', (part: Measures) => part.fx_missing],
  ] as const
  if (!isDivided) {
    violations.equal(`${where} types`, sorted(whole.attributed_outcomes_by_type), sorted(types))
    for (const [name, select] of counts) violations.count(`${where} ${name}`, parts, select, select(whole))
    return
  }
  for (const [name, select] of counts) {
    for (const [index, part] of parts.entries())
      violations.atMost(`${where} ${name} of part ${index}`, select(part), select(whole))
    violations.atMost(
      `${where} ${name} in all`,
      select(whole),
      parts.reduce((sum, part) => sum + select(part), 0),
    )
  }
  for (const [type, count] of Object.entries(whole.attributed_outcomes_by_type))
    violations.atMost(`${where} ${type} in all`, count, types[type] ?? 0)
  for (const part of parts)
    for (const [type, count] of Object.entries(part.attributed_outcomes_by_type))
      violations.atMost(`${where} ${type} of a part`, count, whole.attributed_outcomes_by_type[type] ?? 0)
}

export const sorted = (counts: Record<string, number>) =>
  Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))

function checkLevel(
  violations: Violations,
  { model, level }: { model: Model; level: Level },
  under: UnderModel,
): void {
  const where = `${model} ${level}`
  const { rows, total, rest, compared } = under.levels[level]
  const isDivided = dividing.has(model)
  for (const row of rows) checkRow(violations, `${where} ${row.platform_id}`, row)
  checkRow(violations, `${where} total`, total)
  checkRow(violations, `${where} rest`, rest)
  checkWhole(violations, `${where} rows`, rows, total, isDivided)
  violations.count(`${where} impressions`, rows, (row) => row.impressions, total.impressions)
  violations.count(`${where} clicks`, rows, (row) => row.clicks, total.clicks)
  // Campaigns plus unattributed are everything.
  const { channels } = under
  const everything = { ...channels.total, fx_missing: total.fx_missing + rest.fx_missing }
  const { spend: _, roas: __, cac: ___, ...credited } = total
  const parts: Measures[] = [credited, rest]
  const { spend: ____, ...whole } = everything
  const expected = isDivided ? { ...whole, fx_missing: total.fx_missing + rest.fx_missing } : whole
  checkWhole(violations, `${where} with the rest`, parts, expected, isDivided)
  const campaignOf = new Map<string | null, string | null>(
    rows.map((row) => [row.campaign_id, row.campaign_external_id]),
  )
  for (const platform of compared.platforms) {
    const platformRows = compared.rows.filter((row) => row.platform === platform.platform)
    const at = `${where} comparison ${platform.platform}`
    violations.money(
      `${at} revenue`,
      platformRows,
      (row) => row.atribu_cash_revenue,
      platform.atribu_cash_revenue,
    )
    violations.money(`${at} spend`, platformRows, (row) => row.spend, platform.spend)
    violations.money(
      `${at} reported`,
      platformRows,
      (row) => row.platform_conversions,
      platform.platform_conversions,
    )
    violations.money(
      `${at} reported value`,
      platformRows,
      (row) => row.platform_conversion_value,
      platform.platform_conversion_value,
    )
    for (const row of platformRows.filter(({ kind }) => kind === 'entity')) {
      violations.atMost(
        `${at} ${row.platform_id} payments`,
        row.atribu_cash_conversions,
        row.atribu_conversions,
      )
      // Visits of an ad without a known campaign may have campaigns of another platform.
      if (level === 'campaign' || campaignOf.get(row.entity_id) != null)
        violations.atMost(
          `${at} ${row.platform_id} conversions`,
          row.atribu_conversions,
          platform.atribu_conversions,
        )
    }
    if (!isDivided) {
      violations.count(
        `${at} conversions`,
        platformRows,
        (row) => row.atribu_conversions,
        platform.atribu_conversions,
      )
      violations.count(
        `${at} payments`,
        platformRows,
        (row) => row.atribu_cash_conversions,
        platform.atribu_cash_conversions,
      )
    }
  }
}

function checkChannels(violations: Violations, where: string, { channels }: UnderModel, model: Model): void {
  const isDivided = dividing.has(model)
  const { rows, total } = channels
  for (const row of rows) {
    checkRow(violations, `${where} ${row.channel}`, row)
    for (const source of row.sources) checkRow(violations, `${where} ${row.channel} ${source.source}`, source)
    if (row.sources.length > 0)
      checkWhole(violations, `${where} sources of ${row.channel}`, row.sources, row, isDivided)
  }
  checkRow(violations, `${where} total`, total)
  checkWhole(violations, where, rows, total, isDivided)
}

function checkReasons(
  violations: Violations,
  where: string,
  { reasons, levels: at }: UnderModel,
  model: Model,
): void {
  for (const row of reasons) checkRow(violations, `${where} ${row.reason}`, row)
  const { new_customer_count: _, new_customer_value: __, ...rest } = at.campaign.rest
  checkWhole(violations, where, reasons, rest, dividing.has(model))
}

function checkOverview(violations: Violations, where: string, { overview }: UnderModel): void {
  const { totals, days } = overview
  for (const money of ['spend', 'revenue', 'credited_revenue'] as const)
    violations.money(`${where} days ${money}`, days, (day) => day[money], totals[money])
  violations.count(`${where} days payments`, days, (day) => day.payments, totals.payments)
  violations.atMost(`${where} credited payments`, totals.credited_payments, totals.payments)
  violations.equal(`${where} days once`, days.length, new Set(days.map(({ date }) => date)).size)
}

function checkCohorts(violations: Violations, where: string, { cohorts }: UnderModel, model: Model): void {
  const size = cohorts.month.reduce((sum, row) => sum + row.size, 0)
  for (const by of ['month', 'campaign', 'channel'] as const) {
    const rows = cohorts[by]
    const sum = rows.reduce((all, row) => all + row.size, 0)
    if (by !== 'month' && !dividing.has(model)) violations.equal(`${where} ${by} sizes`, size, sum)
    violations.atMost(`${where} ${by} sizes in all`, size, sum)
    for (const row of rows) {
      const at = `${where} ${by} ${row.key}`
      violations.atMost(`${at} size`, row.size, size)
      for (const [month, payers] of row.paying_customers.entries())
        violations.atMost(`${at} payers of month ${month}`, payers ?? 0, row.size)
    }
  }
  // If every cell of the first month is known, cohorts of a partition add up to the months.
  const first = (dimension: keyof typeof cohorts) =>
    cohorts[dimension].map((row) => row.cumulative_revenue[0] ?? null)
  if ((['month', 'campaign', 'channel'] as const).every((by) => !first(by).includes(null)))
    for (const by of ['campaign', 'channel'] as const)
      violations.money(
        `${where} ${by} revenue of the first month`,
        first(by),
        (cell) => cell,
        first('month').reduce<number>((sum, cell) => sum + (cell ?? 0), 0),
      )
}

function checkPeople(violations: Violations, { people }: Figures): void {
  for (const { groupBy, firstOnly, data } of people) {
    const where = `ad people by ${groupBy}${firstOnly ? ' first' : ''}`
    const { buckets, totals } = data
    violations.equal(`${where} buckets`, data.buckets_total, buckets.length)
    for (const bucket of [...buckets, { ...totals, key: 'totals' }]) {
      const origins = Object.values(bucket.by_origin)
      violations.count(
        `${where} ${bucket.key} touches by origin`,
        origins,
        ({ touches }) => touches,
        bucket.ad_touches,
      )
      violations.atMost(`${where} ${bucket.key} people`, bucket.ad_people, totals.ad_people)
      violations.atMost(`${where} ${bucket.key} touches of people`, bucket.ad_people, bucket.ad_touches)
      for (const { people: originPeople } of origins)
        violations.atMost(`${where} ${bucket.key} origin`, originPeople, bucket.ad_people)
      if (!firstOnly)
        violations.atMost(
          `${where} ${bucket.key} people in origins`,
          bucket.ad_people,
          origins.reduce((sum, origin) => sum + origin.people, 0),
        )
    }
    if (firstOnly)
      violations.count(`${where} people once`, buckets, (bucket) => bucket.ad_people, totals.ad_people)
    else violations.count(`${where} touches`, buckets, (bucket) => bucket.ad_touches, totals.ad_touches)
  }
}
