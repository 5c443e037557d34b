import type { Creative } from './use-board.ts'
import { aheadText, isNotable, type Reason, reasonText } from './words.ts'

/** Score from 0 to 100 as a ring; pale while the ad has too little data. */
export function Score({ ad }: { ad: Creative }) {
  const value = ad.composite_score
  const name =
    value === null ? 'Not scored: no similar ads to compare with' : `Score ${Math.round(value)} of 100`
  return (
    <span
      className={ad.maturity_stage === 'cold' ? 'score-ring cold' : 'score-ring'}
      style={{ '--score': value ?? 0 } as React.CSSProperties}
      role="img"
      aria-label={name}
      title={name}
    >
      <span aria-hidden="true">{value === null ? '–' : Math.round(value)}</span>
    </span>
  )
}

/** Bar of an ad's percentile among similar ads. */
export function PercentileBar({ reason }: { reason: Reason }) {
  const at = `${reason.percentile * 100}%`
  const tone = isNotable(reason) ? reason.polarity : 'middle'
  return (
    <span className={`place ${tone}`} role="img" aria-label={`Ahead of ${aheadText(reason)}`}>
      <span style={{ width: at }} />
    </span>
  )
}

export function Reasons({ ad, max = 3 }: { ad: Creative; max?: number }) {
  const reasons = ad.reason_codes.filter(isNotable).slice(0, max)
  if (ad.composite_score === null)
    return <p className="muted small">No score: fewer than three similar ads to compare it with.</p>
  if (reasons.length === 0) return <p className="muted small">Average in every respect.</p>
  return (
    <ul className="creative-reasons">
      {reasons.map((reason) => (
        <li key={reason.layer} className={reason.polarity}>
          {reasonText(reason)}
        </li>
      ))}
    </ul>
  )
}
