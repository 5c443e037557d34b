import { type ChangeEvent, type ReactNode, type SubmitEvent, useState } from 'react'
import { messageOf } from '../api/call.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** Every form is this one: on top why it was refused, then its fields, at its end what to do with them. */
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
  /** Instead of the service's words, where the page knows better ones. */
  problem?: string | undefined
  disabled?: boolean
  wide?: boolean
  /** Inside a card whose content reaches the edges. */
  inset?: boolean
  /** Another way to end, left of the usual ones. */
  detail?: ReactNode
  children: ReactNode
}) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const refusal = problem ?? (write.error ? messageOf(write.error) : undefined)
  return (
    <form className={inset ? 'form card-body' : 'form'} onSubmit={submit}>
      {refusal ? <Notice tone="bad">{refusal}</Notice> : null}
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

type Typing = ChangeEvent<HTMLInputElement | HTMLSelectElement>

/** The values of a form's fields, and what connects each field to them. */
export function useFields<T extends Record<string, string>>(initial: T) {
  const [values, setValues] = useState(initial)
  const bind = (name: keyof T & string) => ({
    name,
    value: values[name]!,
    onChange: (event: Typing) => {
      const { value } = event.target
      setValues((before) => ({ ...before, [name]: value }))
    },
  })
  return { values, bind, setValues }
}

/** The list with the value put in, or taken out where it was in. */
export function toggled<T>(chosen: readonly T[], value: T): T[] {
  return chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]
}
