import type { Creative } from './use-board.ts'
import { aheadText, type LayerPercentile, layerText, polarityOf } from './words.ts'

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
export function PercentileBar({ layer }: { layer: LayerPercentile }) {
  const at = `${layer.percentile * 100}%`
  return (
    <span className={`place ${polarityOf(layer)}`} role="img" aria-label={`Ahead of ${aheadText(layer)}`}>
      <span style={{ width: at }} />
    </span>
  )
}

export function Reasons({ ad, max = 3 }: { ad: Creative; max?: number }) {
  const reasons = ad.reason_codes.slice(0, max)
  if (ad.composite_score === null)
    return <p className="muted small">No score: fewer than three similar ads to compare it with.</p>
  if (reasons.length === 0) return <p className="muted small">Average in every respect.</p>
  return (
    <ul className="creative-reasons">
      {reasons.map((reason) => (
        <li key={reason.layer} className={reason.polarity}>
          {layerText(reason)}
        </li>
      ))}
    </ul>
  )
}
