import { Popover as Base } from 'radix-ui'
import type { ReactNode } from 'react'

/** A small surface next to the button that opened it; it closes by a click elsewhere and by Escape. */
export function Popover({
  label,
  trigger,
  className,
  align = 'end',
  open,
  onOpenChange,
  children,
}: {
  label: string
  trigger: ReactNode
  className?: string
  align?: 'start' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}) {
  const own = open === undefined ? {} : { open }
  return (
    <Base.Root {...own} {...(onOpenChange ? { onOpenChange } : {})}>
      <Base.Trigger asChild>{trigger}</Base.Trigger>
      <Base.Portal>
        <Base.Content
          className={className ? `popover ${className}` : 'popover'}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
        >
          {children}
        </Base.Content>
      </Base.Portal>
    </Base.Root>
  )
}
