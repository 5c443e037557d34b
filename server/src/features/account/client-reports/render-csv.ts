/** One line per campaign, one for unattributed revenue, and the total. Amounts are exact decimals. */
import { csvField } from '../../../platform/contract/csv-field.ts'
import { toDecimalString } from '../../../platform/contract/money.ts'
import type { ReportFacts } from './facts.ts'

const columns = [
  'row',
  'campaign_id',
  'platform_id',
  'campaign_name',
  'spend',
  'credited_revenue',
  'payments',
  'roas',
  'cac',
  'currency',
  'date_from',
  'date_to',
  'model',
]

export function renderCsv(facts: ReportFacts): Buffer {
  const { now, profile, model, reconciliation } = facts
  const { totals } = now
  const money = (minor: number | null) => (minor === null ? '' : toDecimalString(minor, profile.currency))
  const number = (value: number | null) => (value === null ? '' : String(value))
  const tail = [profile.currency, now.days.from, now.days.to, model]
  const rows = [
    columns,
    ...now.campaigns.map((line) => [
      'campaign',
      line.id,
      line.platformId,
      line.name,
      money(line.spend),
      money(line.credited),
      String(line.payments),
      number(line.roas),
      number(line.cac),
      ...tail,
    ]),
    ['unattributed', '', '', '', '', money(reconciliation.unattributed), '', '', '', ...tail],
    [
      'total',
      '',
      '',
      '',
      money(totals.spend),
      money(totals.revenue),
      String(totals.payments),
      number(totals.roas),
      number(totals.cac),
      ...tail,
    ],
  ]
  return Buffer.from(rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join(''))
}
