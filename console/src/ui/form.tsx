import { type ChangeEvent, type ReactNode, type SubmitEvent, useState } from 'react'
import { messageOf } from '../api/call.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** The form of all pages: the error on top, the fields, then the buttons. */
export function Form({
  action,
  onSubmit,
  onCancel,
  cancel = 'Cancel',
  write,
  problem,
  disabled,
  wide,
  inset,
  detail,
  children,
}: {
  action: string
  onSubmit: () => void
  onCancel?: () => void
  cancel?: string
  write: { isPending: boolean; error: unknown }
  /** Replaces the API's error message. */
  problem?: string | undefined
  disabled?: boolean
  wide?: boolean
  /** Adds padding, for cards without it. */
  inset?: boolean
  /** Further buttons, left of the standard ones. */
  detail?: ReactNode
  children: ReactNode
}) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const errorText = problem ?? (write.error ? messageOf(write.error) : undefined)
  return (
    <form className={inset ? 'form card-body' : 'form'} onSubmit={submit}>
      {errorText ? <Notice tone="bad">{errorText}</Notice> : null}
      {children}
      <div className="form-actions">
        {detail}
        {onCancel ? <Button onClick={onCancel}>{cancel}</Button> : null}
        <Button
          type="submit"
          kind="primary"
          wide={wide ?? false}
          busy={write.isPending}
          disabled={disabled ?? false}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}

type InputEvent = ChangeEvent<HTMLInputElement | HTMLSelectElement>

/** State of a form's fields, and `bind` to connect each field to it. */
export function useFields<T extends Record<string, string>>(initial: T) {
  const [values, setValues] = useState(initial)
  const bind = (name: keyof T & string) => ({
    name,
    value: values[name]!,
    onChange: (event: InputEvent) => {
      const { value } = event.target
      setValues((before) => ({ ...before, [name]: value }))
    },
  })
  return { values, bind, setValues }
}

/** Adds the value to the list, or removes it if it is there. */
export function toggled<T>(chosen: readonly T[], value: T): T[] {
  return chosen.includes(value) ? chosen.filter((entry) => entry !== value) : [...chosen, value]
}
