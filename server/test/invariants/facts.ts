/** The same fact has the same value on every route, at every level and under every model. */
import { models } from '@whence/engine'
import { dividing } from './parts.ts'
import { type Figures, type Level, levels, type UnderModel } from './read.ts'
import { milli, type Violations } from './violations.ts'

export function checkFacts(found: Violations, figures: Figures): void {
  const first = figures.models[models[0]!]
  for (const model of models) {
    const under = figures.models[model]
    checkModel(found, model, under)
    checkCohorts(found, model, under, hasSeveralFirsts(figures))
    // Figures that do not depend on credit.
    const money = ({ overview }: UnderModel) => ({
      spend: overview.totals.spend,
      revenue: overview.totals.revenue,
      payments: overview.totals.payments,
      days: overview.days.map(({ date, spend, revenue, payments }) => ({ date, spend, revenue, payments })),
    })
    found.equal(`${model} money`, money(first), money(under))
    found.equal(`${model} cohorts by month`, first.cohorts.month, under.cohorts.month)
    for (const level of levels)
      found.equal(`${model} ${level} delivery`, delivery(first, level), delivery(under, level))
    found.equal(`${model} paid clicks`, clicks(first), clicks(under))
    const whole = ({ channels: { total } }: UnderModel) => ({
      count: total.outcome_count,
      value: total.outcome_value,
      outcomes: total.attributed_outcome_count,
      types: total.attributed_outcomes_by_type,
      newCustomers: total.new_customer_count,
      newValue: total.new_customer_value,
      spend: total.spend,
    })
    found.equal(`${model} everything`, whole(first), whole(under))
  }
  checkMetas(found, figures)
  checkPayments(found, figures)
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
  ...rest
}: UnderModel['levels']['campaign']['compared']['platforms'][number]) => rest

function checkModel(found: Violations, model: (typeof models)[number], under: UnderModel): void {
  const { overview, channels, levels: at, quality } = under
  const { totals } = overview
  const { total } = at.campaign
  found.equal(`${model} credited revenue`, milli(total.outcome_value), milli(totals.credited_revenue))
  found.equal(`${model} credited payments`, total.outcome_count, totals.credited_payments)
  found.equal(`${model} credit`, total.outcome_credit, totals.outcome_credit)
  found.equal(`${model} roas`, total.roas, totals.roas)
  found.equal(`${model} cac`, total.cac, totals.cac)
  found.equal(`${model} revenue`, milli(channels.total.outcome_value), milli(totals.revenue))
  found.equal(`${model} payments`, channels.total.outcome_count, totals.payments)
  for (const level of levels) {
    const { compared, rows } = at[level]
    found.equal(
      `${model} ${level} platforms`,
      at.campaign.compared.platforms.map(ofEveryLevel),
      compared.platforms.map(ofEveryLevel),
    )
    for (const row of compared.rows.filter(({ kind }) => kind === 'entity')) {
      const listed = rows.find(({ campaign_id }) => campaign_id === row.entity_id)
      const where = `${model} ${level} ${row.platform_id} compared`
      found.equal(`${where} spend`, listed?.spend, row.spend)
      found.equal(`${where} revenue`, milli(listed?.outcome_value ?? null), milli(row.atribu_cash_revenue))
      found.equal(`${where} payments`, listed?.outcome_count, row.atribu_cash_conversions)
      found.equal(`${where} conversions`, listed?.attributed_outcome_count, row.atribu_conversions)
    }
    found.equal(
      `${model} ${level} compared rows`,
      rows.length,
      compared.rows.filter(({ kind }) => kind === 'entity').length,
    )
  }
  for (const platform of at.campaign.compared.platforms) {
    const where = `${model} ${platform.platform}`
    const source = channels.rows
      .flatMap((row) => row.sources)
      .find((own) => own.kind === 'ads' && own.source === platform.platform)
    found.equal(
      `${where} ads revenue`,
      milli(platform.atribu_cash_revenue),
      milli(source?.outcome_value ?? null),
    )
    found.equal(`${where} ads spend`, milli(platform.spend), milli(source?.spend ?? null))
    found.equal(`${where} ads payments`, platform.atribu_cash_conversions, source?.outcome_count ?? 0)
    found.equal(
      `${where} ads conversions`,
      platform.atribu_conversions,
      source?.attributed_outcome_count ?? 0,
    )
    const own = quality.platforms.find((row) => row.platform === platform.platform)
    found.equal(`${where} unassigned`, platform.unassigned_conversions, own?.unassigned_conversions ?? 0)
    found.equal(
      `${where} unassigned revenue`,
      milli(platform.unassigned_cash_revenue),
      milli(own?.unassigned_cash_revenue ?? null),
    )
  }
}

/** A customer with several subjects has several first payments, but is in a cohort once. */
function hasSeveralFirsts({ payments }: Figures): boolean {
  const firsts = payments.filter((payment) => payment.is_first_payment)
  return new Set(firsts.map(({ customer_id }) => customer_id)).size < firsts.length
}

function checkCohorts(
  found: Violations,
  model: (typeof models)[number],
  { cohorts, channels, levels: at }: UnderModel,
  hasSeveral: boolean,
): void {
  const size = (where: string, newCustomers: number | undefined, own: number) => {
    found.atMost(`${where} size`, own, newCustomers ?? 0)
    if (!hasSeveral) found.equal(`${where} size`, newCustomers, own)
  }
  for (const cohort of cohorts.campaign) {
    const row = at.campaign.rows.find(({ campaign_id }) => campaign_id === cohort.key)
    const where = `${model} cohort of ${cohort.key ?? 'no campaign'}`
    size(where, (row ?? at.campaign.rest).new_customer_count, cohort.size)
    if (cohort.key !== null) found.equal(`${where} spend`, row?.spend, cohort.spend)
  }
  for (const cohort of cohorts.channel) {
    const row = channels.rows.find(({ channel }) => channel === cohort.key)
    size(`${model} cohort of channel ${cohort.key}`, row?.new_customer_count, cohort.size)
    found.equal(`${model} cohort of channel ${cohort.key} spend`, row?.spend ?? 0, cohort.spend)
  }
  const all = cohorts.month.reduce((sum, row) => sum + row.size, 0)
  size(`${model} new customers`, channels.total.new_customer_count, all)
  found.money(`${model} spend by month`, cohorts.month, (row) => row.spend, channels.total.spend ?? null)
}

/** Each report proves the same total. */
function checkMetas(found: Violations, { metas }: Figures): void {
  const first = metas[0]!.meta
  for (const { where, model, level, meta } of metas) {
    const at = `${model} ${level} ${where} meta`
    const { total, credited, unattributed, delta, left_out } = meta.reconciliation
    found.equal(`${at} total`, first.reconciliation.total, total)
    found.equal(`${at} delta`, 0, delta)
    found.equal(`${at} sum`, milli(total), milli(credited) + milli(unattributed))
    found.equal(`${at} left out`, first.reconciliation.left_out, left_out)
    found.equal(`${at} stale`, false, meta.freshness.stale)
    found.equal(`${at} rates`, meta.fx_missing > 0, meta.fx_missing_rates.length > 0)
    found.atMost(`${at} fx_missing`, left_out, meta.fx_missing)
    const same = metas.find((other) => other.where === where && other.level === level)!
    found.equal(`${at} fx_missing of every model`, same.meta.fx_missing, meta.fx_missing)
  }
}

/** Received money: the lists of payments and of customers add up to the reports, over all time. */
function checkPayments(found: Violations, { models: read, payments, customers }: Figures): void {
  const arrived = payments.filter(({ status }) => status === 'succeeded' || status === 'disputed')
  const { totals } = read.last_touch.overview
  found.equal('payments listed', totals.payments, arrived.length)
  const owned = arrived.filter(({ customer_id }) => customer_id !== null)
  found.count('payments of customers', customers, (row) => row.payments, owned.length)
  for (const model of models) {
    const { linkage, levels: at } = read[model]
    found.equal(`${model} linkage listed`, arrived.length, linkage.length)
    if (dividing.has(model)) continue
    const nearest = { ad: ['ad'], ad_set: ['ad', 'ad_set'], campaign: ['ad', 'ad_set', 'campaign'] }
    for (const level of levels) {
      const named = linkage.filter((row) => row[level] !== null)
      found.atMost(
        `${model} linkage ${level}`,
        linkage.filter((row) => nearest[level].includes(row.linkage)).length,
        linkage.length,
      )
      found.equal(`${model} linkage to ${level}`, at[level].total.outcome_count, named.length)
    }
  }
}
