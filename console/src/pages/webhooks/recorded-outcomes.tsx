import { type DataOf, listRecordedOutcomes } from '@whence/sdk'
import { useState } from 'react'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { count } from '../../format/numbers.ts'
import { outcomeNoun } from '../../names/outcomes.ts'
import { providerName, sentence } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'

type Outcome = DataOf<typeof listRecordedOutcomes>[number]

/** Outcome webhooks in order, for receivers that missed some or poll. */
export function RecordedOutcomes() {
  const { profile } = useProfileContext()
  const [open, setOpen] = useState<Outcome | null>(null)
  const outcomes = usePages(listRecordedOutcomes, inProfile({ query: { limit: 50 } }, profile.id))
  const columns: Column<Outcome>[] = [
    {
      id: 'outcome',
      label: 'Outcome',
      value: (row) => row.data.outcome_type,
      cell: (row) => (
        <button type="button" className="link" onClick={() => setOpen(row)}>
          {sentence(outcomeNoun(row.data.outcome_type))}
        </button>
      ),
    },
    {
      id: 'value',
      label: 'Value',
      title: 'In the currency of the provider',
      number: true,
      phone: 'lead',
      value: (row) => row.data.value,
      cell: (row) => count(row.data.value),
    },
    col.text('provider', 'Provider', (row) => providerName(row.provider)),
    col.time('at', 'Occurred', (row) => row.occurred_at, profile.timezone),
    {
      id: 'id',
      label: 'Event id',
      phone: 'wide',
      cell: (row) => <code className="clip">{row.id}</code>,
    },
  ]
  return (
    <Card
      title="Recorded outcomes"
      note="The events that were sent, in order, for receivers that poll or missed some. Kept for 90 days after delivery."
      flush
    >
      <PagedTable
        label="Recorded outcomes"
        query={outcomes}
        columns={columns}
        rowKey={(row) => row.id}
        cards
        empty={
          <Empty icon="webhooks" title="No outcomes recorded yet">
            Leads, appointments and payments of a connected CRM or local payment provider appear here.
          </Empty>
        }
      />
      {open ? (
        <Dialog open onClose={() => setOpen(null)} title={sentence(outcomeNoun(open.data.outcome_type))} wide>
          <CodeBlock text={JSON.stringify(open, null, 2)} />
        </Dialog>
      ) : null}
    </Card>
  )
}
