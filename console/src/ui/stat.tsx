import type { CSSProperties, ReactNode } from 'react'

/** Values with more characters get a smaller font to fit the tile. */
const MAX_CHARACTERS = 10

/** A figure with its label. The parent is `<dl className="grid-stats">`. */
export function Stat({
  label,
  title,
  value,
  detail,
}: {
  label: ReactNode
  /** How the figure is computed, shown as a tooltip. */
  title?: string
  value: ReactNode
  detail?: ReactNode
}) {
  return (
    <div className="stat">
      <dt title={title}>{label}</dt>
      {typeof value === 'string' && value.length > MAX_CHARACTERS ? (
        <dd className="long" style={{ '--letters': value.length } as CSSProperties}>
          {value}
        </dd>
      ) : (
        <dd>{value}</dd>
      )}
      {detail ? <dd className="detail">{detail}</dd> : null}
    </div>
  )
}
