import { Link } from '@tanstack/react-router'
import type { DataOf, listCampaignConversions } from '@whence/sdk'
import type { Profile } from '../../api/profile.ts'
import { money, NONE, percent } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import type { CampaignSearch } from '../../search.ts'
import { col } from '../../ui/columns.ts'
import type { Column } from '../../ui/data-table.tsx'

type Row = DataOf<typeof listCampaignConversions>[number]

const revenueNames = { cash: 'Cash', pipeline: 'Pipeline', gross: 'Gross' } as const

function nameOf(row: Row): string {
  return row.kind === 'refund'
    ? `Refund of ${sentence(row.outcome_type).toLowerCase()}`
    : sentence(row.outcome_type)
}

/** Columns of credited conversions, with links to the person and to the explanation. */
export function conversionColumns(
  profile: Profile,
  currency: string,
  source?: CampaignSearch['source'],
): Column<Row>[] {
  return [
    {
      id: 'type',
      label: 'Conversion',
      value: (row) => row.outcome_type,
      cell: (row) => (
        <Link
          to="/p/$profileId/why/$conversionId"
          params={{ profileId: profile.id, conversionId: row.conversion_id }}
          search={(before) => ({ ...before, ...(source ? { source } : {}) })}
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
    { ...col.time('at', 'When', (row: Row) => row.occurred_at, profile.timezone), phone: 'half' },
    {
      id: 'value',
      label: 'Value',
      phone: 'hidden',
      number: true,
      value: (row) => row.value,
      cell: (row) => money(row.value, row.currency ?? currency),
    },
    {
      id: 'credit',
      label: 'Credit',
      phone: 'half',
      number: true,
      value: (row) => row.credit,
      cell: (row) => percent(row.credit * 100),
    },
    {
      id: 'credited',
      label: 'Credited',
      phone: 'lead',
      number: true,
      value: (row) => row.credited_value,
      cell: (row) => (row.value === null ? NONE : money(row.credited_value, currency)),
    },
  ]
}
