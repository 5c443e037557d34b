import type { ReactNode } from 'react'

const STRONGEST = 30

/** A figure on a tint; `share` from 0 to 1 says how strong it is. */
export function Heat({ share, children }: { share: number; children: ReactNode }) {
  const strength = Math.round(Math.min(1, Math.max(0, share)) * STRONGEST)
  return (
    <span
      className="heat-cell"
      style={{ background: `color-mix(in srgb, var(--chart-1) ${strength}%, transparent)` }}
    >
      {children}
    </span>
  )
}
