import { csvField } from '@whence/server/platform/contract/csv-field.ts'
import type { AdRow } from './ad-rows.ts'

const fields = [
  'campaign_id',
  'platform_id',
  'campaign_name',
  'status',
  'platform',
  'campaign',
  'parent_name',
  'objective',
  'daily_budget',
  'spend',
  'outcome_value',
  'roas',
  'outcome_count',
  'outcome_credit',
  'cac',
  'attributed_outcome_count',
  'impressions',
  'clicks',
  'reach',
  'ctr',
  'avg_cpc',
  'avg_cpm',
  'platform_conversions',
  'platform_value',
] as const

type Unattributed = Pick<
  AdRow,
  | 'outcome_count'
  | 'outcome_credit'
  | 'outcome_value'
  | 'attributed_outcome_count'
  | 'attributed_outcomes_by_type'
>

/** All rows, with the API's field names. The unattributed remainder is included, so that columns add up to the total. */
export function toCsv(
  rows: readonly Partial<AdRow>[],
  unattributed: Unattributed | undefined,
  currency: string,
): string {
  const remainder: Partial<AdRow>[] = unattributed ? [{ campaign_name: 'Unattributed', ...unattributed }] : []
  const all = [...rows, ...remainder]
  const types = [...new Set(all.flatMap((row) => Object.keys(row.attributed_outcomes_by_type ?? {})))].sort()
  const lines = all.map((row) =>
    [
      ...fields.map((field) => cell(row[field])),
      ...types.map((type) => cell(row.attributed_outcomes_by_type?.[type] ?? 0)),
      currency,
    ].join(','),
  )
  const head = [...fields, ...types.map(cell), 'currency'].join(',')
  return `${head}\r\n${lines.map((line) => `${line}\r\n`).join('')}`
}

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'number' ? String(value) : csvField(value)
}
