import { SpendRow } from '@whence/server/features/sources/imports/contract.ts'
import { parseCsv } from './csv-records.ts'

export type Line = { number: number; values: Record<string, string>; problem: string | null }
export type ReadCsv = { columns: string[]; lines: Line[]; problem: string | null }

const known = Object.keys(SpendRow.shape)

/** A file as its lines, each judged by the rule that the service judges it by, so that nothing is sent in vain. */
export function readSpendCsv(text: string): ReadCsv {
  const [head, ...rest] = parseCsv(text)
  if (!head) return { columns: [], lines: [], problem: 'The file is empty.' }
  const columns = head.fields.map((name) => name.trim().toLowerCase())
  const strange = columns.filter((name) => !known.includes(name))
  if (strange.length > 0)
    return {
      columns,
      lines: [],
      problem: `Unknown ${strange.length === 1 ? 'column' : 'columns'} ${strange.join(', ')}. Known are ${known.join(', ')}.`,
    }
  const lines = rest.map(({ number, fields }) => {
    const values = Object.fromEntries(columns.map((name, index) => [name, (fields[index] ?? '').trim()]))
    return { number, values, problem: problemOf(values, fields.length, columns.length) }
  })
  return { columns, lines, problem: lines.length === 0 ? 'The file has no lines below its head.' : null }
}

function problemOf(values: Record<string, string>, found: number, wanted: number): string | null {
  if (found > wanted) return `${found} fields where the head has ${wanted}`
  const parsed = SpendRow.safeParse(values)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const field = issue!.path.join('.')
    return field === ''
      ? `line: ${issue!.message}`
      : `${field}: ${wrongText(field, values[field], issue!.message)}`
  }
  if (!/^\d+(\.\d+)?$/.test(values.spend ?? '')) return 'spend: must be a number such as 12.50'
  return parsed.data[`${parsed.data.level}_id`] === undefined
    ? `${parsed.data.level}_id: needed at the level ${parsed.data.level}`
    : null
}

const number = 'must be a number such as 12.50'
const whole = 'must be a whole number such as 1200'
/** What each column takes. Those with a rule of their own in the contract are explained there. */
const rules: Record<string, string> = {
  level: 'must be campaign, ad_set or ad',
  spend: number,
  currency: 'must be a currency code such as USD',
  impressions: whole,
  clicks: whole,
  reach: whole,
  platform_conversions: number,
  platform_conversion_value: number,
}

function wrongText(field: string, value: string | undefined, rule: string): string {
  return value === undefined || value === '' ? 'is missing' : (rules[field] ?? rule)
}
