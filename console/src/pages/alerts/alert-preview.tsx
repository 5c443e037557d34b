import { type DataOf, previewAlert } from '@whence/sdk'
import { useEffect, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { usePlace, useProfileWrite } from '../../api/profile.ts'
import { plural } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { Notice } from '../../ui/notice.tsx'
import { type AlertCondition, figureText, reasonText } from './alert-text.ts'

const SETTLED_MS = 400
/** More than this in 90 days is noise to most people. */
const MANY = 6

/** What the rule would have done in the last 90 days; read again when the person stops typing. */
export function AlertPreview({ condition }: { condition: AlertCondition }) {
  const { mutate, data, error } = useProfileWrite(previewAlert)
  const [shown, setShown] = useState('')
  const asked = JSON.stringify(condition)
  useEffect(() => {
    const timer = setTimeout(() => setShown(asked), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [asked])
  // biome-ignore lint/correctness/useExhaustiveDependencies: mutate is another function at each render
  useEffect(() => {
    if (shown !== '') mutate({ body: { condition: JSON.parse(shown) as AlertCondition } })
  }, [shown])
  if (error) return <Notice tone="warn">{messageOf(error)}</Notice>
  if (data === undefined) return <p className="sub">Checking the last 90 days …</p>
  if (data.data === null)
    return <p className="sub">You get a message when the daily data check opens a new finding.</p>
  return <Found found={data.data} condition={condition} />
}

type Preview = NonNullable<DataOf<typeof previewAlert>>

function Found({ found, condition }: { found: Preview; condition: AlertCondition }) {
  const { profile } = usePlace()
  const { fired, unknown_days, days, latest } = found
  const why = reasonText(latest)
  return (
    <section className="alert-preview" aria-label="Preview">
      <p>
        Would have fired <strong>{plural(fired.length, 'time')}</strong> in the last {days} days.
      </p>
      <ol className="alert-days" aria-hidden="true">
        {dots(found).map(({ day, isFiring }) => (
          <li key={day} className={isFiring ? 'firing' : ''} />
        ))}
      </ol>
      {fired.length === 0 ? null : (
        <ul className="reasons">
          {fired.slice(-4).map(({ day, recovered_on, figure }) => {
            const { value, detail } = figureText(figure, condition, profile.currency)
            return (
              <li key={day}>
                {value}: {detail}
                {recovered_on === null ? ', not recovered' : `, recovered on ${dayText(recovered_on)}`}
              </li>
            )
          })}
        </ul>
      )}
      {fired.length > MANY ? (
        <p className="sub">That is often. A larger threshold or a longer period is quieter.</p>
      ) : null}
      {unknown_days > 0 ? (
        <p className="sub">
          {plural(unknown_days, 'day')} could not be judged{why === null ? '' : `; now: ${why}`}.
        </p>
      ) : null}
    </section>
  )
}

/** One mark per day, the oldest first. */
function dots({ fired, days, latest }: Preview): { day: string; isFiring: boolean }[] {
  const last = Date.parse(`${latest.date_to}T00:00:00Z`)
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(last - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10)
    const isFiring = fired.some(
      (one) => one.day <= day && (one.recovered_on === null || day < one.recovered_on),
    )
    return { day, isFiring }
  })
}
