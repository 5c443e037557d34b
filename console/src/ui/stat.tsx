import type { ReactNode } from 'react'

export function Stat({ label, value, beside }: { label: ReactNode; value: ReactNode; beside?: ReactNode }) {
  return (
    <div className="stat">
      <dt>{label}</dt>
      <dd>{value}</dd>
      {beside ? <dd className="beside">{beside}</dd> : null}
    </div>
  )
}
