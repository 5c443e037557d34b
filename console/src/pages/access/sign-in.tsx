import { Link, useSearch } from '@tanstack/react-router'
import { signIn } from '@whence/sdk'
import { useState } from 'react'
import { isUnauthorized } from '../../api/call.ts'
import { useWrite } from '../../api/queries.ts'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Gate } from './gate.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { type SecondFactor, SecondFactorStep } from './second-factor.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

export function SignIn() {
  const { next } = useSearch({ from: '/sign-in' })
  const { values, bind } = useFields({ email: '', password: '' })
  const enter = useWrite(signIn)
  const onSuccess = useAfterSignIn(next)
  const [needed, setNeeded] = useState<SecondFactor | null>(null)
  if (needed !== null) return <SecondFactorStep needed={needed} onSuccess={onSuccess} />
  return (
    <Gate
      title="Sign in"
      note={
        <>
          New here?{' '}
          <Link to="/sign-up" search={{ next }}>
            Create an account
          </Link>
        </>
      }
    >
      <Form
        action="Sign in"
        write={enter}
        problem={isUnauthorized(enter.error) ? 'Wrong email or password.' : undefined}
        onSubmit={() =>
          enter.mutate(
            { body: values },
            {
              onSuccess: ({ data }) =>
                'second_factor' in data ? setNeeded(data.second_factor) : onSuccess(),
            },
          )
        }
        wide
      >
        <Field label="Email" type="email" autoComplete="username" {...bind('email')} required />
        <PasswordField label="Password" {...bind('password')} />
      </Form>
      <PasskeyButton onSuccess={onSuccess} />
      <Link to="/forgot-password" className="small">
        Forgot your password?
      </Link>
      <Link to="/sign-in-link" search={{ token: undefined }} className="small">
        Email me a sign-in link
      </Link>
    </Gate>
  )
}
