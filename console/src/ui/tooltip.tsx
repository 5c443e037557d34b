import { Tooltip as Base } from 'radix-ui'
import type { ReactNode } from 'react'

export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Base.Root>
      <Base.Trigger asChild>{children}</Base.Trigger>
      <Base.Portal>
        <Base.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {text}
        </Base.Content>
      </Base.Portal>
    </Base.Root>
  )
}

export const TooltipProvider = Base.Provider
