import { Link, useSearch } from '@tanstack/react-router'
import { signUp } from '@whence/server/features/access/contract.ts'
import { useWrite } from '../../api/queries.ts'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Gate } from './gate.tsx'
import { useEntry } from './use-entry.ts'

export function SignUp() {
  const { next } = useSearch({ from: '/sign-up' })
  const { values, bind } = useFields({ name: '', email: '', password: '' })
  const create = useWrite(signUp)
  const onSuccess = useEntry(next)
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
      <Form
        action="Create account"
        write={create}
        onSubmit={() => create.mutate({ body: values }, { onSuccess })}
        wide
      >
        <Field label="Name" autoComplete="name" {...bind('name')} required />
        <Field label="Email" type="email" autoComplete="username" {...bind('email')} required />
        <PasswordField label="Password" fresh {...bind('password')} />
      </Form>
    </Gate>
  )
}
