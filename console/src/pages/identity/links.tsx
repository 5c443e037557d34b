import { Link } from '@tanstack/react-router'
import { type DataOf, decideIdentityLink, listIdentityLinks } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { inProfile, useProfileContext, useProfileWrite } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { identifierName } from '../../names/providers.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import { Confirm } from '../../ui/confirm.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useToast } from '../../ui/toast.tsx'

type Row = DataOf<typeof listIdentityLinks>[number]
type StatusFilter = Row['status'] | 'all'

const states: Record<Row['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Active', tone: 'plain' },
  accepted: { label: 'Accepted', tone: 'good' },
  rejected: { label: 'Rejected', tone: 'bad' },
}

/** Links between identifiers of one customer; a wrong link can be rejected. */
export function Links({ customerId }: { customerId?: string }) {
  const { profile } = useProfileContext()
  const [statusFilter, setStatusFilter] = useState<StatusFilter>('all')
  const [rejecting, setRejecting] = useState<Row | null>(null)
  const links = usePages(
    listIdentityLinks,
    inProfile(
      {
        query: {
          limit: 50,
          ...(statusFilter === 'all' ? {} : { status: statusFilter }),
          ...(customerId ? { customer_id: customerId } : {}),
        },
      },
      profile.id,
    ),
  )
  const decide = useProfileWrite(decideIdentityLink, [listIdentityLinks])
  const toast = useToast()
  const accept = (row: Row) =>
    decide.mutate(
      { params: { id: row.id }, body: { decision: 'accept' } },
      { onSuccess: () => toast('Link accepted'), onError: (error) => toast(messageOf(error), 'bad') },
    )
  const columns: Column<Row>[] = [
    {
      id: 'link',
      label: 'Link',
      cell: (row) => (
        <>
          {identifierName(row.weaker.kind)} → {identifierName(row.stronger.kind)}
          {customerId ? null : (
            <Link
              to="/p/$profileId/customers/$customerId"
              params={{ profileId: profile.id, customerId: row.stronger.customer_id }}
              className="sub"
            >
              Customer {row.stronger.customer_id.slice(-6)}
            </Link>
          )}
        </>
      ),
    },
    {
      id: 'status',
      label: 'Status',
      cell: (row) => <Badge tone={states[row.status].tone}>{states[row.status].label}</Badge>,
    },
    col.count('events', 'Events with both', (row) => row.events),
    col.time('first', 'First seen', (row) => row.first_observed_at, profile.timezone),
    col.time('last', 'Last seen', (row) => row.last_observed_at, profile.timezone),
    {
      id: 'actions',
      label: '',
      number: true,
      cell: (row) => {
        const name = `${identifierName(row.weaker.kind)} and ${identifierName(row.stronger.kind)} of customer ${row.stronger.customer_id.slice(-6)}`
        return (
          <span className="toolbar end">
            {row.status === 'accepted' ? null : (
              <Button small onClick={() => accept(row)} aria-label={`Accept the link of ${name}`}>
                Accept
              </Button>
            )}
            {row.status === 'rejected' ? null : (
              <Button
                small
                kind="quiet"
                onClick={() => setRejecting(row)}
                aria-label={`Reject the link of ${name}`}
              >
                Reject
              </Button>
            )}
          </span>
        )
      },
    },
  ]
  return (
    <Card
      title="Links"
      note="Two identifiers that occurred in one event. A link is active until someone rejects it."
      flush
    >
      <div className="report-filters">
        <Segmented
          label="Which links"
          value={statusFilter}
          options={[
            { value: 'all', label: 'All' },
            { value: 'pending', label: 'Not reviewed' },
            { value: 'accepted', label: 'Accepted' },
            { value: 'rejected', label: 'Rejected' },
          ]}
          onChange={setStatusFilter}
        />
      </div>
      <PagedTable
        label="Links between identifiers"
        query={links}
        columns={columns}
        rowKey={(row) => row.id}
        empty={<Empty icon="connections" title="No links here" />}
      />
      {rejecting ? (
        <Confirm
          title="Reject this link?"
          action="Reject link"
          onConfirm={() => decide.mutateAsync({ params: { id: rejecting.id }, body: { decision: 'reject' } })}
          onClose={() => setRejecting(null)}
        >
          The two are no longer one person, and credit is recomputed now. You can accept the link again later.
        </Confirm>
      ) : null}
    </Card>
  )
}
