import { Link } from '@tanstack/react-router'
import { type DataOf, listJourneyPayments } from '@whence/sdk'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { money } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { pathName } from './steps.ts'

type Row = DataOf<typeof listJourneyPayments>[number]

/** The payments of one path, each with its customer and its journey. */
export function PathPayments({ path }: { path: readonly string[] }) {
  const { profile } = useProfileContext()
  const { date_from, date_to } = useReport().query
  const payments = usePages(
    listJourneyPayments,
    inProfile({ query: { date_from, date_to, path: path.join(), limit: 20 } }, profile.id),
  )
  const columns: Column<Row>[] = [
    {
      id: 'at',
      label: 'Payment',
      value: (row) => row.occurred_at,
      cell: (row) => (
        <Link
          to="/p/$profileId/why/$conversionId"
          params={{ profileId: profile.id, conversionId: row.conversion_id }}
          aria-label={`Why: payment of ${instantText(row.occurred_at, profile.timezone)}`}
        >
          {instantText(row.occurred_at, profile.timezone)}
        </Link>
      ),
    },
    {
      id: 'customer',
      label: 'Customer',
      cell: (row) => (
        <Link
          to="/p/$profileId/customers"
          params={{ profileId: profile.id }}
          search={{ find: row.conversion_id }}
          aria-label={`Show customer of the payment of ${instantText(row.occurred_at, profile.timezone)}`}
        >
          Show customer
        </Link>
      ),
    },
    {
      id: 'value',
      label: 'Paid',
      number: true,
      phone: 'lead',
      value: (row) => row.value,
      cell: (row) => money(row.value, row.currency ?? profile.currency),
    },
    {
      id: 'net',
      label: 'After refunds',
      number: true,
      value: (row) => row.outcome_value,
      cell: (row) => money(row.outcome_value, profile.currency),
    },
  ]
  return (
    <Card
      title={`Customers: ${pathName(path)}`}
      note="Newest first. Open a payment to see the whole journey and the credit of each touch."
      flush
    >
      <PagedTable
        label="Payments of this path"
        query={payments}
        columns={columns}
        rowKey={(row) => row.conversion_id}
        cards
        empty={<Empty icon="journeys" title="No payments in these days" />}
        linked
      />
    </Card>
  )
}
