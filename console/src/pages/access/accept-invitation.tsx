import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { acceptInvitation, getMe } from '@whence/sdk'
import { isUnauthorized, messageOf } from '../../api/call.ts'
import { queryClient, useRead, useWrite } from '../../api/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Gate } from './gate.tsx'

/** Target of the link in an invitation mail. Only the button uses the token, because mail scanners open links. */
export function AcceptInvitation() {
  const { token } = useSearch({ from: '/invitations/accept' })
  const me = useRead(getMe)
  const accept = useWrite(acceptInvitation)
  const navigate = useNavigate()
  if (!token)
    return (
      <Gate title="This link is incomplete">
        <Notice tone="bad">Open the link in the email again, or ask for a new invitation.</Notice>
      </Gate>
    )
  if (isUnauthorized(me.error)) {
    const next = `/invitations/accept?token=${encodeURIComponent(token)}`
    return (
      <Gate title="You are invited" note="Sign in with the address the invitation was sent to.">
        <Link to="/sign-up" search={{ next }} className={buttonClass({ kind: 'primary', wide: true })}>
          Create an account
        </Link>
        <Link to="/sign-in" search={{ next }} className={buttonClass({ wide: true })}>
          I have an account
        </Link>
      </Gate>
    )
  }
  const join = () =>
    accept.mutate(
      { body: { token } },
      {
        onSuccess: ({ data }) => {
          queryClient.clear()
          void navigate(
            data.profile_id
              ? { to: '/p/$profileId/overview', params: { profileId: data.profile_id } }
              : { to: '/' },
          )
        },
      },
    )
  return (
    <Gate title="You are invited" note={me.data ? `Signed in as ${me.data.data.email}.` : ' '}>
      {accept.isError ? <Notice tone="bad">{messageOf(accept.error)}</Notice> : null}
      <Button kind="primary" wide busy={accept.isPending} disabled={!me.data} onClick={join}>
        Accept the invitation
      </Button>
    </Gate>
  )
}
