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
  violations: Violations,
  whole: Amounts,
  pieces: readonly Amounts[],
  models: readonly Model[],
): void {
  for (const model of models) {
    const under = whole.models[model]
    const each = pieces.map((piece) => piece.models[model])
    for (const level of levels) {
      const where = `${model} ${level} in pieces`
      const rows = each.map((piece) => piece.levels[level].rows)
      sumOf(
        violations,
        `${where} total`,
        each.map((piece) => piece.levels[level].total),
        under.levels[level].total,
      )
      sumOf(
        violations,
        `${where} rest`,
        each.map((piece) => piece.levels[level].rest),
        under.levels[level].rest,
      )
      byKey(violations, where, rows, under.levels[level].rows, (row) => row.campaign_id)
    }
    byKey(
      violations,
      `${model} channels in pieces`,
      each.map((piece) => piece.channels.rows),
      under.channels.rows,
      (row) => row.channel,
    )
    byKey(
      violations,
      `${model} sources in pieces`,
      each.map((piece) => sourcesOf(piece.channels.rows)),
      sourcesOf(under.channels.rows),
      (row) => row.key,
    )
    byKey(
      violations,
      `${model} reasons in pieces`,
      each.map((piece) => piece.reasons),
      under.reasons,
      (row) => row.reason,
    )
    const totals = each.map((piece) => piece.overview.totals)
    for (const money of ['spend', 'revenue', 'credited_revenue'] as const)
      violations.money(
        `${model} overview ${money} in pieces`,
        totals,
        (total) => total[money],
        under.overview.totals[money],
      )
    for (const count of ['payments', 'credited_payments'] as const)
      violations.count(
        `${model} overview ${count} in pieces`,
        totals,
        (total) => total[count],
        under.overview.totals[count],
      )
    const platforms = new Set(under.levels.campaign.compared.platforms.map(({ platform }) => platform))
    for (const platform of platforms) {
      const platformRow = (piece: typeof under) =>
        piece.levels.campaign.compared.platforms.find((row) => row.platform === platform)
      const at = `${model} ${platform} in pieces`
      violations.count(
        `${at} conversions`,
        each,
        (piece) => platformRow(piece)?.atribu_conversions ?? 0,
        platformRow(under)!.atribu_conversions,
      )
      violations.count(
        `${at} unassigned`,
        each,
        (piece) => platformRow(piece)?.unassigned_conversions ?? 0,
        platformRow(under)!.unassigned_conversions,
      )
      violations.money(
        `${at} revenue`,
        each,
        (piece) => platformRow(piece)?.atribu_cash_revenue ?? 0,
        platformRow(under)!.atribu_cash_revenue,
      )
      violations.money(
        `${at} reported`,
        each,
        (piece) => platformRow(piece)?.platform_conversions ?? 0,
        platformRow(under)!.platform_conversions,
      )
    }
    for (const by of ['month', 'campaign', 'channel'] as const)
      for (const cohort of under.cohorts[by])
        violations.count(
          `${model} cohort ${cohort.key} in pieces`,
          each,
          (piece) => piece.cohorts[by].find(({ key }) => key === cohort.key)?.size ?? 0,
          cohort.size,
        )
  }
  const metas = (figures: Amounts, where: string) =>
    figures.metas.find((entry) => entry.where === where && entry.level === 'campaign')!.meta
  for (const where of ['campaigns', 'channels', 'overview']) {
    violations.count(
      `${where} fx_missing in pieces`,
      pieces,
      (piece) => metas(piece, where).fx_missing,
      metas(whole, where).fx_missing,
    )
    violations.count(
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
  violations: Violations,
  where: string,
  pieces: readonly (readonly T[])[],
  whole: readonly T[],
  keyOf: (row: T) => string,
): void {
  const keys = new Set([...whole, ...pieces.flat()].map(keyOf))
  for (const key of keys) {
    const wholeRow = whole.find((row) => keyOf(row) === key)
    const parts = pieces.flatMap((rows) => rows.filter((row) => keyOf(row) === key))
    // Money that was received and refunded on different days leaves no row.
    if (wholeRow === undefined)
      violations.money(`${where} ${key} not listed`, parts, (part) => part.outcome_value, 0)
    else sumOf(violations, `${where} ${key}`, parts, wholeRow)
  }
}

function sumOf(violations: Violations, where: string, parts: readonly Additive[], whole: Additive): void {
  for (const money of ['outcome_value', 'new_customer_value', 'spend'] as const)
    if (whole[money] !== undefined)
      violations.money(`${where} ${money}`, parts, (part) => part[money] ?? null, whole[money])
  for (const count of [
    'outcome_count',
    'attributed_outcome_count',
    'new_customer_count',
    'fx_missing',
    'impressions',
    'clicks',
  ] as const)
    if (whole[count] !== undefined)
      violations.count(`${where} ${count}`, parts, (part) => part[count] ?? 0, whole[count])
  violations.shares(`${where} credit`, parts, (part) => part.outcome_credit, whole.outcome_credit)
  const types = addTypes(parts.map((part) => part.attributed_outcomes_by_type))
  violations.equal(`${where} types`, sorted(whole.attributed_outcomes_by_type), sorted(types))
}
