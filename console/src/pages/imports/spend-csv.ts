import type { SpendRow } from '@whence/sdk'
import { isDay } from '@whence/server/platform/contract/dates.ts'
import { findCurrency } from '@whence/server/platform/contract/money.ts'
import { parseCsv } from './csv-records.ts'

/** `row` is what is sent of the line; null where the service would refuse it. */
export type Line = {
  number: number
  values: Record<string, string>
  row: SpendRow | null
  problem: string | null
}
export type ReadCsv = { columns: string[]; lines: Line[]; problem: string | null }

/** As many rows as the service takes at once. */
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

/** What each column takes: the rules of the service, so that nothing is sent in vain. */
const known: Record<keyof SpendRow, Column> = {
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

/** A file as its lines, each checked by the rules of the service. */
export function readSpendCsv(text: string): ReadCsv {
  const [head, ...rest] = parseCsv(text)
  if (!head) return { columns: [], lines: [], problem: 'The file is empty.' }
  const columns = head.fields.map((name) => name.trim().toLowerCase())
  const strange = columns.filter((name) => !Object.hasOwn(known, name))
  if (strange.length > 0)
    return {
      columns,
      lines: [],
      problem: `Unknown ${strange.length === 1 ? 'column' : 'columns'} ${strange.join(', ')}. Known are ${Object.keys(known).join(', ')}.`,
    }
  const lines = rest.map(({ number, fields }) => {
    const values = Object.fromEntries(columns.map((name, index) => [name, (fields[index] ?? '').trim()]))
    const read =
      fields.length > columns.length
        ? { row: null, problem: `${fields.length} fields where the head has ${columns.length}` }
        : readRow(values)
    return { number, values, ...read }
  })
  return { columns, lines, problem: lines.length === 0 ? 'The file has no lines below its head.' : null }
}

function readRow(values: Record<string, string>): Pick<Line, 'row' | 'problem'> {
  for (const [name, { isRequired, fits, rule }] of Object.entries(known)) {
    const text = values[name] ?? ''
    if (text === '' ? isRequired : !fits(text))
      return { row: null, problem: `${name}: ${text === '' ? 'is missing' : rule}` }
  }
  const { source = '', level, date = '', spend = '', ...others } = values
  const given = Object.fromEntries(Object.entries(others).filter(([, text]) => text !== ''))
  if (!isLevel(level) || given[`${level}_id`] === undefined)
    return { row: null, problem: `${level}_id: needed at the level ${level}` }
  return { row: { ...given, source, level, date, spend }, problem: null }
}
