import { Link, useSearch } from '@tanstack/react-router'
import { resetPassword } from '@whence/sdk'
import { queryClient, useWrite } from '../../api/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Gate } from './gate.tsx'

/** Target of the link in a password mail. Only sending the form uses the token, because mail scanners open links. */
export function ResetPassword() {
  const { token } = useSearch({ from: '/reset-password' })
  const { values, bind } = useFields({ new_password: '' })
  const reset = useWrite(resetPassword)
  if (!token)
    return (
      <Gate title="This link is incomplete">
        <Notice tone="bad">Open the link in the email again, or request a new one.</Notice>
        <Link to="/forgot-password" className={buttonClass({ wide: true })}>
          Request a new link
        </Link>
      </Gate>
    )
  if (reset.isSuccess)
    return (
      <Gate
        title="Password changed"
        note="You are signed out on all devices, and your tokens no longer work."
      >
        <Link
          to="/sign-in"
          search={{ next: undefined }}
          className={buttonClass({ kind: 'primary', wide: true })}
        >
          Sign in
        </Link>
      </Gate>
    )
  return (
    <Gate title="Choose a new password">
      <Form
        action="Change password"
        write={reset}
        onSubmit={() =>
          reset.mutate({ body: { token, ...values } }, { onSuccess: () => queryClient.clear() })
        }
        wide
      >
        <PasswordField label="New password" fresh {...bind('new_password')} />
      </Form>
    </Gate>
  )
}
