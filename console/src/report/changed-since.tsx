import { getChanges } from '@whence/sdk'
import { addDays } from '@whence/server/platform/contract/dates.ts'
import { useProfileContext, useProfileRead } from '../api/profile.ts'
import { instantText, today } from '../format/times.ts'
import type { Level } from '../names/levels.ts'
import { Popover } from '../ui/popover.tsx'
import { causeNames, changeText, hasChanged } from './changes.ts'
import { useReport } from './use-report.ts'

/** A day stays open for two days unless set otherwise; no request is sent for later periods. */
const OPEN_DAYS = 2

/** Marks figures of closed days that changed afterwards, with the causes on a click. */
export function ChangedSince({ level = 'campaign' }: { level?: Level }) {
  const { profile } = useProfileContext()
  const { query, range } = useReport()
  const isClosed = range.to < addDays(today(profile.timezone), -OPEN_DAYS)
  const changes = useProfileRead(
    getChanges,
    { query: { ...query, level, limit: 5 } },
    { enabled: isClosed, keep: true },
  )
  const data = changes.data?.data
  if (!isClosed || data === undefined || !hasChanged(data)) return null
  const { currency } = profile
  const moved = 'credit moved between rows'
  return (
    <Popover
      label="Why these figures changed"
      align="start"
      trigger={
        <button type="button" className="link changed-since">
          Changed since {instantText(data.since, profile.timezone)}:{' '}
          {changeText(data.total.delta, currency) || moved}
        </button>
      }
    >
      <h3>Why these figures changed</h3>
      <p>After the days were over and late events had arrived.</p>
      <dl className="causes">
        {data.by_cause.map((own) => (
          <div key={own.cause}>
            <dt>{causeNames[own.cause]}</dt>
            <dd>{changeText(own.delta, currency) || moved}</dd>
          </div>
        ))}
      </dl>
    </Popover>
  )
}
