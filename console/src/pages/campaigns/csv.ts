import type { Row } from './figure-columns.tsx'

const fields = [
  'campaign_id',
  'platform_id',
  'campaign_name',
  'status',
  'spend',
  'outcome_value',
  'roas',
  'outcome_count',
  'outcome_credit',
  'cac',
  'attributed_outcome_count',
  'impressions',
  'clicks',
  'ctr',
  'avg_cpc',
  'avg_cpm',
] as const

type Rest = Pick<Row, 'outcome_count' | 'outcome_credit' | 'outcome_value' | 'attributed_outcome_count'>

/** The rows as the API names them, with the remainder, so that the file adds up too. */
export function toCsv(rows: readonly Partial<Row>[], rest: Rest | undefined, currency: string): string {
  const remainder: Partial<Row>[] = rest ? [{ campaign_name: 'Unattributed', ...rest }] : []
  const lines = [...rows, ...remainder].map((row) =>
    [...fields.map((field) => cell(row[field])), currency].join(','),
  )
  return `${[...fields, 'currency'].join(',')}\r\n${lines.map((line) => `${line}\r\n`).join('')}`
}

/** A name that begins like a formula would be run by a spreadsheet. */
function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[/\\:*?"<>|]+/g, '-')
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
