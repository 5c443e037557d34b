import { Link, useSearch } from '@tanstack/react-router'
import { getAuthOptions, signUp } from '@whence/sdk'
import { useRead, useWrite } from '../../api/queries.ts'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Gate } from './gate.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

export function SignUp() {
  const { next } = useSearch({ from: '/sign-up' })
  const { values, bind } = useFields({ name: '', email: '', password: '' })
  const create = useWrite(signUp)
  const onSuccess = useAfterSignIn(next)
  const isClosed = useRead(getAuthOptions).data?.data.sign_up === 'closed'
  const invitation = invitationIn(next)
  return (
    <Gate
      title="Create an account"
      note={
        <>
          Already have one?{' '}
          <Link to="/sign-in" search={{ next }}>
            Sign in
          </Link>
        </>
      }
    >
      {isClosed && invitation === undefined ? (
        <Notice tone="warn">
          You need an invitation to sign up here. Open the link in yours, or ask for one.
        </Notice>
      ) : null}
      <Form
        action="Create account"
        write={create}
        onSubmit={() => create.mutate({ body: { ...values, invitation_token: invitation } }, { onSuccess })}
        wide
      >
        <Field label="Name" autoComplete="name" {...bind('name')} required />
        <Field label="Email" type="email" autoComplete="username" {...bind('email')} required />
        <PasswordField label="Password" fresh {...bind('password')} />
      </Form>
    </Gate>
  )
}

/** Following the invitation link proves that the person owns the address. */
function invitationIn(next: string | undefined): string | undefined {
  const [path, query] = (next ?? '').split('?')
  return path === '/invitations/accept' ? (new URLSearchParams(query).get('token') ?? undefined) : undefined
}
