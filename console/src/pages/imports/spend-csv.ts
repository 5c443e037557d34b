import type { SpendRow } from '@whence/sdk'
import { isDay } from '@whence/server/platform/contract/dates.ts'
import { findCurrency } from '@whence/server/platform/contract/money.ts'
import { parseCsv } from './csv-records.ts'

/** `row` is the parsed line; null if the server would reject it. */
export type Line = {
  number: number
  values: Record<string, string>
  row: SpendRow | null
  problem: string | null
}
export type ReadCsv = { columns: string[]; lines: Line[]; problem: string | null }

/** The server's limit. */
export const MAX_ROWS_PER_REQUEST = 1000

const levels = ['campaign', 'ad_set', 'ad'] as const
type Column = { isRequired?: true; fits: (text: string) => boolean; rule: string }
const upTo = (length: number): Column => ({
  fits: (text) => text.length <= length,
  rule: `must have at most ${length} characters`,
})
const id = upTo(128)
const name = upTo(500)
const count: Column = { fits: (text) => /^\d{1,15}$/.test(text), rule: 'must be a whole number such as 1200' }
const amount: Column = { fits: (text) => text.length <= 40, rule: 'must be a number such as 12.50' }

/** The server's rule for each column, so that only valid rows are sent. */
const columnRules: Record<keyof SpendRow, Column> = {
  source: {
    isRequired: true,
    fits: (text) => /^[a-z][a-z0-9_]{0,39}$/.test(text),
    rule: 'must be lower-case letters, digits and _, starting with a letter',
  },
  level: { isRequired: true, fits: (text) => isLevel(text), rule: 'must be campaign, ad_set or ad' },
  campaign_id: id,
  campaign_name: name,
  ad_set_id: id,
  ad_set_name: name,
  ad_id: id,
  ad_name: name,
  date: { isRequired: true, fits: isDay, rule: 'must be a date of the form YYYY-MM-DD' },
  spend: {
    isRequired: true,
    fits: (text) => text.length <= 40 && /^\d+(\.\d+)?$/.test(text),
    rule: 'must be a number such as 12.50',
  },
  currency: {
    fits: (text) => findCurrency(text) !== undefined,
    rule: 'must be a currency code such as USD',
  },
  impressions: count,
  clicks: count,
  reach: count,
  platform_conversions: amount,
  platform_conversion_value: amount,
}

const isLevel = (text: string | undefined): text is SpendRow['level'] =>
  levels.some((level) => level === text)

/** Parses a file into lines, each validated by the server's rules. */
export function readSpendCsv(text: string): ReadCsv {
  const [head, ...records] = parseCsv(text)
  if (!head) return { columns: [], lines: [], problem: 'The file is empty.' }
  const columns = head.fields.map((name) => name.trim().toLowerCase())
  const unknown = columns.filter((name) => !Object.hasOwn(columnRules, name))
  if (unknown.length > 0)
    return {
      columns,
      lines: [],
      problem: `Unknown ${unknown.length === 1 ? 'column' : 'columns'} ${unknown.join(', ')}. Valid columns are ${Object.keys(columnRules).join(', ')}.`,
    }
  const lines = records.map(({ number, fields }) => {
    const values = Object.fromEntries(columns.map((name, index) => [name, (fields[index] ?? '').trim()]))
    const parsed =
      fields.length > columns.length
        ? { row: null, problem: `${fields.length} fields, but ${columns.length} column names` }
        : readRow(values)
    return { number, values, ...parsed }
  })
  return {
    columns,
    lines,
    problem: lines.length === 0 ? 'The file has no lines below the column names.' : null,
  }
}

function readRow(values: Record<string, string>): Pick<Line, 'row' | 'problem'> {
  for (const [name, { isRequired, fits, rule }] of Object.entries(columnRules)) {
    const text = values[name] ?? ''
    if (text === '' ? isRequired : !fits(text))
      return { row: null, problem: `${name}: ${text === '' ? 'is missing' : rule}` }
  }
  const { source = '', level, date = '', spend = '', ...otherValues } = values
  const optionalValues = Object.fromEntries(Object.entries(otherValues).filter(([, text]) => text !== ''))
  if (!isLevel(level) || optionalValues[`${level}_id`] === undefined)
    return { row: null, problem: `${level}_id: required at the level ${level}` }
  return { row: { ...optionalValues, source, level, date, spend }, problem: null }
}
