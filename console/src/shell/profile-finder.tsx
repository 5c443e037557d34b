import { type ReactNode, useState } from 'react'
import { Finder } from '../ui/finder.tsx'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { matching } from './commands.ts'

type ProfileOption = { id: string; label: string; workspace: string; isDemo: boolean }

/** Profile switch with a search, for people with many profiles. */
export function ProfileFinder({
  trigger,
  profiles,
  currentId,
  onOpen,
  actions,
}: {
  trigger: ReactNode
  profiles: readonly ProfileOption[]
  currentId: string
  onOpen: (profileId: string) => void
  actions: readonly { label: string; run: () => void }[]
}) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const options = profiles.map((profile) => ({
    ...profile,
    name: profile.label,
    label: `${profile.label} ${profile.workspace}`,
  }))
  const matches = matching(options, text, profiles.length)
  const close = (run: () => void) => {
    setOpen(false)
    setText('')
    run()
  }
  return (
    <Popover
      label="Switch profile"
      className="profile-finder"
      align="start"
      open={open}
      onOpenChange={setOpen}
      trigger={trigger}
    >
      <Finder
        label="Search profiles"
        placeholder={`Search ${profiles.length} profiles`}
        text={text}
        onText={setText}
        listLabel="Profiles"
        options={matches}
        onChoose={({ id }) => close(() => onOpen(id))}
        empty="No profile matches."
      >
        {(option) => (
          <>
            <span className="grow">{option.name}</span>
            <span className="faint small">{option.isDemo ? 'Demo' : option.workspace}</span>
            {option.id === currentId ? <Icon name="check" size={16} /> : null}
          </>
        )}
      </Finder>
      <div className="menu-separator" />
      {actions.map(({ label, run }) => (
        <button key={label} type="button" className="menu-item" onClick={() => close(run)}>
          {label}
        </button>
      ))}
    </Popover>
  )
}
