import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { Button } from './button.tsx'

/** A search that the service answers: sent by Enter or the button, emptied by clearing the field. */
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
  /** More of the same form. */
  children?: ReactNode
}) {
  const [typed, setTyped] = useState(value ?? '')
  // Another search of the same page may come from outside, by a link or the search menu.
  const [from, setFrom] = useState(value)
  if (from !== value) {
    setFrom(value)
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
