import { type ExportDestination, type ExportRun, listExportRuns } from '@whence/sdk'
import { useState } from 'react'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { count, NONE, plural } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Ledger } from './ledger.tsx'
import { platformTones, reasonText, statusTones } from './reasons.ts'

const REFRESH_MS = 5000

export function Runs({ destinations }: { destinations: readonly ExportDestination[] }) {
  const [open, setOpen] = useState<ExportRun | null>(null)
  const { profile } = useProfileContext()
  const runs = usePages(listExportRuns, inProfile({ query: { limit: 50 } }, profile.id), {
    every: REFRESH_MS,
  })
  const names = new Map(destinations.map((destination) => [destination.id, destination.display_name]))
  const columns: Column<ExportRun>[] = [
    {
      id: 'at',
      label: 'Started',
      value: (row) => row.started_at,
      cell: (row) => (
        <button type="button" className="link" onClick={() => setOpen(row)}>
          {instantText(row.started_at)}
        </button>
      ),
    },
    { id: 'to', label: 'To', cell: (row) => names.get(row.destination_id) ?? NONE },
    {
      id: 'status',
      label: 'Status',
      cell: (row) => (
        <>
          <Badge tone={statusTones[row.status]}>{sentence(row.status)}</Badge>
          {row.reason ? <span className="sub">{reasonText(row.reason)}</span> : null}
        </>
      ),
    },
    { id: 'sent', label: 'Sent', number: true, cell: (row) => count(row.sent) },
    { id: 'failed', label: 'Rejected', number: true, cell: (row) => count(row.failed) },
    { id: 'skipped', label: 'Skipped', number: true, cell: (row) => count(row.skipped) },
    {
      id: 'platform',
      label: 'Platform shows',
      title: 'Accepted conversions that the platform counts, by its own diagnostics',
      cell: (row) => <PlatformShows run={row} />,
    },
  ]
  return (
    <Card title="Runs" note="Each run with the result that the platform reports later." flush>
      <PagedTable
        label="Runs"
        query={runs}
        columns={columns}
        rowKey={(row) => row.run_id}
        empty={<Empty icon="send" title="No runs yet" />}
      />
      {open ? <RunDialog run={open} destinations={destinations} onClose={() => setOpen(null)} /> : null}
    </Card>
  )
}

/** Conversions that the platform does not count. Those with a warning are counted. */
const rejectedIn = (run: ExportRun) =>
  run.diagnostics
    .filter(({ reason }) => !reason.startsWith('warning'))
    .reduce((sum, { count: n }) => sum + n, 0)

function PlatformShows({ run }: { run: ExportRun }) {
  if (run.provider_status === null) return NONE
  const badge = (
    <Badge tone={platformTones[run.provider_status] ?? 'plain'}>{sentence(run.provider_status)}</Badge>
  )
  if (run.provider_status === 'processing') return badge
  return (
    <>
      {badge}
      <span className="sub">
        {count(run.sent - rejectedIn(run))} of {count(run.sent)}
      </span>
    </>
  )
}

/** Explains “42 sent, the platform shows 7”: the platform's reasons, then each conversion. */
function RunDialog({
  run,
  destinations,
  onClose,
}: {
  run: ExportRun
  destinations: readonly ExportDestination[]
  onClose: () => void
}) {
  const rejected = rejectedIn(run)
  return (
    <Dialog open onClose={onClose} title={`Run of ${instantText(run.started_at)}`} wide>
      <div className="stack">
        {run.provider_status === 'processing' ? (
          <Notice>
            The platform has accepted {plural(run.sent, 'conversion')} and is processing them. It reports the
            result after half an hour at the earliest.
          </Notice>
        ) : null}
        {rejected > 0 ? (
          <Notice tone="warn">
            <strong>
              {count(run.sent)} sent, the platform shows {count(run.sent - rejected)}.
            </strong>{' '}
            It rejected {plural(rejected, 'conversion')} and reports the reasons as counts, not per
            conversion:
            <ul aria-label="The platform’s reasons">
              {run.diagnostics.map(({ reason, count: n }) => (
                <li key={reason}>
                  {count(n)} × {reasonText(reason)}
                </li>
              ))}
            </ul>
          </Notice>
        ) : null}
        {run.provider_status === 'success' ? (
          <Notice tone="good">The platform shows all {plural(run.sent, 'conversion')} of this run.</Notice>
        ) : null}
        <Ledger destinations={destinations} runId={run.run_id} />
      </div>
    </Dialog>
  )
}
