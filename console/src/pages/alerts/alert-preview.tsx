import { type DataOf, previewAlert } from '@whence/sdk'
import { useEffect, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext, useProfileWrite } from '../../api/profile.ts'
import { plural } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { Notice } from '../../ui/notice.tsx'
import { type AlertCondition, figureText, reasonText } from './alert-text.ts'

const DEBOUNCE_MS = 400
/** Above this many alerts in 90 days, the preview suggests a quieter rule. */
const NOISY_COUNT = 6

/** When the rule would have fired in the last 90 days; reloads once typing stops. */
export function AlertPreview({ condition }: { condition: AlertCondition }) {
  const { mutate, data, error } = useProfileWrite(previewAlert)
  const [debouncedJson, setDebouncedJson] = useState('')
  const conditionJson = JSON.stringify(condition)
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedJson(conditionJson), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [conditionJson])
  // biome-ignore lint/correctness/useExhaustiveDependencies: mutate is a new function at each render
  useEffect(() => {
    if (debouncedJson !== '') mutate({ body: { condition: JSON.parse(debouncedJson) as AlertCondition } })
  }, [debouncedJson])
  if (error) return <Notice tone="warn">{messageOf(error)}</Notice>
  if (data === undefined) return <p className="sub">Checking the last 90 days …</p>
  if (data.data === null)
    return <p className="sub">You get a message when the daily data check opens a new finding.</p>
  return <PreviewResult preview={data.data} condition={condition} />
}

type Preview = NonNullable<DataOf<typeof previewAlert>>

function PreviewResult({ preview, condition }: { preview: Preview; condition: AlertCondition }) {
  const { profile } = useProfileContext()
  const { fired, unknown_days, days, latest } = preview
  const why = reasonText(latest)
  return (
    <section className="alert-preview" aria-label="Preview">
      <p>
        Would have fired <strong>{plural(fired.length, 'time')}</strong> in the last {days} days.
      </p>
      <ol className="alert-days" aria-hidden="true">
        {dots(preview).map(({ day, isFiring }) => (
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
      {fired.length > NOISY_COUNT ? (
        <p className="sub">That is often. A larger threshold or a longer period is quieter.</p>
      ) : null}
      {unknown_days > 0 ? (
        <p className="sub">
          {plural(unknown_days, 'day')} could not be checked{why === null ? '' : `; now: ${why}`}.
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
      (firing) => firing.day <= day && (firing.recovered_on === null || day < firing.recovered_on),
    )
    return { day, isFiring }
  })
}
