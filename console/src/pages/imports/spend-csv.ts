import { SpendRow } from '@whence/server/features/sources/imports/contract.ts'

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

/** Quoted fields may hold commas, quotes and line ends; empty lines are passed over. */
function parseCsv(text: string): { number: number; fields: string[] }[] {
  const records: { number: number; fields: string[] }[] = []
  let [fields, field, quoted, line, start] = [[] as string[], '', false, 1, 1]
  const endRecord = () => {
    fields.push(field)
    if (fields.some((one) => one.trim() !== '')) records.push({ number: start, fields })
    ;[fields, field, start] = [[], '', line + 1]
  }
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (quoted) {
      if (char === '"' && text[at + 1] === '"') {
        field += '"'
        at++
      } else if (char === '"') quoted = false
      else field += char
      if (char === '\n') line++
    } else if (char === '"' && field === '') quoted = true
    else if (char === ',') {
      fields.push(field)
      field = ''
    } else if (char === '\n') {
      endRecord()
      line++
    } else if (char !== '\r' && char !== '\uFEFF') field += char
  }
  endRecord()
  return records
}
