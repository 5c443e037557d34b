import { Link } from '@tanstack/react-router'
import type { ReplyOf } from '@whence/server/contract/endpoint.ts'
import { listCampaignConversions } from '@whence/server/features/reports/contract.ts'
import { inProfile, usePlace } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { money, NONE, percent } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { modelNames } from '../../names/models.ts'
import { sentence } from '../../names/providers.ts'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'

type Row = ReplyOf<typeof listCampaignConversions>[number]

const revenueNames = { cash: 'Cash', pipeline: 'Pipeline', gross: 'Gross' } as const

function nameOf(row: Row): string {
  return row.kind === 'refund'
    ? `Refund of ${sentence(row.outcome_type).toLowerCase()}`
    : sentence(row.outcome_type)
}

/** What the opened campaign, ad set or ad was credited with, one by one. */
export function Conversions({ entityId, currency }: { entityId: string; currency: string }) {
  const { profile } = usePlace()
  const { query, model } = useReport()
  const conversions = usePages(
    listCampaignConversions,
    inProfile({ params: { id: entityId }, query: { ...query, limit: '20' } }, profile.id),
  )
  const columns: Column<Row>[] = [
    {
      id: 'type',
      label: 'Conversion',
      value: (row) => row.outcome_type,
      cell: (row) => (
        <Link
          to="/p/$profileId/why/$conversionId"
          params={{ profileId: profile.id, conversionId: row.conversion_id }}
          search={(before) => before}
          aria-label={`Why: ${nameOf(row)} of ${instantText(row.occurred_at, profile.timezone)}`}
        >
          {nameOf(row)}
        </Link>
      ),
    },
    {
      id: 'person',
      label: 'Person',
      cell: (row) => (
        <Link
          to="/p/$profileId/customers"
          params={{ profileId: profile.id }}
          search={{ find: row.conversion_id }}
          aria-label={`Show the person of ${nameOf(row)} of ${instantText(row.occurred_at, profile.timezone)}`}
        >
          Show
        </Link>
      ),
    },
    {
      id: 'revenue_type',
      label: 'Counts as',
      title: 'Only cash is part of revenue, ROAS and CAC',
      value: (row) => row.revenue_type,
      cell: (row) => revenueNames[row.revenue_type],
    },
    {
      id: 'at',
      label: 'When',
      value: (row) => row.occurred_at,
      cell: (row) => instantText(row.occurred_at, profile.timezone),
    },
    {
      id: 'value',
      label: 'Value',
      number: true,
      value: (row) => row.value,
      cell: (row) => money(row.value, row.currency ?? currency),
    },
    {
      id: 'credit',
      label: 'Credit',
      number: true,
      value: (row) => row.credit,
      cell: (row) => percent(row.credit * 100),
    },
    {
      id: 'credited',
      label: 'Credited',
      number: true,
      value: (row) => row.credited_value,
      cell: (row) => (row.value === null ? NONE : money(row.credited_value, currency)),
    },
  ]
  return (
    <Card
      title="Credited conversions and refunds"
      note={`${modelNames[model].name}. Cash rows, refunds included, add up to the revenue above. Open one to see why it was credited.`}
      flush
    >
      <PagedTable
        label="Credited conversions"
        query={conversions}
        columns={columns}
        rowKey={(row) => row.refund_id ?? row.conversion_id}
        initialSort={{ id: 'at', descending: true }}
        empty={
          <Empty icon="campaigns" title="Nothing was credited in these days">
            Choose other dates or another model.
          </Empty>
        }
        linked
      />
    </Card>
  )
}
