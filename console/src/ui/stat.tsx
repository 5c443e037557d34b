import type { ReactNode } from 'react'

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
      <dd>{value}</dd>
      {detail ? <dd className="detail">{detail}</dd> : null}
    </div>
  )
}
