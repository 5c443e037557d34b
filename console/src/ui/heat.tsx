import type { ReactNode } from 'react'

const MAX_PERCENT = 30

/** A heat-map cell; `share` from 0 to 1 is the strength of the tint. */
export function Heat({ share, children }: { share: number; children: ReactNode }) {
  const strength = Math.round(Math.min(1, Math.max(0, share)) * MAX_PERCENT)
  return (
    <span
      className="heat-cell"
      style={{ background: `color-mix(in srgb, var(--chart-1) ${strength}%, transparent)` }}
    >
      {children}
    </span>
  )
}
