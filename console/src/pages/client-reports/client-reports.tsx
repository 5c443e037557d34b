import { getReportsHub } from '@whence/server/features/account/client-reports/contract.ts'
import { usePlace } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { Page } from '../../ui/page.tsx'
import { GenerateReports } from './generate-reports.tsx'
import { LiveLinks } from './live-links.tsx'
import { ReportTable } from './report-table.tsx'
import { Schedules } from './schedules.tsx'

const LOOK_AGAIN_MS = 3000

/** Reports of the workspace's profiles as files: made here, by schedule, and mailed to clients. */
export function ClientReports() {
  const { workspace } = usePlace()
  const isAdmin = workspace.role === 'owner' || workspace.role === 'admin'
  const params = { workspaceId: workspace.id }
  const first = useRead(getReportsHub, { params })
  const isWorking = first.data?.data.reports.some(({ status }) => status === 'queued') ?? false
  const hub = useRead(getReportsHub, { params }, { every: isWorking ? LOOK_AGAIN_MS : false })
  return (
    <Page
      title="Client reports"
      note="The figures of your profiles as PDF, web page or spreadsheet, with your branding. Scheduled reports wait until the data is complete."
    >
      {isAdmin ? <GenerateReports /> : null}
      <ReportTable hub={hub} isAdmin={isAdmin} />
      <Schedules hub={hub} isAdmin={isAdmin} />
      <LiveLinks />
    </Page>
  )
}
