import type { ReplyOf } from '@whence/server/contract/endpoint.ts'
import type { listCampaigns } from '@whence/server/features/reports/contract.ts'
import { count, money, percent, ratio } from '../../format/numbers.ts'
import { sentence } from '../../names/providers.ts'
import type { Column } from '../../ui/data-table.tsx'
import { entityColumns } from './entity-columns.tsx'
import type { Level } from './levels.ts'

export type Row = ReplyOf<typeof listCampaigns>[number]

/** `isDivided`: the model shares a payment between several rows. */
export function figureColumns(level: Level, currency: string, isDivided: boolean): Column<Row>[] {
  const amount = (value: number | null | undefined) => money(value ?? null, currency)
  return [
    ...entityColumns<Row>(level, currency),
    {
      id: 'revenue',
      label: 'Revenue',
      title: 'Cash credited under the model, refunds subtracted',
      number: true,
      value: (row) => row.outcome_value,
      cell: (row) => amount(row.outcome_value),
    },
    {
      id: 'roas',
      label: 'ROAS',
      title: 'Revenue over spend',
      number: true,
      value: (row) => row.roas,
      cell: (row) => ratio(row.roas),
    },
    {
      id: 'payments',
      label: 'Payments',
      title: 'Payments in which it has a part. Under linear and time decay several may share one',
      number: true,
      value: (row) => row.outcome_count,
      cell: (row) => count(row.outcome_count),
    },
    ...(isDivided
      ? [
          {
            id: 'credit',
            label: 'Credit',
            title: 'The parts of those payments added up: all rows and Unattributed make all payments',
            number: true,
            value: (row: Row) => row.outcome_credit,
            cell: (row: Row) => count(row.outcome_credit),
          },
        ]
      : []),
    {
      id: 'cac',
      label: 'CAC',
      title: 'Spend per payment',
      number: true,
      value: (row) => row.cac ?? null,
      cell: (row) => amount(row.cac),
    },
    {
      id: 'outcomes',
      label: 'Conversions',
      title: 'Of every kind: leads, appointments, deals, payments',
      number: true,
      value: (row) => row.attributed_outcome_count,
      cell: (row) => <span title={kinds(row)}>{count(row.attributed_outcome_count)}</span>,
    },
    {
      id: 'impressions',
      label: 'Impressions',
      number: true,
      value: (row) => row.impressions ?? null,
      cell: (row) => count(row.impressions),
    },
    {
      id: 'clicks',
      label: 'Clicks',
      number: true,
      value: (row) => row.clicks ?? null,
      cell: (row) => count(row.clicks),
    },
    {
      id: 'ctr',
      label: 'CTR',
      title: 'Clicks per impression',
      number: true,
      value: (row) => row.ctr ?? null,
      cell: (row) => percent(row.ctr, 2, 2),
    },
    {
      id: 'cpc',
      label: 'CPC',
      title: 'Spend per click',
      number: true,
      value: (row) => row.avg_cpc ?? null,
      cell: (row) => amount(row.avg_cpc),
    },
  ]
}

function kinds(row: Row): string {
  return Object.entries(row.attributed_outcomes_by_type)
    .map(([type, times]) => `${sentence(type)}: ${times}`)
    .join('\n')
}
