import { getOverview } from '@whence/server/features/reports/contract.ts'
import { lazy, Suspense } from 'react'
import { usePlace, useProfileRead } from '../../api/profile.ts'
import { rangeText } from '../../format/times.ts'
import { ReportControls } from '../../report/controls.tsx'
import { Caveats, metaOf } from '../../report/freshness.tsx'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Check } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { GettingStarted } from './getting-started.tsx'
import { Headlines } from './headlines.tsx'
import { TopCampaigns } from './top-campaigns.tsx'

const TrendChart = lazy(() => import('./trend-chart.tsx'))
const CHART_HEIGHT = 300

export function Overview() {
  const { profile } = usePlace()
  const { range, previous, query, model, compare, change } = useReport()
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
      note={`${profile.name}, ${rangeText(range.from, range.to)}`}
      actions={<ReportControls />}
    >
      {now.isError && !data ? <Failure error={now.error} retry={() => void now.refetch()} /> : null}
      {now.data ? <Caveats meta={metaOf(now.data)} /> : null}
      {isEmpty ? <GettingStarted /> : null}
      <Headlines totals={data?.totals} before={past?.totals} currency={profile.currency} />
      <Card
        title="Revenue and spend"
        actions={
          <Check
            label="Compare with the period before"
            checked={compare}
            onChange={(event) => change({ compare: event.target.checked })}
          />
        }
      >
        <div style={{ height: CHART_HEIGHT }}>
          {data ? (
            <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
              <TrendChart days={data.days} before={past?.days} currency={profile.currency} />
            </Suspense>
          ) : (
            <Skeleton height={CHART_HEIGHT} />
          )}
        </div>
      </Card>
      <TopCampaigns />
    </Page>
  )
}
