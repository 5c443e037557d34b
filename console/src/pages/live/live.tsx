import { Link } from '@tanstack/react-router'
import { getRealtime } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import type { Series } from '../../charts/series.ts'
import { count, money } from '../../format/numbers.ts'
import { agoText } from '../../format/times.ts'
import { channelName, sentence } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'

const visitors: Series = { key: 'visitors', label: 'Visitors', color: 'var(--chart-1)', kind: 'bar' }
const POLL_MS = 10_000
/** The API's limits. */
const MAX_PAGES = 10
const MAX_CONVERSIONS = 10

/** The last half hour, refreshed automatically. */
export function Live() {
  const { profile } = useProfileContext()
  const live = useProfileRead(getRealtime, {}, { every: POLL_MS, keep: true })
  const timeOf = (instant: string) =>
    new Date(instant).toLocaleTimeString('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      timeZone: profile.timezone,
    })
  return (
    <Page
      title="Live"
      note={
        <>
          <span className="live-mark" aria-hidden="true" />
          The last 30 minutes of your site, updated every 10 seconds. No personal data is shown, and bots are
          excluded.
        </>
      }
    >
      <Loaded query={live}>
        {({ data }) => (
          <>
            <dl className="grid-stats">
              <Stat label="On the site" value={count(data.active_visitors)} detail="in the last 5 minutes" />
              <Stat
                label="Page views"
                value={count(sumOf(data.pages, ({ views }) => views))}
                detail={
                  data.pages.length < MAX_PAGES ? 'in the last 30 minutes' : 'of the ten most viewed pages'
                }
              />
              <Stat
                label="Conversions"
                value={`${count(data.conversions.length)}${data.conversions.length < MAX_CONVERSIONS ? '' : '+'}`}
                detail="in the last 30 minutes"
              />
              <Stat
                label="Events"
                value={count(data.events)}
                detail={data.is_sampled ? 'only the newest' : 'in the last 30 minutes'}
              />
            </dl>
            {data.events === 0 ? (
              <Card>
                <Empty icon="tracking" title="No activity in the last half hour">
                  Open your site in another window. The visit appears here within seconds.
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
                  <Card
                    title="Conversions"
                    note={data.conversions.length > 0 ? 'Open one to see why it was credited.' : undefined}
                    flush={data.conversions.length > 0}
                  >
                    {data.conversions.length === 0 ? (
                      <p className="muted">
                        No conversions in the last half hour.{' '}
                        <Link to="/p/$profileId/payments" params={{ profileId: profile.id }}>
                          See all payments
                        </Link>
                      </p>
                    ) : (
                      <DataTable
                        label="Newest conversions"
                        columns={[
                          {
                            id: 'type',
                            label: 'Conversion',
                            cell: (row) => (
                              <Link
                                to="/p/$profileId/why/$conversionId"
                                params={{ profileId: profile.id, conversionId: row.conversion_id }}
                              >
                                {sentence(row.outcome_type)}
                              </Link>
                            ),
                          },
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
                        linked
                      />
                    )}
                  </Card>
                  <Card title="Pages" note="Views in the last 30 minutes">
                    <Ranked
                      label="Top pages"
                      none="No page views in the last half hour."
                      rows={data.pages.map(({ path, views }) => ({ name: path, figure: views }))}
                    />
                  </Card>
                  <Card title="Channels" note="Visits that began in the last 30 minutes">
                    <Ranked
                      label="Visits by channel"
                      none="No new visits in the last half hour."
                      rows={data.channels.map(({ channel, visits }) => ({
                        name: channelName(channel),
                        figure: visits,
                      }))}
                    />
                    <Link to="/p/$profileId/visitors" params={{ profileId: profile.id }} className="small">
                      See each visitor
                    </Link>
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

const sumOf = <Row,>(rows: readonly Row[], figure: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + figure(row), 0)

/** Names with their figures as bars, in the given order. */
function Ranked({
  label,
  none,
  rows,
}: {
  label: string
  none: string
  rows: readonly { name: string; figure: number }[]
}) {
  if (rows.length === 0) return <p className="muted">{none}</p>
  const highest = Math.max(1, ...rows.map(({ figure }) => figure))
  return (
    <ol className="ranked" aria-label={label}>
      {rows.map(({ name, figure }) => (
        <li key={name}>
          <span className="ranked-bar" style={{ width: `${(figure / highest) * 100}%` }} aria-hidden="true" />
          <span>{name}</span>
          <span>{count(figure)}</span>
        </li>
      ))}
    </ol>
  )
}
