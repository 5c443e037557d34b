import type { ReactNode } from 'react'

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain'

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={tone === 'plain' ? 'badge' : `badge ${tone}`}>{children}</span>
}
