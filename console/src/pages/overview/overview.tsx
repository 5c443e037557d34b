import { getOverview } from '@whence/server/features/reports/contract.ts'
import { usePlace, useProfileRead } from '../../api/profile.ts'
import { rangeText } from '../../format/times.ts'
import { ReportControls } from '../../report/controls.tsx'
import { Caveats, metaOf } from '../../report/freshness.tsx'
import { useReport } from '../../report/use-report.ts'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { DemoProgress } from './demo-progress.tsx'
import { GettingStarted } from './getting-started.tsx'
import { Headlines } from './headlines.tsx'
import { TopCampaigns } from './top-campaigns.tsx'
import { Trend } from './trend.tsx'

export function Overview() {
  const { profile } = usePlace()
  const { range, previous, query, model, compare } = useReport()
  const now = useProfileRead(getOverview, { query }, { keep: true })
  const before = useProfileRead(
    getOverview,
    { query: { date_from: previous.from, date_to: previous.to, model } },
    { enabled: compare, keep: true },
  )
  const data = now.data?.data
  const past = compare ? before.data?.data : undefined
  const isEmpty = data !== undefined && data.totals.spend === 0 && data.totals.payments === 0
  return (
    <Page
      title="Overview"
      note={`${profile.name}, ${rangeText(range.from, range.to)}${compare ? `, compared with ${rangeText(previous.from, previous.to, false)}` : ''}`}
      actions={<ReportControls />}
    >
      {now.isError && !data ? <Failure error={now.error} retry={() => void now.refetch()} /> : null}
      {now.data ? <Caveats meta={metaOf(now.data)} /> : null}
      {profile.is_demo ? <DemoProgress /> : isEmpty ? <GettingStarted /> : null}
      {isEmpty && !profile.is_demo ? null : (
        <>
          <Headlines totals={data?.totals} before={past?.totals} currency={profile.currency} />
          <Trend days={data?.days} before={past?.days} />
          <TopCampaigns />
        </>
      )}
    </Page>
  )
}
