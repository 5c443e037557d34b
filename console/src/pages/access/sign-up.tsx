import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { signUp } from '@whence/server/features/access/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { queryClient, useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Gate } from './gate.tsx'

export function SignUp() {
  const { next } = useSearch({ from: '/sign-up' })
  const router = useRouter()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const create = useWrite(signUp)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    create.mutate(
      { body: { name, email, password } },
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
      title="Create an account"
      note={
        <>
          Have one already?{' '}
          <Link to="/sign-in" search={{ next }}>
            Sign in
          </Link>
        </>
      }
    >
      <form className="form" onSubmit={submit}>
        {create.isError ? <Notice tone="bad">{messageOf(create.error)}</Notice> : null}
        <Field
          label="Name"
          autoComplete="name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
        />
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
          hint="At least 12 characters."
          type="password"
          autoComplete="new-password"
          minLength={12}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          required
        />
        <Button type="submit" kind="primary" wide busy={create.isPending}>
          Create account
        </Button>
      </form>
    </Gate>
  )
}
