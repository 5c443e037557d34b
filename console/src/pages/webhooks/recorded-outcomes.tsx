import { listRecordedOutcomes } from '@whence/server/features/outgoing/webhooks/contract.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'
import { inProfile, usePlace } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'

type Outcome = ReplyOf<typeof listRecordedOutcomes>[number]

/** Outcome webhooks in their order, for receivers that missed some or poll instead. */
export function RecordedOutcomes() {
  const { profile } = usePlace()
  const outcomes = usePages(listRecordedOutcomes, inProfile({ query: { limit: '50' } }, profile.id))
  const columns: Column<Outcome>[] = [
    { id: 'id', label: 'Event', cell: (row) => <code>{String((row as { id?: unknown }).id ?? '')}</code> },
    {
      id: 'body',
      label: 'Content',
      cell: (row) => (
        <details>
          <summary>Show</summary>
          <pre className="small">{JSON.stringify(row, null, 2)}</pre>
        </details>
      ),
    },
  ]
  return (
    <Card
      title="Recorded outcomes"
      note="The same events that are sent, in order. Kept for 90 days after delivery."
      flush
    >
      <PagedTable
        label="Recorded outcomes"
        query={outcomes}
        columns={columns}
        rowKey={(row) => JSON.stringify(row)}
        empty={<Empty icon="webhooks" title="No outcomes recorded yet" />}
      />
    </Card>
  )
}
