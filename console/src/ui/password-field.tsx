import type { ComponentProps } from 'react'
import { Field } from './field.tsx'

/** `fresh`: a new password, so password managers suggest one and the rule is shown. */
export function PasswordField({ fresh, ...rest }: ComponentProps<typeof Field> & { fresh?: boolean }) {
  const rule = fresh ? { hint: 'At least 12 characters.', minLength: 12 } : {}
  return (
    <Field
      type="password"
      autoComplete={fresh ? 'new-password' : 'current-password'}
      required
      {...rule}
      {...rest}
    />
  )
}
