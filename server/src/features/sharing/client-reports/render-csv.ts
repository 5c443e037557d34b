/**
 * One line per campaign, one for all of them, one for unattributed revenue, and the total. ROAS is the revenue of the
 * line over its spend. Amounts are exact decimals.
 */
import { csvField } from '../../../platform/contract/csv-field.ts'
import { toDecimalString } from '../../../platform/contract/money.ts'
import type { ReportFacts } from './facts.ts'

const columns = [
  'row',
  'campaign_id',
  'platform_id',
  'campaign_name',
  'spend',
  'revenue',
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
    [
      'all_campaigns',
      '',
      '',
      '',
      money(totals.spend),
      money(totals.credited),
      String(totals.creditedPayments),
      number(totals.roas),
      number(totals.cac),
      ...tail,
    ],
    ['unattributed', '', '', '', '', money(reconciliation.unattributed), '', '', '', ...tail],
    [
      'total',
      '',
      '',
      '',
      money(totals.spend),
      money(totals.revenue),
      String(totals.payments),
      number(totals.totalRoas),
      '',
      ...tail,
    ],
  ]
  return Buffer.from(rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join(''))
}
