import { money, percent } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { reasonText, type Touch, touchName, touchPath } from './touch-names.ts'

type Conversion = {
  outcome_type: string
  occurred_at: string
  value: number | null
  currency: string | null
}
type Step = { at: string; touch: Touch | null }

/** Every touch in order with the conversion among them; credit is drawn as a bar. */
export function Timeline({
  conversion,
  touches,
  timeZone,
  currency,
}: {
  conversion: Conversion
  touches: readonly Touch[]
  timeZone: string
  currency: string
}) {
  const before = touches.filter((touch) => touch.occurred_at <= conversion.occurred_at)
  const after = touches.filter((touch) => touch.occurred_at > conversion.occurred_at)
  const steps: Step[] = [
    ...before.map((touch) => ({ at: touch.occurred_at, touch })),
    { at: conversion.occurred_at, touch: null },
    ...after.map((touch) => ({ at: touch.occurred_at, touch })),
  ]
  return (
    <>
      {touches.length === 0 ? (
        <p className="muted small">No visit, click or referral of this person was recorded before it.</p>
      ) : null}
      <ol className="timeline">
        {steps.map(({ at, touch }) =>
          touch ? (
            <li key={touch.touch_id} className={touch.status}>
              <div className="timeline-time">
                <time dateTime={at}>{instantText(at, timeZone)}</time>
                <span className="faint">{gapText(at, conversion.occurred_at)}</span>
              </div>
              <div className="timeline-what">
                <strong>{touchName(touch)}</strong>
                <span className="sub">{touchPath(touch)}</span>
              </div>
              <div className="timeline-credit">
                {touch.status === 'credited' ? (
                  <>
                    <Badge tone="accent">{percent((touch.weight ?? 0) * 100)} credit</Badge>
                    {conversion.value === null ? null : <b>{money(touch.credited_value, currency)}</b>}
                    <span className="credit-bar" aria-hidden="true">
                      <span style={{ width: `${(touch.weight ?? 0) * 100}%` }} />
                    </span>
                  </>
                ) : (
                  <span className="muted small">{reasonText(touch.reason)}</span>
                )}
              </div>
            </li>
          ) : (
            <li key="conversion" className="conversion">
              <div className="timeline-time">
                <time dateTime={at}>{instantText(at, timeZone)}</time>
              </div>
              <div className="timeline-what">
                <strong>
                  <Icon name="check" size={16} /> {sentence(conversion.outcome_type)}
                </strong>
              </div>
              <div className="timeline-credit">
                {conversion.value === null ? null : (
                  <b>{money(conversion.value, conversion.currency ?? currency)}</b>
                )}
              </div>
            </li>
          ),
        )}
      </ol>
    </>
  )
}

/** How long before or after the conversion. */
function gapText(at: string, conversionAt: string): string {
  const minutes = Math.round((new Date(conversionAt).getTime() - new Date(at).getTime()) / 60_000)
  const size = Math.abs(minutes)
  const text =
    size < 60
      ? `${size} min`
      : size < 48 * 60
        ? `${Math.round(size / 60)} h`
        : `${Math.round(size / 1440)} days`
  return minutes >= 0 ? `${text} before` : `${text} after`
}
