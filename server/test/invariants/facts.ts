/** The same fact has the same value on every route, at every level and under every model. */
import { models } from '@whence/engine'
import { dividing } from './parts.ts'
import { type Figures, type Level, levels, type UnderModel } from './read.ts'
import { milli, type Violations } from './violations.ts'

export function checkFacts(violations: Violations, figures: Figures): void {
  const first = figures.models[models[0]!]
  for (const model of models) {
    const under = figures.models[model]
    checkModel(violations, model, under)
    checkCohorts(violations, model, under, hasSeveralFirsts(figures))
    // Figures that do not depend on credit.
    const money = ({ overview }: UnderModel) => ({
      spend: overview.totals.spend,
      revenue: overview.totals.revenue,
      payments: overview.totals.payments,
      days: overview.days.map(({ date, spend, revenue, payments }) => ({ date, spend, revenue, payments })),
    })
    violations.equal(`${model} money`, money(first), money(under))
    violations.equal(`${model} cohorts by month`, first.cohorts.month, under.cohorts.month)
    for (const level of levels)
      violations.equal(`${model} ${level} delivery`, delivery(first, level), delivery(under, level))
    violations.equal(`${model} paid clicks`, clicks(first), clicks(under))
    const totalOf = ({ channels: { total } }: UnderModel) => ({
      count: total.outcome_count,
      value: total.outcome_value,
      outcomes: total.attributed_outcome_count,
      types: total.attributed_outcomes_by_type,
      newCustomers: total.new_customer_count,
      newValue: total.new_customer_value,
      spend: total.spend,
    })
    violations.equal(`${model} everything`, totalOf(first), totalOf(under))
  }
  checkMetas(violations, figures)
  checkPayments(violations, figures)
}

const byId = <T extends { campaign_id: string }>(rows: readonly T[]) =>
  rows.toSorted((a, b) => (a.campaign_id < b.campaign_id ? -1 : 1))

/** Entities without delivery are listed only if a model credits them. */
function delivery({ levels: at }: UnderModel, level: Level) {
  return byId(at[level].rows)
    .filter((row) => row.impressions > 0 || row.clicks > 0 || row.spend !== 0)
    .map(({ campaign_id, spend, impressions, clicks, reach, ctr, avg_cpm, avg_cpc }) => ({
      campaign_id,
      spend,
      impressions,
      clicks,
      reach,
      ctr,
      avg_cpm,
      avg_cpc,
    }))
}

const clicks = ({ quality }: UnderModel) => ({
  unknown: quality.unknown_ads_total,
  platforms: quality.platforms
    .filter((row) => row.paid_clicks > 0)
    .map(({ platform, paid_clicks, with_ad_id }) => ({ platform, paid_clicks, with_ad_id })),
})

/** Without fields about the entities of one level. */
const ofEveryLevel = ({
  compared: _,
  ...row
}: UnderModel['levels']['campaign']['compared']['platforms'][number]) => row

function checkModel(violations: Violations, model: (typeof models)[number], under: UnderModel): void {
  const { overview, channels, levels: at, quality } = under
  const { totals } = overview
  const { total } = at.campaign
  violations.equal(`${model} credited revenue`, milli(total.outcome_value), milli(totals.credited_revenue))
  violations.equal(`${model} credited payments`, total.outcome_count, totals.credited_payments)
  violations.equal(`${model} credit`, total.outcome_credit, totals.outcome_credit)
  violations.equal(`${model} roas`, total.roas, totals.roas)
  violations.equal(`${model} cac`, total.cac, totals.cac)
  violations.equal(`${model} revenue`, milli(channels.total.outcome_value), milli(totals.revenue))
  violations.equal(`${model} payments`, channels.total.outcome_count, totals.payments)
  for (const level of levels) {
    const { compared, rows } = at[level]
    violations.equal(
      `${model} ${level} platforms`,
      at.campaign.compared.platforms.map(ofEveryLevel),
      compared.platforms.map(ofEveryLevel),
    )
    for (const row of compared.rows.filter(({ kind }) => kind === 'entity')) {
      const listed = rows.find(({ campaign_id }) => campaign_id === row.entity_id)
      const where = `${model} ${level} ${row.platform_id} compared`
      violations.equal(`${where} spend`, listed?.spend, row.spend)
      violations.equal(
        `${where} revenue`,
        milli(listed?.outcome_value ?? null),
        milli(row.atribu_cash_revenue),
      )
      violations.equal(`${where} payments`, listed?.outcome_count, row.atribu_cash_conversions)
      violations.equal(`${where} conversions`, listed?.attributed_outcome_count, row.atribu_conversions)
    }
    violations.equal(
      `${model} ${level} compared rows`,
      rows.length,
      compared.rows.filter(({ kind }) => kind === 'entity').length,
    )
  }
  for (const platform of at.campaign.compared.platforms) {
    const where = `${model} ${platform.platform}`
    const source = channels.rows
      .flatMap((row) => row.sources)
      .find((candidate) => candidate.kind === 'ads' && candidate.source === platform.platform)
    violations.equal(
      `${where} ads revenue`,
      milli(platform.atribu_cash_revenue),
      milli(source?.outcome_value ?? null),
    )
    violations.equal(`${where} ads spend`, milli(platform.spend), milli(source?.spend ?? null))
    violations.equal(`${where} ads payments`, platform.atribu_cash_conversions, source?.outcome_count ?? 0)
    violations.equal(
      `${where} ads conversions`,
      platform.atribu_conversions,
      source?.attributed_outcome_count ?? 0,
    )
    const qualityRow = quality.platforms.find((row) => row.platform === platform.platform)
    violations.equal(
      `${where} unassigned`,
      platform.unassigned_conversions,
      qualityRow?.unassigned_conversions ?? 0,
    )
    violations.equal(
      `${where} unassigned revenue`,
      milli(platform.unassigned_cash_revenue),
      milli(qualityRow?.unassigned_cash_revenue ?? null),
    )
  }
}

/** A customer with several subjects has several first payments, but is in a cohort once. */
function hasSeveralFirsts({ payments }: Figures): boolean {
  const firsts = payments.filter((payment) => payment.is_first_payment)
  return new Set(firsts.map(({ customer_id }) => customer_id)).size < firsts.length
}

function checkCohorts(
  violations: Violations,
  model: (typeof models)[number],
  { cohorts, channels, levels: at }: UnderModel,
  hasSeveral: boolean,
): void {
  const size = (where: string, newCustomers: number | undefined, cohortSize: number) => {
    violations.atMost(`${where} size`, cohortSize, newCustomers ?? 0)
    if (!hasSeveral) violations.equal(`${where} size`, newCustomers, cohortSize)
  }
  for (const cohort of cohorts.campaign) {
    const row = at.campaign.rows.find(({ campaign_id }) => campaign_id === cohort.key)
    const where = `${model} cohort of ${cohort.key ?? 'no campaign'}`
    size(where, (row ?? at.campaign.rest).new_customer_count, cohort.size)
    if (cohort.key !== null) violations.equal(`${where} spend`, row?.spend, cohort.spend)
  }
  for (const cohort of cohorts.channel) {
    const row = channels.rows.find(({ channel }) => channel === cohort.key)
    size(`${model} cohort of channel ${cohort.key}`, row?.new_customer_count, cohort.size)
    violations.equal(`${model} cohort of channel ${cohort.key} spend`, row?.spend ?? 0, cohort.spend)
  }
  const all = cohorts.month.reduce((sum, row) => sum + row.size, 0)
  size(`${model} new customers`, channels.total.new_customer_count, all)
  violations.money(`${model} spend by month`, cohorts.month, (row) => row.spend, channels.total.spend ?? null)
}

/** Each report proves the same total. */
function checkMetas(violations: Violations, { metas }: Figures): void {
  const first = metas[0]!.meta
  for (const { where, model, level, meta } of metas) {
    const at = `${model} ${level} ${where} meta`
    const { total, credited, unattributed, delta, left_out } = meta.reconciliation
    violations.equal(`${at} total`, first.reconciliation.total, total)
    violations.equal(`${at} delta`, 0, delta)
    violations.equal(`${at} sum`, milli(total), milli(credited) + milli(unattributed))
    violations.equal(`${at} left out`, first.reconciliation.left_out, left_out)
    violations.equal(`${at} stale`, false, meta.freshness.stale)
    violations.equal(`${at} rates`, meta.fx_missing > 0, meta.fx_missing_rates.length > 0)
    violations.atMost(`${at} fx_missing`, left_out, meta.fx_missing)
    const same = metas.find((other) => other.where === where && other.level === level)!
    violations.equal(`${at} fx_missing of every model`, same.meta.fx_missing, meta.fx_missing)
  }
}

/** Received money: the lists of payments and of customers add up to the reports, over all time. */
function checkPayments(violations: Violations, { models: read, payments, customers }: Figures): void {
  const arrived = payments.filter(({ status }) => status === 'succeeded' || status === 'disputed')
  const { totals } = read.last_touch.overview
  violations.equal('payments listed', totals.payments, arrived.length)
  const owned = arrived.filter(({ customer_id }) => customer_id !== null)
  violations.count('payments of customers', customers, (row) => row.payments, owned.length)
  for (const model of models) {
    const { linkage, levels: at } = read[model]
    violations.equal(`${model} linkage listed`, arrived.length, linkage.length)
    if (dividing.has(model)) continue
    const nearest = { ad: ['ad'], ad_set: ['ad', 'ad_set'], campaign: ['ad', 'ad_set', 'campaign'] }
    for (const level of levels) {
      const linked = linkage.filter((row) => row[level] !== null)
      violations.atMost(
        `${model} linkage ${level}`,
        linkage.filter((row) => nearest[level].includes(row.linkage)).length,
        linkage.length,
      )
      violations.equal(`${model} linkage to ${level}`, at[level].total.outcome_count, linked.length)
    }
  }
}
