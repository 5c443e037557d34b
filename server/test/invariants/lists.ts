/** A list adds up to its total: the conversions of a row, its days, its models, and its children. */
import { dividing, sorted } from './parts.ts'
import type { Conversion, Details, Figures } from './read.ts'
import { milli, type Violations } from './violations.ts'

type Whole = {
  outcome_count: number
  outcome_credit: number
  outcome_value: number | null
  attributed_outcome_count: number
  attributed_outcomes_by_type: Record<string, number>
}

export function checkLists(
  violations: Violations,
  figures: Figures,
  { model, entities, reasons }: Details,
): void {
  const under = figures.models[model]
  for (const { level, detail, ad, inside, trend, conversions } of entities) {
    const where = `${model} ${level} ${detail.platform_id}`
    const row = under.levels[level].rows.find(({ campaign_id }) => campaign_id === detail.campaign_id)!
    for (const [name, value] of Object.entries(row))
      violations.equal(`${where} detail ${name}`, value, detail[name as keyof typeof detail])
    if (ad !== undefined) violations.equal(`${where} as an ad`, row, ad)
    checkConversions(violations, `${where} conversions`, conversions, row)
    violations.money(`${where} days spend`, detail.days, (day) => day.spend, row.spend)
    violations.money(`${where} days value`, detail.days, (day) => day.outcome_value, row.outcome_value)
    for (const name of ['impressions', 'clicks', 'outcome_count'] as const)
      violations.count(`${where} days ${name}`, detail.days, (day) => day[name], row[name])
    violations.money(`${where} trend spend`, trend, (day) => day.spend, row.spend)
    for (const name of ['impressions', 'clicks'] as const)
      violations.count(`${where} trend ${name}`, trend, (day) => day[name], row[name])
    for (const modelRow of detail.by_model) {
      const other = figures.models[modelRow.model].levels[level].rows.find(
        ({ campaign_id }) => campaign_id === detail.campaign_id,
      )
      const fromDetail = {
        outcome_count: modelRow.outcome_count,
        outcome_credit: modelRow.outcome_credit,
        value: milli(modelRow.outcome_value),
      }
      violations.equal(
        `${where} under ${modelRow.model}`,
        {
          outcome_count: other?.outcome_count ?? 0,
          outcome_credit: other?.outcome_credit ?? 0,
          value: milli(other?.outcome_value ?? null),
        },
        fromDetail,
      )
      if (other !== undefined)
        violations.equal(
          `${where} ratios under ${modelRow.model}`,
          { roas: other.roas, cac: other.cac },
          { roas: modelRow.roas, cac: modelRow.cac },
        )
    }
    if (level === 'ad') continue
    const { outcome_count, outcome_credit, outcome_value, spend, new_customer_count, fx_missing } = row
    violations.equal(
      `${where} inside`,
      { outcome_count, outcome_credit, outcome_value, spend, new_customer_count, fx_missing },
      {
        outcome_count: inside.outcome_count,
        outcome_credit: inside.outcome_credit,
        outcome_value: inside.outcome_value,
        spend: inside.spend,
        new_customer_count: inside.new_customer_count,
        fx_missing: inside.fx_missing,
      },
    )
  }
  for (const { reason, conversions } of reasons) {
    const row = under.reasons.find((candidate) => candidate.reason === reason)!
    checkConversions(violations, `${model} ${reason} conversions`, conversions, row)
  }
  if (dividing.has(model)) return
  // Under a single-touch model, no conversion is in two lists of a level.
  for (const level of ['campaign', 'ad_set', 'ad'] as const) {
    const ids = entities
      .filter((entity) => entity.level === level)
      .flatMap((entity) => entity.conversions.filter(({ kind }) => kind === 'conversion'))
      .map(({ conversion_id }) => conversion_id)
    violations.equal(`${model} ${level} conversions once`, ids.length, new Set(ids).size)
  }
}

function checkConversions(
  violations: Violations,
  where: string,
  listed: readonly Conversion[],
  row: Whole,
): void {
  const conversions = listed.filter(({ kind }) => kind === 'conversion')
  const cash = listed.filter(({ revenue_type }) => revenue_type === 'cash')
  const paid = cash.filter(({ kind }) => kind === 'conversion')
  violations.money(`${where} value`, cash, (conversion) => conversion.credited_value, row.outcome_value)
  violations.equal(`${where} payments`, row.outcome_count, paid.length)
  violations.shares(`${where} credit`, paid, (conversion) => conversion.credit, row.outcome_credit)
  violations.equal(`${where} outcomes`, row.attributed_outcome_count, conversions.length)
  const types: Record<string, number> = {}
  for (const { outcome_type } of conversions) types[outcome_type] = (types[outcome_type] ?? 0) + 1
  violations.equal(`${where} types`, sorted(row.attributed_outcomes_by_type), sorted(types))
  const names = listed.map(({ conversion_id, refund_id }) => `${conversion_id} ${refund_id}`)
  violations.equal(`${where} once`, names.length, new Set(names).size)
}
