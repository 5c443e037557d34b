import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { matching } from './commands.ts'

type Found = { id: string; label: string; workspace: string; isDemo: boolean }

/** The profile switch of people with many: type a few letters of the client or its workspace. */
export function ProfileFinder({
  trigger,
  profiles,
  currentId,
  onOpen,
  actions,
}: {
  trigger: ReactNode
  profiles: readonly Found[]
  currentId: string
  onOpen: (profileId: string) => void
  actions: readonly { label: string; run: () => void }[]
}) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const named = profiles.map((one) => ({ ...one, name: one.label, label: `${one.label} ${one.workspace}` }))
  const found = matching(named, text, profiles.length)
  const current = found[Math.min(at, found.length - 1)]
  const close = (run: () => void) => {
    setOpen(false)
    setText('')
    setAt(0)
    run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && current) close(() => onOpen(current.id))
    else if (event.key === 'ArrowDown') setAt((before) => Math.min(before + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setAt((before) => Math.max(before - 1, 0))
    else return
    event.preventDefault()
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
      <input
        className="input"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={current ? `${listId}-${current.id}` : undefined}
        aria-label="Search profiles"
        placeholder={`Search ${profiles.length} profiles`}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div className="command-list" id={listId} role="listbox" aria-label="Profiles">
        {found.map((one) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled at the field, which keeps the focus
          <div
            key={one.id}
            id={`${listId}-${one.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={one === current}
            className="menu-item"
            data-highlighted={one === current || undefined}
            onClick={() => close(() => onOpen(one.id))}
          >
            <span className="grow">{one.name}</span>
            <span className="faint small">{one.isDemo ? 'Demo' : one.workspace}</span>
            {one.id === currentId ? <Icon name="check" size={16} /> : null}
          </div>
        ))}
      </div>
      {found.length === 0 ? <p className="muted small">No profile matches.</p> : null}
      <div className="menu-separator" />
      {actions.map(({ label, run }) => (
        <button key={label} type="button" className="menu-item" onClick={() => close(run)}>
          {label}
        </button>
      ))}
    </Popover>
  )
}
