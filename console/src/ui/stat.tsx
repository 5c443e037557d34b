import type { CSSProperties, ReactNode } from 'react'

/** More letters than a tile of the usual width shows in the usual size. */
const LONG = 10

export function Stat({
  label,
  title,
  value,
  detail,
}: {
  label: ReactNode
  /** How the figure is made. */
  title?: string
  value: ReactNode
  detail?: ReactNode
}) {
  return (
    <div className="stat">
      <dt title={title}>{label}</dt>
      {typeof value === 'string' && value.length > LONG ? (
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
