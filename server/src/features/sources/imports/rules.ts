/** Validates imported spend rows and converts them to records. Pure. */
import { parseMoney } from '../../../platform/contract/money.ts'
import { parseAs } from '../../../platform/contract/parse.ts'
import { Refusal } from '../../../platform/contract/refusal.ts'
import { parseCsv } from '../../../platform/csv.ts'
import type { AdRecord } from '../../facts/ads/structure.ts'
import { MAX_IMPORT_ROWS, SpendRow } from './contract.ts'

const idField = { campaign: 'campaign_id', ad_set: 'ad_set_id', ad: 'ad_id' } as const
/** A currency with three decimals, to parse thousandths exactly. */
const THREE_DECIMALS = 'KWD'
const levelsAbove = { campaign: [], ad_set: ['campaign'], ad: ['campaign', 'ad_set'] } as const

type AmountField = 'spend' | 'platform_conversions' | 'platform_conversion_value'

/** The row's delivery, and the names of its parent entities. */
export function toRecords(row: SpendRow, at: string, profileCurrency: string): AdRecord[] | Refusal {
  const externalId = row[idField[row.level]]
  if (externalId === undefined)
    return refusal(`${at}.${idField[row.level]}`, `required at the level ${row.level}`)
  const currency = row.currency ?? profileCurrency
  const amount = (field: AmountField, unit = currency) =>
    row[field] === undefined ? null : minorOf(row[field], unit, `${at}.${field}`)
  const spend = amount('spend')
  if (spend instanceof Refusal) return spend
  const conversions = amount('platform_conversions', THREE_DECIMALS)
  if (conversions instanceof Refusal) return conversions
  const conversionValue = amount('platform_conversion_value')
  if (conversionValue instanceof Refusal) return conversionValue
  const delivery: AdRecord = {
    type: 'delivery',
    level: row.level,
    externalId,
    day: row.date,
    spendMinor: spend ?? 0,
    currency,
    impressions: row.impressions ?? null,
    clicks: row.clicks ?? null,
    reach: row.reach ?? null,
    platformConversionsMilli: conversions,
    platformConversionValueMinor: conversionValue,
    messagingConversationsStarted7d: null,
    entity: { name: row[`${row.level}_name`] ?? null, ...parentsOf(row, row.level) },
  }
  return [delivery, ...levelsAbove[row.level].flatMap((level) => toParent(row, level))]
}

function parentsOf(row: SpendRow, level: SpendRow['level']) {
  return {
    campaignExternalId: level === 'campaign' ? null : (row.campaign_id ?? null),
    adSetExternalId: level === 'ad' ? (row.ad_set_id ?? null) : null,
  }
}

function toParent(row: SpendRow, level: 'campaign' | 'ad_set'): AdRecord[] {
  const externalId = row[idField[level]]
  if (externalId === undefined) return []
  return [{ type: 'named', level, externalId, name: row[`${level}_name`] ?? null, ...parentsOf(row, level) }]
}

function minorOf(value: number | string, currency: string, at: string): number | Refusal {
  const parsed = parseMoney(value, currency)
  if (!parsed.ok) return refusal(at, parsed.message)
  if (parsed.amountMinor < 0) return refusal(at, 'must not be negative')
  return parsed.amountMinor
}

function refusal(at: string, message: string): Refusal {
  return new Refusal('validation_error', `${message}.`, { field: at })
}

/** Refuses two rows of one source, entity and date, which would be ambiguous. */
export function findDuplicate(rows: readonly SpendRow[]): Refusal | null {
  const seen = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    const key = JSON.stringify([row.source, row.level, row[idField[row.level]], row.date])
    const previous = seen.get(key)
    if (previous !== undefined)
      return refusal(`rows.${index}`, `same source, entity and date as rows.${previous}`)
    seen.set(key, index)
  }
  return null
}

export function readSpendCsv(text: string): SpendRow[] | Refusal {
  const table = parseCsv(text)
  if (table === undefined) return new Refusal('invalid_request', 'The CSV has an unclosed quote.')
  const [header = [], ...lines] = table
  if (lines.length === 0) return refusal('rows', 'at least one is required')
  if (lines.length > MAX_IMPORT_ROWS) return refusal('rows', `at most ${MAX_IMPORT_ROWS}`)
  const rows: SpendRow[] = []
  for (const [index, fields] of lines.entries()) {
    if (fields.length > header.length) return refusal(`rows.${index}`, 'more fields than columns')
    const row = Object.fromEntries(header.map((column, at) => [column.trim(), fields[at] ?? '']))
    const parsed = parseAs(SpendRow, row)
    if (!parsed.ok)
      return new Refusal('validation_error', parsed.problem, {
        field: `rows.${index}.${parsed.path}`,
        rule: parsed.rule,
      })
    rows.push(parsed.value)
  }
  return rows
}
