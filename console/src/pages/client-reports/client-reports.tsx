import { getReportsHub } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { count } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { GenerateReports } from './generate-reports.tsx'
import type { Hub, Report } from './hub.ts'
import { LiveLinks } from './live-links.tsx'
import { isOnlyWritten, ReportTable } from './report-table.tsx'
import { Schedules } from './schedules.tsx'

const POLL_MS = 3000

/** Report files of the workspace's profiles, created on request or by schedule and mailed to clients. */
export function ClientReports() {
  const { workspace } = useProfileContext()
  const isAdmin = workspace.role === 'owner' || workspace.role === 'admin'
  const params = { workspaceId: workspace.id }
  const first = useRead(getReportsHub, { params })
  const isWorking = first.data?.data.reports.some(({ status }) => status === 'queued') ?? false
  const hub = useRead(getReportsHub, { params }, { every: isWorking ? POLL_MS : false })
  return (
    <Page
      title="Client reports"
      note="The figures of your profiles as PDF, web page or spreadsheet, with your branding. Scheduled reports wait until the data is complete."
    >
      {hub.data ? <Counts hub={hub.data.data} /> : null}
      {isAdmin ? <GenerateReports /> : null}
      <ReportTable hub={hub} isAdmin={isAdmin} />
      <div className="platforms">
        <Schedules hub={hub} isAdmin={isAdmin} />
        <LiveLinks />
      </div>
    </Page>
  )
}

/** Counts of reports and schedules by status. */
function Counts({ hub: { reports, schedules } }: { hub: Hub }) {
  if (reports.length === 0 && schedules.length === 0) return null
  const countOf = (state: Report['status']) =>
    reports.filter((report) => report.status === state && !isOnlyWritten(report)).length
  const active = schedules.filter(({ enabled }) => enabled)
  const next = active
    .map(({ next_run_at }) => next_run_at)
    .filter((at) => at !== null)
    .toSorted()[0]
  const waiting = countOf('awaiting_approval')
  const failed = countOf('failed')
  return (
    <dl className="grid-stats">
      <Stat
        label="Sent"
        value={count(countOf('sent'))}
        detail={`and ${count(countOf('ready'))} ready to download`}
      />
      <Stat
        label="Waiting for approval"
        value={count(waiting)}
        detail={waiting === 0 ? 'nothing to approve' : 'approve them below'}
      />
      <Stat
        label="Failed"
        value={count(failed)}
        detail={failed === 0 ? 'every report was built' : 'see the list for the reason'}
      />
      <Stat
        label="Schedules"
        value={count(active.length)}
        detail={next ? `next ${instantText(next)}` : 'none yet'}
      />
    </dl>
  )
}
