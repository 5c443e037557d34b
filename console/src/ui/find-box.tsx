import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { Button } from './button.tsx'

/** Search box for server-side search: Enter or the button submits it, clearing the field resets it. */
export function FindBox({
  label,
  placeholder,
  value,
  onFind,
  children,
}: {
  label: string
  placeholder: string
  value: string | undefined
  onFind: (text: string | undefined) => void
  /** Further fields of the form. */
  children?: ReactNode
}) {
  const [typed, setTyped] = useState(value ?? '')
  // A link or the command menu may change the search of the open page.
  const [lastValue, setLastValue] = useState(value)
  if (lastValue !== value) {
    setLastValue(value)
    setTyped(value ?? '')
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    onFind(typed.trim() || undefined)
  }
  return (
    <search>
      <form className="find" onSubmit={submit}>
        <input
          className="input"
          type="search"
          aria-label={label}
          placeholder={placeholder}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            if (event.target.value === '' && value !== undefined) onFind(undefined)
          }}
        />
        {children}
        <Button type="submit">Find</Button>
      </form>
    </search>
  )
}
