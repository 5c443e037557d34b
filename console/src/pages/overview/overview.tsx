import { getBrief, getOverview, getReadiness, listCampaigns, listConnections } from '@whence/sdk'
import { listDays } from '@whence/server/platform/contract/dates.ts'
import type { Prefetch } from '../../api/prefetch.ts'
import { type Profile, useProfileContext, useProfileRead } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { rangeText } from '../../format/times.ts'
import { ChangedSince } from '../../report/changed-since.tsx'
import { ReportControls } from '../../report/controls.tsx'
import { Caveats } from '../../report/freshness.tsx'
import { type Report, reportOf } from '../../report/report.ts'
import { useReport } from '../../report/use-report.ts'
import { readReportSearch } from '../../search.ts'
import { Card } from '../../ui/card.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Ask as AskBox } from './ask.tsx'
import { Brief } from './brief.tsx'
import { DemoProgress } from './demo-progress.tsx'
import { FiringAlerts } from './firing-alerts.tsx'
import { FirstSync } from './first-sync.tsx'
import { GettingStarted } from './getting-started.tsx'
import { Headlines } from './headlines.tsx'
import { NoDataInRange } from './no-data-in-range.tsx'
import { overviewState } from './overview-state.ts'
import { bestCampaigns, TopCampaigns } from './top-campaigns.tsx'
import { Trend } from './trend.tsx'

export function prefetchReads(prefetch: Prefetch, profile: Profile, search: Record<string, unknown>): void {
  const report = reportOf(readReportSearch(search), profile.timezone)
  prefetch(getOverview, { query: report.query })
  prefetch(listCampaigns, bestCampaigns(report))
  prefetch(getBrief, { query: report.query })
  if (report.compare) prefetch(getOverview, periodBefore(report))
}

const periodBefore = ({ previous, model }: Report) => ({
  query: { date_from: previous.from, date_to: previous.to, model },
})

export function Overview() {
  const { profile } = useProfileContext()
  const report = useReport()
  const { range, previous, query, compare } = report
  const now = useProfileRead(getOverview, { query }, { keep: true })
  const before = useProfileRead(getOverview, periodBefore(report), { enabled: compare, keep: true })
  const data = now.data?.data
  const past = compare ? before.data?.data : undefined
  const isBare = data !== undefined && data.totals.spend === 0 && data.totals.payments === 0
  const readiness = useRead(getReadiness, { params: { profileId: profile.id } }, { enabled: isBare })
  const connections = useProfileRead(listConnections, {}, { enabled: isBare })
  const steps = readiness.data?.data.steps
  const state = profile.is_demo
    ? 'figures'
    : overviewState({ totals: data?.totals, steps, connections: connections.data?.data })
  return (
    <Page
      title="Overview"
      note={`${profile.name}, ${rangeText(range.from, range.to)}${compare ? `, compared with ${rangeText(previous.from, previous.to, false)}` : ''}`}
      actions={<ReportControls />}
    >
      {now.data ? <Caveats meta={now.data.meta} /> : null}
      <FiringAlerts />
      <ChangedSince />
      {profile.is_demo ? <DemoProgress /> : null}
      {now.isError && !data ? (
        <Card>
          <Failure error={now.error} retry={() => void now.refetch()} />
        </Card>
      ) : state === 'set_up' && steps ? (
        <GettingStarted steps={steps} />
      ) : (
        <>
          {state === 'first_sync' ? <FirstSync /> : null}
          {state === 'no_data_in_range' ? <NoDataInRange /> : null}
          <Headlines
            totals={data?.totals}
            before={past?.totals}
            days={listDays(range.from, range.to).length}
            currency={profile.currency}
          />
          {state === 'figures' && compare ? <Brief /> : null}
          {state === 'figures' ? <AskBox /> : null}
          <Trend days={data?.days} before={past?.days} />
          <TopCampaigns />
        </>
      )}
    </Page>
  )
}
