import { Link } from '@tanstack/react-router'
import { type ExportDestination, type ExportLedgerRow, listExportLedger } from '@whence/sdk'
import { useState } from 'react'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { money, NONE } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { platformTones, reasonText, statusTones } from './reasons.ts'

type Status = ExportLedgerRow['status'] | 'all'
const REFRESH_MS = 5000
const statusNames = {
  all: 'All conversions',
  queued: 'Waiting',
  sent: 'Sent',
  skipped: 'Skipped',
  failed: 'Rejected',
} as const

/** The status of each conversion at each destination, with the reason. */
export function Ledger({
  destinations,
  runId,
}: {
  destinations: readonly ExportDestination[]
  runId?: string
}) {
  const [status, setStatus] = useState<Status>('all')
  const [openRow, setOpenRow] = useState<ExportLedgerRow | null>(null)
  const { profile } = useProfileContext()
  const byId = new Map(destinations.map((entry) => [entry.id, entry]))
  const query = {
    limit: 50,
    ...(status === 'all' ? {} : { status }),
    ...(runId === undefined ? {} : { run_id: runId }),
  }
  const rows = usePages(listExportLedger, inProfile({ query }, profile.id), { every: REFRESH_MS })
  const destination = openRow && byId.get(openRow.destination_id)
  return (
    <Card
      title="Conversions"
      note="One row per conversion and destination; a refund, an update or a merge adds one."
      actions={
        <select
          className="select small"
          aria-label="Status of conversions"
          value={status}
          onChange={(event) => setStatus(event.target.value as Status)}
        >
          {Object.entries(statusNames).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      }
      flush
    >
      <PagedTable
        label="Conversions"
        query={rows}
        columns={columnsFor(byId, profile.id, setOpenRow)}
        rowKey={(row) => row.id}
        empty={
          <Empty
            icon="send"
            title={
              status === 'all' ? 'No conversions yet' : `No conversions: ${statusNames[status].toLowerCase()}`
            }
          >
            {status === 'all' ? 'Conversions received after a destination was created appear here.' : null}
          </Empty>
        }
      />
      {destination ? (
        <PreviewDialog
          destination={destination}
          conversionId={openRow.conversion_id}
          onClose={() => setOpenRow(null)}
        />
      ) : null}
    </Card>
  )
}

function columnsFor(
  destinations: ReadonlyMap<string, ExportDestination>,
  profileId: string,
  onShow: (row: ExportLedgerRow) => void,
): Column<ExportLedgerRow>[] {
  return [
    {
      id: 'event',
      label: 'Conversion',
      cell: (row) => (
        <Link
          to="/p/$profileId/why/$conversionId"
          params={{ profileId, conversionId: row.conversion_id }}
          className="link"
        >
          {row.event_name ?? 'Conversion'} {row.conversion_id.slice(-8)}
        </Link>
      ),
    },
    {
      id: 'status',
      label: 'Status',
      value: (row) => row.status,
      cell: (row) => (
        <>
          <Badge tone={statusTones[row.status]}>{statusNames[row.status]}</Badge>
          {row.adjustment === 'none' ? null : <span className="sub">{sentence(row.adjustment)}</span>}
        </>
      ),
    },
    {
      id: 'why',
      label: 'Why',
      cell: (row) => (
        <>
          {reasonText(row.reason) || NONE}
          {row.message ? <span className="sub">Platform: {row.message}</span> : null}
        </>
      ),
    },
    {
      id: 'platform',
      label: 'Platform status',
      title: 'Status of the whole batch; the platform does not report per conversion',
      cell: (row) =>
        row.provider_status === null ? (
          NONE
        ) : (
          <Badge tone={platformTones[row.provider_status] ?? 'plain'}>{sentence(row.provider_status)}</Badge>
        ),
    },
    {
      id: 'value',
      label: 'Value',
      number: true,
      cell: (row) => (row.value === null || row.currency === null ? NONE : money(row.value, row.currency)),
    },
    { id: 'attempts', label: 'Attempts', number: true, cell: (row) => row.attempts },
    { id: 'to', label: 'To', cell: (row) => destinations.get(row.destination_id)?.display_name ?? NONE },
    {
      id: 'at',
      label: 'Sent',
      value: (row) => row.sent_at ?? row.queued_at,
      cell: (row) => (row.sent_at ? instantText(row.sent_at) : NONE),
    },
    {
      id: 'preview',
      label: 'Data sent',
      cell: (row) => (
        <Button small onClick={() => onShow(row)}>
          Show
        </Button>
      ),
    },
  ]
}
