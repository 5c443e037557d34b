import type { ReactNode } from 'react'

export function Stat({
  label,
  title,
  value,
  beside,
}: {
  label: ReactNode
  /** How the figure is made. */
  title?: string
  value: ReactNode
  beside?: ReactNode
}) {
  return (
    <div className="stat">
      <dt title={title}>{label}</dt>
      <dd>{value}</dd>
      {beside ? <dd className="beside">{beside}</dd> : null}
    </div>
  )
}
