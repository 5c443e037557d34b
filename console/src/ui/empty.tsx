import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** Empty state: what will appear here and how to get there. */
export function Empty({
  icon,
  title,
  children,
  actions,
}: {
  icon: IconName
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <h3>{title}</h3>
      {children ? <p>{children}</p> : null}
      {actions ? <div className="toolbar">{actions}</div> : null}
    </div>
  )
}
