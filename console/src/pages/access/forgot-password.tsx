import { Link } from '@tanstack/react-router'
import { requestPasswordReset } from '@whence/sdk'
import { useWrite } from '../../api/queries.ts'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Gate } from './gate.tsx'

export function ForgotPassword() {
  const { values, bind } = useFields({ email: '' })
  const request = useWrite(requestPasswordReset)
  return (
    <Gate title="Reset your password" note={<Link to="/sign-in">Back to sign in</Link>}>
      {request.isSuccess ? (
        <Notice tone="good">
          If {values.email} has an account, an email with a link is on its way. The link works for 1 hour.
        </Notice>
      ) : (
        <Form action="Email me a link" write={request} onSubmit={() => request.mutate({ body: values })} wide>
          <Field label="Email" type="email" autoComplete="username" {...bind('email')} required />
        </Form>
      )}
    </Gate>
  )
}
