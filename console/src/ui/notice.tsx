import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

export function Notice({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'good' | 'warn' | 'bad'
  children: ReactNode
}) {
  const icon = tone === 'good' ? 'check' : tone === 'plain' ? 'info' : 'alert'
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  )
}
