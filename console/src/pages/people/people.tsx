import { listAdPeople } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import type { Series } from '../../charts/series.ts'
import { count, plural } from '../../format/numbers.ts'
import { type Range, rangeText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { ReportControls } from '../../report/controls.tsx'
import { DayChart } from '../../report/day-chart.tsx'
import { Delta } from '../../report/delta.tsx'
import { DataThrough } from '../../report/freshness.tsx'
import { NotesButton } from '../../report/notes.tsx'
import type { Freshness } from '../../report/through-text.ts'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Check } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Stat } from '../../ui/stat.tsx'
import { Buckets } from './buckets.tsx'
import { peoplePoints } from './people-points.ts'

const peopleBars: Series = { key: 'people', label: 'People', color: 'var(--chart-1)', kind: 'bar' }

type Group = 'day' | 'month' | 'ad'
type Channel = 'all' | 'chatapp' | 'photoapp' | 'pagechat' | 'web' | 'other'
const channels: Channel[] = ['all', 'web', 'chatapp', 'photoapp', 'pagechat', 'other']

/** Counts of people reached by ads, without personal data or estimates. */
export function People() {
  const { range, previous, compare } = useReport()
  const [group, setGroup] = useState<Group>('day')
  const [channel, setChannel] = useState<Channel>('all')
  const [firstOnly, setFirstOnly] = useState(false)
  const queryOf = (days: Range) => ({
    date_from: days.from,
    date_to: days.to,
    group_by: group,
    first_only: firstOnly ? ('true' as const) : ('false' as const),
    ...(channel === 'all' ? {} : { channel }),
  })
  const people = useProfileRead(listAdPeople, { query: queryOf(range) }, { keep: true })
  const earlier = useProfileRead(
    listAdPeople,
    { query: queryOf(previous) },
    { enabled: compare && people.data !== undefined },
  ).data?.data.totals
  const before = compare ? earlier : undefined
  const period = rangeText(previous.from, previous.to, false)
  return (
    <Page
      title="People reached"
      note={`${rangeText(range.from, range.to)}. How many different people came from an ad. Counts only, without names.`}
      actions={<ReportControls withModel={false} withCompare />}
    >
      <div className="toolbar">
        <Segmented
          label="Group by"
          value={group}
          options={[
            { value: 'day', label: 'By day' },
            { value: 'month', label: 'By month' },
            { value: 'ad', label: 'By ad' },
          ]}
          onChange={setGroup}
        />
        <select
          className="select small"
          aria-label="Channel"
          value={channel}
          onChange={(event) => setChannel(event.target.value as Channel)}
        >
          {channels.map((value) => (
            <option key={value} value={value}>
              {value === 'all' ? 'All channels' : sentence(value)}
            </option>
          ))}
        </select>
        <Check
          label="Only each person’s first touch"
          checked={firstOnly}
          onChange={(event) => setFirstOnly(event.target.checked)}
        />
      </div>
      <Loaded query={people}>
        {({ data, meta }) => (
          <>
            <DataThrough freshness={(meta as { freshness: Freshness }).freshness} />
            <dl className="grid-stats">
              <Stat
                label="People"
                title="each counted once"
                value={count(data.totals.ad_people)}
                detail={
                  before ? (
                    <Delta now={data.totals.ad_people} before={before.ad_people} period={period} />
                  ) : (
                    'each counted once'
                  )
                }
              />
              <Stat
                label="Touches"
                title="visits and referrals"
                value={count(data.totals.ad_touches)}
                detail={
                  before ? (
                    <Delta now={data.totals.ad_touches} before={before.ad_touches} period={period} />
                  ) : (
                    'visits and referrals'
                  )
                }
              />
              <Stat
                label="Conversations started"
                value={count(data.totals.meta_messaging_conversations_started)}
                detail="as the platform reports"
              />
            </dl>
            {data.totals.ad_people === 0 ? (
              <Card>
                <Empty icon="people" title="No one came from an ad in these days">
                  People appear here when a visit or conversation has an ad id.
                </Empty>
              </Card>
            ) : (
              <>
                {data.group_by === 'ad' ? null : (
                  <Card
                    title={data.group_by === 'day' ? 'People per day' : 'People per month'}
                    note="Each person counts once per bar."
                    actions={<NotesButton />}
                  >
                    <DayChart
                      height={260}
                      props={{
                        summary: 'People reached per period; the same figures are in the table.',
                        points: peoplePoints(data),
                        series: [peopleBars],
                        format: count,
                        whole: true,
                      }}
                    />
                  </Card>
                )}
                <Buckets
                  key={data.group_by}
                  buckets={data.buckets}
                  group={data.group_by}
                  note={data.buckets_truncated ? `Of ${plural(data.buckets_total, 'ad')}` : undefined}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
