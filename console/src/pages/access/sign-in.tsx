import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { signIn } from '@whence/server/features/access/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { isUnauthorized, messageOf } from '../../api/call.ts'
import { queryClient, useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Gate } from './gate.tsx'

export function SignIn() {
  const { next } = useSearch({ from: '/sign-in' })
  const router = useRouter()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const enter = useWrite(signIn)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    enter.mutate(
      { body: { email, password } },
      {
        onSuccess: () => {
          queryClient.clear()
          router.history.push(next ?? '/')
        },
      },
    )
  }
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
      <form className="form" onSubmit={submit}>
        {enter.isError ? (
          <Notice tone="bad">
            {isUnauthorized(enter.error) ? 'The email or the password is not right.' : messageOf(enter.error)}
          </Notice>
        ) : null}
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          required
        />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          required
        />
        <Button type="submit" kind="primary" wide busy={enter.isPending}>
          Sign in
        </Button>
      </form>
    </Gate>
  )
}
