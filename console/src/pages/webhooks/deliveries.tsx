import { type DataOf, listWebhookDeliveries } from '@whence/sdk'
import { useState } from 'react'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import type { Subscription } from './subscription-row.tsx'
import { deliveryTones } from './tones.ts'

type Delivery = DataOf<typeof listWebhookDeliveries>[number]
type Status = Delivery['status'] | 'all'

const REFRESH_MS = 3000

export function Deliveries({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const [status, setStatus] = useState<Status>('all')
  const [open, setOpen] = useState<string | null>(null)
  const { profile } = useProfileContext()
  const deliveries = usePages(
    listWebhookDeliveries,
    inProfile({ query: { limit: 50, ...(status === 'all' ? {} : { status }) } }, profile.id),
    { every: REFRESH_MS },
  )
  const urls = new Map(subscriptions.map(({ id, url }) => [id, url]))
  const columns: Column<Delivery>[] = [
    {
      id: 'type',
      label: 'Event',
      value: (row) => row.event_type,
      cell: (row) => (
        <button type="button" className="link" onClick={() => setOpen(row.id)}>
          {row.event_type}
        </button>
      ),
    },
    {
      id: 'status',
      label: 'Status',
      phone: 'lead',
      value: (row) => row.status,
      cell: (row) =>
        row.status === 'pending' && row.attempt_count > 0 ? (
          <Badge tone="warn">Failing, will retry</Badge>
        ) : (
          <Badge tone={deliveryTones[row.status]}>{sentence(row.status)}</Badge>
        ),
    },
    {
      id: 'attempts',
      label: 'Attempts',
      number: true,
      value: (row) => row.attempt_count,
      cell: (row) => row.attempt_count,
    },
    col.time('at', 'Created', (row) => row.created_at),
    {
      id: 'to',
      label: 'To',
      phone: 'wide',
      cell: (row) => (
        <span className="clip">{urls.get(row.subscription_id) ?? 'a deleted subscription'}</span>
      ),
    },
  ]
  return (
    <Card
      title="Deliveries"
      actions={
        <select
          className="select small"
          aria-label="Status of deliveries"
          value={status}
          onChange={(event) => setStatus(event.target.value as Status)}
        >
          {(['all', 'pending', 'delivered', 'failed', 'cancelled'] as const).map((value) => (
            <option key={value} value={value}>
              {value === 'all' ? 'All deliveries' : sentence(value)}
            </option>
          ))}
        </select>
      }
      flush
    >
      <PagedTable
        label="Deliveries"
        query={deliveries}
        columns={columns}
        rowKey={(row) => row.id}
        cards
        empty={
          <Empty icon="webhooks" title={status === 'all' ? 'No deliveries yet' : `No ${status} deliveries`}>
            {status === 'all' ? 'Send a test event from a subscription to see one.' : null}
          </Empty>
        }
      />
      {open ? <DeliveryDialog id={open} onClose={() => setOpen(null)} /> : null}
    </Card>
  )
}
