import { getChanges } from '@whence/sdk'
import { addDays } from '@whence/server/platform/contract/dates.ts'
import { useProfileContext, useProfileRead } from '../api/profile.ts'
import { instantText, today } from '../format/times.ts'
import type { Level } from '../names/levels.ts'
import { Popover } from '../ui/popover.tsx'
import { causeNames, changeText, hasChanged } from './changes.ts'
import { useReport } from './use-report.ts'

/** By default, days close after two days; no request is sent for periods that end later. */
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
  const movedText = 'credit moved between rows'
  return (
    <Popover
      label="Why these figures changed"
      align="start"
      trigger={
        <button type="button" className="link changed-since">
          Changed since {instantText(data.since, profile.timezone)}:{' '}
          {changeText(data.total.delta, currency) || movedText}
        </button>
      }
    >
      <h3>Why these figures changed</h3>
      <p>These changes came after the days were closed.</p>
      <dl className="causes">
        {data.by_cause.map((row) => (
          <div key={row.cause}>
            <dt>{causeNames[row.cause]}</dt>
            <dd>{changeText(row.delta, currency) || movedText}</dd>
          </div>
        ))}
      </dl>
    </Popover>
  )
}
