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
type EarlierStep = { kind: 'outcome' | 'reply'; outcome_type: string | null; occurred_at: string }
type Step = { at: string; touch: Touch } | { at: string; earlier: EarlierStep } | { at: string }

/** Touches, earlier outcomes and replies, and the conversion in order of time, with credit as bars. */
export function Timeline({
  conversion,
  touches,
  earlier,
  timeZone,
  currency,
}: {
  conversion: Conversion
  touches: readonly Touch[]
  earlier: readonly EarlierStep[]
  timeZone: string
  currency: string
}) {
  const before = touches.filter((touch) => touch.occurred_at <= conversion.occurred_at)
  const after = touches.filter((touch) => touch.occurred_at > conversion.occurred_at)
  const stepsBefore: Step[] = [
    ...before.map((touch) => ({ at: touch.occurred_at, touch })),
    ...earlier.map((step) => ({ at: step.occurred_at, earlier: step })),
  ]
  const steps: Step[] = [
    ...stepsBefore.toSorted((a, b) => a.at.localeCompare(b.at)),
    { at: conversion.occurred_at },
    ...after.map((touch) => ({ at: touch.occurred_at, touch })),
  ]
  return (
    <>
      {touches.length === 0 ? (
        <p className="muted small">
          No visit, click or referral of this person was recorded before the conversion.
        </p>
      ) : null}
      <ol className="timeline">
        {steps.map((step) => {
          const { at } = step
          if ('earlier' in step)
            return (
              <Earlier key={`${at} ${step.earlier.outcome_type}`} {...{ step: step.earlier, timeZone }} />
            )
          const touch = 'touch' in step ? step.touch : null
          return touch ? (
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
          )
        })}
      </ol>
    </>
  )
}

function Earlier({ step, timeZone }: { step: EarlierStep; timeZone: string }) {
  return (
    <li className="earlier">
      <div className="timeline-time">
        <time dateTime={step.occurred_at}>{instantText(step.occurred_at, timeZone)}</time>
      </div>
      <div className="timeline-what">
        <span>{step.outcome_type === null ? 'Your reply' : sentence(step.outcome_type)}</span>
      </div>
    </li>
  )
}

/** Time before or after the conversion. */
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
