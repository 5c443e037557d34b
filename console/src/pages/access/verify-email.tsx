import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { confirmAddress, getMe } from '@whence/sdk'
import { isUnauthorized, messageOf } from '../../api/call.ts'
import { queryClient, useRead, useWrite } from '../../api/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Gate } from './gate.tsx'

/** Target of the link in a verification mail. Confirming needs a session of the account and a press of the button. */
export function VerifyEmail() {
  const { token } = useSearch({ from: '/verify-email' })
  const me = useRead(getMe)
  const confirm = useWrite(confirmAddress)
  const navigate = useNavigate()
  if (!token)
    return (
      <Gate title="This link is incomplete">
        <Notice tone="bad">
          Open the link in the email again, or request a new one in the account menu.
        </Notice>
      </Gate>
    )
  if (isUnauthorized(me.error)) {
    const next = `/verify-email?token=${encodeURIComponent(token)}`
    return (
      <Gate
        title="Verify your address"
        note="Sign in first. If someone else created this account with your address, reset the password to take it over."
      >
        <Link to="/sign-in" search={{ next }} className={buttonClass({ kind: 'primary', wide: true })}>
          Sign in
        </Link>
        <Link to="/forgot-password" className={buttonClass({ wide: true })}>
          Reset password
        </Link>
      </Gate>
    )
  }
  const verify = () =>
    confirm.mutate(
      { body: { token } },
      {
        onSuccess: () => {
          queryClient.clear()
          void navigate({ to: '/' })
        },
      },
    )
  return (
    <Gate title="Verify your address" note={me.data ? `Signed in as ${me.data.data.email}.` : ' '}>
      {confirm.isError ? <Notice tone="bad">{messageOf(confirm.error)}</Notice> : null}
      <Button kind="primary" wide busy={confirm.isPending} disabled={!me.data} onClick={verify}>
        This address is mine
      </Button>
    </Gate>
  )
}
