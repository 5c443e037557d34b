import { Popover as Base } from 'radix-ui'
import type { ReactNode } from 'react'

/** A popover next to its button; a click elsewhere or Escape closes it. */
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
  const controlledOpen = open === undefined ? {} : { open }
  return (
    <Base.Root {...controlledOpen} {...(onOpenChange ? { onOpenChange } : {})}>
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
