/** A range is the sum of its parts. */

import { sorted } from './parts.ts'
import { type Amounts, levels, type Model } from './read.ts'
import { addTypes, type Violations } from './violations.ts'

type Additive = {
  outcome_count: number
  outcome_credit: number
  outcome_value: number | null
  attributed_outcome_count: number
  attributed_outcomes_by_type: Record<string, number>
  fx_missing: number
  new_customer_count?: number
  new_customer_value?: number | null
  spend?: number | null
  impressions?: number
  clicks?: number
}

export function checkPieces(
  found: Violations,
  whole: Amounts,
  pieces: readonly Amounts[],
  models: readonly Model[],
): void {
  for (const model of models) {
    const under = whole.models[model]
    const each = pieces.map((piece) => piece.models[model])
    for (const level of levels) {
      const where = `${model} ${level} in pieces`
      const rows = each.map((own) => own.levels[level].rows)
      sumOf(
        found,
        `${where} total`,
        each.map((own) => own.levels[level].total),
        under.levels[level].total,
      )
      sumOf(
        found,
        `${where} rest`,
        each.map((own) => own.levels[level].rest),
        under.levels[level].rest,
      )
      byKey(found, where, rows, under.levels[level].rows, (row) => row.campaign_id)
    }
    byKey(
      found,
      `${model} channels in pieces`,
      each.map((own) => own.channels.rows),
      under.channels.rows,
      (row) => row.channel,
    )
    byKey(
      found,
      `${model} sources in pieces`,
      each.map((own) => sourcesOf(own.channels.rows)),
      sourcesOf(under.channels.rows),
      (row) => row.key,
    )
    byKey(
      found,
      `${model} reasons in pieces`,
      each.map((own) => own.reasons),
      under.reasons,
      (row) => row.reason,
    )
    const totals = each.map((own) => own.overview.totals)
    for (const money of ['spend', 'revenue', 'credited_revenue'] as const)
      found.money(
        `${model} overview ${money} in pieces`,
        totals,
        (own) => own[money],
        under.overview.totals[money],
      )
    for (const count of ['payments', 'credited_payments'] as const)
      found.count(
        `${model} overview ${count} in pieces`,
        totals,
        (own) => own[count],
        under.overview.totals[count],
      )
    const platforms = new Set(under.levels.campaign.compared.platforms.map(({ platform }) => platform))
    for (const platform of platforms) {
      const of = (own: typeof under) =>
        own.levels.campaign.compared.platforms.find((row) => row.platform === platform)
      const at = `${model} ${platform} in pieces`
      found.count(
        `${at} conversions`,
        each,
        (own) => of(own)?.atribu_conversions ?? 0,
        of(under)!.atribu_conversions,
      )
      found.count(
        `${at} unassigned`,
        each,
        (own) => of(own)?.unassigned_conversions ?? 0,
        of(under)!.unassigned_conversions,
      )
      found.money(
        `${at} revenue`,
        each,
        (own) => of(own)?.atribu_cash_revenue ?? 0,
        of(under)!.atribu_cash_revenue,
      )
      found.money(
        `${at} reported`,
        each,
        (own) => of(own)?.platform_conversions ?? 0,
        of(under)!.platform_conversions,
      )
    }
    for (const by of ['month', 'campaign', 'channel'] as const)
      for (const cohort of under.cohorts[by])
        found.count(
          `${model} cohort ${cohort.key} in pieces`,
          each,
          (own) => own.cohorts[by].find(({ key }) => key === cohort.key)?.size ?? 0,
          cohort.size,
        )
  }
  const metas = (figures: Amounts, where: string) =>
    figures.metas.find((own) => own.where === where && own.level === 'campaign')!.meta
  for (const where of ['campaigns', 'channels', 'overview']) {
    found.count(
      `${where} fx_missing in pieces`,
      pieces,
      (piece) => metas(piece, where).fx_missing,
      metas(whole, where).fx_missing,
    )
    found.count(
      `${where} left out in pieces`,
      pieces,
      (piece) => metas(piece, where).reconciliation.left_out,
      metas(whole, where).reconciliation.left_out,
    )
  }
}

const sourcesOf = (rows: Amounts['models']['linear']['channels']['rows']) =>
  rows.flatMap(({ channel, sources }) =>
    sources.map((source) => ({ ...source, key: `${channel} ${source.kind} ${source.source}` })),
  )

function byKey<T extends Additive>(
  found: Violations,
  where: string,
  pieces: readonly (readonly T[])[],
  whole: readonly T[],
  keyOf: (row: T) => string,
): void {
  const keys = new Set([...whole, ...pieces.flat()].map(keyOf))
  for (const key of keys) {
    const own = whole.find((row) => keyOf(row) === key)
    const parts = pieces.flatMap((rows) => rows.filter((row) => keyOf(row) === key))
    // Money that was received and refunded on different days leaves no row.
    if (own === undefined) found.money(`${where} ${key} not listed`, parts, (part) => part.outcome_value, 0)
    else sumOf(found, `${where} ${key}`, parts, own)
  }
}

function sumOf(found: Violations, where: string, parts: readonly Additive[], whole: Additive): void {
  for (const money of ['outcome_value', 'new_customer_value', 'spend'] as const)
    if (whole[money] !== undefined)
      found.money(`${where} ${money}`, parts, (part) => part[money] ?? null, whole[money])
  for (const count of [
    'outcome_count',
    'attributed_outcome_count',
    'new_customer_count',
    'fx_missing',
    'impressions',
    'clicks',
  ] as const)
    if (whole[count] !== undefined)
      found.count(`${where} ${count}`, parts, (part) => part[count] ?? 0, whole[count])
  found.shares(`${where} credit`, parts, (part) => part.outcome_credit, whole.outcome_credit)
  const types = addTypes(parts.map((part) => part.attributed_outcomes_by_type))
  found.equal(`${where} types`, sorted(whole.attributed_outcomes_by_type), sorted(types))
}
