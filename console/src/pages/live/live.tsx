import { getRealtime } from '@whence/server/features/insights/visitors/contract.ts'
import { usePlace, useProfileRead } from '../../api/profile.ts'
import type { Series } from '../../charts/series.ts'
import { count, money } from '../../format/numbers.ts'
import { agoText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'

const visitors: Series = { key: 'visitors', label: 'Visitors', color: 'var(--chart-1)', kind: 'bar' }
const LOOK_AGAIN_MS = 10_000

/** The last half hour, looked at again by itself. */
export function Live() {
  const { profile } = usePlace()
  const live = useProfileRead(getRealtime, {}, { every: LOOK_AGAIN_MS, keep: true })
  const timeOf = (instant: string) =>
    new Date(instant).toLocaleTimeString('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      timeZone: profile.timezone,
    })
  return (
    <Page title="Live" note="Activity on your site right now. No personal data is shown; bots are left out.">
      <Loaded query={live}>
        {({ data }) => (
          <>
            <dl className="grid-stats">
              <Stat label="On the site" value={count(data.active_visitors)} detail="in the last 5 minutes" />
              <Stat
                label="Events"
                value={count(data.events)}
                detail={data.is_sampled ? 'the newest of more' : 'in the last 30 minutes'}
              />
              <Stat
                label="Conversions"
                value={count(data.conversions.length)}
                detail="in the last 30 minutes, at most 10"
              />
            </dl>
            {data.events === 0 ? (
              <Card>
                <Empty icon="tracking" title="Nothing in the last half hour">
                  Open your site in another window: the visit appears here within seconds.
                </Empty>
              </Card>
            ) : (
              <>
                <Card title="Visitors per minute">
                  <Chart
                    height={200}
                    props={{
                      summary: 'Visitors per minute of the last half hour.',
                      points: data.minutes.map((minute) => ({
                        label: timeOf(minute.minute),
                        title: timeOf(minute.minute),
                        values: { visitors: minute.visitors },
                      })),
                      series: [visitors],
                      format: count,
                      whole: true,
                    }}
                  />
                </Card>
                <div className="platforms">
                  <Card title="Conversions" flush={data.conversions.length > 0}>
                    {data.conversions.length === 0 ? (
                      <p className="faint">No conversion in the last half hour.</p>
                    ) : (
                      <DataTable
                        label="Newest conversions"
                        columns={[
                          { id: 'type', label: 'What', cell: (row) => sentence(row.outcome_type) },
                          {
                            id: 'value',
                            label: 'Value',
                            number: true,
                            cell: (row) =>
                              row.value === null || row.currency === null
                                ? ''
                                : money(row.value, row.currency),
                          },
                          { id: 'at', label: 'When', cell: (row) => agoText(row.occurred_at) },
                        ]}
                        rows={data.conversions}
                        rowKey={(row) => row.conversion_id}
                      />
                    )}
                  </Card>
                  <Card title="Pages" flush={data.pages.length > 0}>
                    {data.pages.length === 0 ? (
                      <p className="faint">No page was opened in the last half hour.</p>
                    ) : (
                      <DataTable
                        label="Top pages"
                        columns={[
                          { id: 'path', label: 'Page', cell: (row) => row.path },
                          { id: 'views', label: 'Views', number: true, cell: (row) => count(row.views) },
                          {
                            id: 'visitors',
                            label: 'Visitors',
                            number: true,
                            cell: (row) => count(row.visitors),
                          },
                        ]}
                        rows={data.pages}
                        rowKey={(row) => row.path}
                      />
                    )}
                  </Card>
                  <Card title="How they came" flush={data.channels.length > 0}>
                    {data.channels.length === 0 ? (
                      <p className="faint">No visit began in the last half hour.</p>
                    ) : (
                      <DataTable
                        label="Visits by channel"
                        columns={[
                          { id: 'channel', label: 'Channel', cell: (row) => sentence(row.channel) },
                          { id: 'visits', label: 'Visits', number: true, cell: (row) => count(row.visits) },
                        ]}
                        rows={data.channels}
                        rowKey={(row) => row.channel}
                      />
                    )}
                  </Card>
                </div>
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
