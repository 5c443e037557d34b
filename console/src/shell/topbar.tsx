import { Dialog } from 'radix-ui'
import { useState } from 'react'
import type { Problem } from '../health/problems.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { ProfileSwitcher } from './profile-switcher.tsx'
import { Sidebar } from './sidebar.tsx'

/** Header on narrow screens: menu button and profile switcher. */
export function Topbar({ problems }: { problems: readonly Problem[] }) {
  const [open, setOpen] = useState(false)
  return (
    <header className="topbar">
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <Button kind="quiet" icon aria-label="Open the menu">
            <Icon name="menu" size={20} />
          </Button>
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="overlay" />
          <Dialog.Content className="drawer" aria-describedby={undefined}>
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <Sidebar problems={problems} onNavigate={() => setOpen(false)} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <ProfileSwitcher />
    </header>
  )
}
