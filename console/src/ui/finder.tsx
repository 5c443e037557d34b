import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'

/** A combobox: the field keeps the focus, arrow keys move, Enter chooses. */
export function Finder<Option extends { id: string }>({
  label,
  placeholder,
  text,
  onText,
  listLabel,
  options,
  onChoose,
  empty,
  autoFocus = false,
  children,
}: {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  listLabel: string
  options: readonly Option[]
  onChoose: (option: Option) => void
  /** Shown if nothing matches. */
  empty: string
  autoFocus?: boolean
  /** Renders an option. */
  children: (option: Option) => ReactNode
}) {
  const [activeIndex, setActiveIndex] = useState(0)
  const listId = useId()
  const current = options[Math.min(activeIndex, options.length - 1)]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && current) onChoose(current)
    else if (event.key === 'ArrowDown') setActiveIndex((before) => Math.min(before + 1, options.length - 1))
    else if (event.key === 'ArrowUp') setActiveIndex((before) => Math.max(before - 1, 0))
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        className="input"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={current ? `${listId}-${current.id}` : undefined}
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          onText(event.target.value)
          setActiveIndex(0)
        }}
        onKeyDown={onKeyDown}
        // biome-ignore lint/a11y/noAutofocus: its container is opened to type into it
        autoFocus={autoFocus}
      />
      <div className="command-list" id={listId} role="listbox" aria-label={listLabel}>
        {options.map((option) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled at the field, which keeps the focus
          <div
            key={option.id}
            id={`${listId}-${option.id}`}
            ref={option === current && activeIndex > 0 ? scrollIntoView : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={option === current}
            className="menu-item"
            data-highlighted={option === current || undefined}
            onClick={() => onChoose(option)}
          >
            {children(option)}
          </div>
        ))}
      </div>
      {options.length === 0 ? <p className="muted small">{empty}</p> : null}
    </>
  )
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}
