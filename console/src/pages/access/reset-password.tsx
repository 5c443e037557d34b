import { Link, useSearch } from '@tanstack/react-router'
import { resetPassword } from '@whence/sdk'
import { queryClient, useWrite } from '../../api/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Gate } from './gate.tsx'

/** Where the link in the mail leads. The token is spent by sending the form, never by opening the page. */
export function ResetPassword() {
  const { token } = useSearch({ from: '/reset-password' })
  const { values, bind } = useFields({ new_password: '' })
  const reset = useWrite(resetPassword)
  if (!token)
    return (
      <Gate title="This link is incomplete">
        <Notice tone="bad">Open it again from the mail, or ask for a new one.</Notice>
        <Link to="/forgot-password" className={buttonClass({ wide: true })}>
          Ask for a new link
        </Link>
      </Gate>
    )
  if (reset.isSuccess)
    return (
      <Gate title="Password changed" note="Every session and token of the account has ended.">
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
