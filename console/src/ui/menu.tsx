import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

/** A dropdown menu. The trigger must be a single element that accepts a ref. */
export function Menu({
  trigger,
  children,
  align = 'end',
  matchWidth,
}: {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
  matchWidth?: boolean
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align={align}
          sideOffset={6}
          collisionPadding={8}
          style={matchWidth ? { width: 'max(260px, var(--radix-dropdown-menu-trigger-width))' } : undefined}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

export function MenuItem({
  onSelect,
  danger,
  disabled,
  children,
}: {
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <DropdownMenu.Item
      className={danger ? 'menu-item danger' : 'menu-item'}
      onSelect={onSelect}
      disabled={disabled ?? false}
    >
      {children}
    </DropdownMenu.Item>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="menu-label">{children}</DropdownMenu.Label>
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="menu-separator" />
}
