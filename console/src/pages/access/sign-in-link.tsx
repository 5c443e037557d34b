import { Link, useSearch } from '@tanstack/react-router'
import { requestSignInLink, signInByLink } from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Gate } from './gate.tsx'
import { useEntry } from './use-entry.ts'

/** Requests the mail, and is where its link leads. */
export function SignInLink() {
  const { token } = useSearch({ from: '/sign-in-link' })
  return token ? <Enter token={token} /> : <Request />
}

/** The token is spent by a press of the button: programs that check mails open its links. */
function Enter({ token }: { token: string }) {
  const enter = useWrite(signInByLink)
  const onSuccess = useEntry(undefined)
  return (
    <Gate
      title="Sign in"
      note={
        <Link to="/sign-in-link" search={{ token: undefined }}>
          Request a new link
        </Link>
      }
    >
      {enter.isError ? <Notice tone="bad">{messageOf(enter.error)}</Notice> : null}
      <Button
        kind="primary"
        wide
        busy={enter.isPending}
        onClick={() => enter.mutate({ body: { token } }, { onSuccess })}
      >
        Sign in to Whence
      </Button>
    </Gate>
  )
}

function Request() {
  const { values, bind } = useFields({ email: '' })
  const request = useWrite(requestSignInLink)
  return (
    <Gate
      title="Sign in with a link"
      note={
        <Link to="/sign-in" search={{ next: undefined }}>
          Back to sign in
        </Link>
      }
    >
      {request.isSuccess ? (
        <Notice tone="good">
          If {values.email} has an account, a mail with a link is on its way. The link works for 1 hour.
        </Notice>
      ) : (
        <Form action="Mail me a link" write={request} onSubmit={() => request.mutate({ body: values })} wide>
          <Field label="Email" type="email" autoComplete="username" {...bind('email')} required />
        </Form>
      )}
    </Gate>
  )
}
