import { Link, useSearch } from '@tanstack/react-router'
import { requestSignInLink, signInByLink } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Gate } from './gate.tsx'
import { type SecondFactor, SecondFactorStep } from './second-factor.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

/** Requests a sign-in mail, and is the target of the link in it. */
export function SignInLink() {
  const { token } = useSearch({ from: '/sign-in-link' })
  return token ? <SignInWithToken token={token} /> : <RequestLink />
}

/** Only the button uses the token, because mail scanners open links. */
function SignInWithToken({ token }: { token: string }) {
  const signIn = useWrite(signInByLink)
  const onSuccess = useAfterSignIn(undefined)
  const [needed, setNeeded] = useState<SecondFactor | null>(null)
  if (needed !== null) return <SecondFactorStep needed={needed} onSuccess={onSuccess} />
  return (
    <Gate
      title="Sign in"
      note={
        <Link to="/sign-in-link" search={{ token: undefined }}>
          Request a new link
        </Link>
      }
    >
      {signIn.isError ? <Notice tone="bad">{messageOf(signIn.error)}</Notice> : null}
      <Button
        kind="primary"
        wide
        busy={signIn.isPending}
        onClick={() =>
          signIn.mutate(
            { body: { token } },
            {
              onSuccess: ({ data }) =>
                'second_factor' in data ? setNeeded(data.second_factor) : onSuccess(),
            },
          )
        }
      >
        Sign in to Whence
      </Button>
    </Gate>
  )
}

function RequestLink() {
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
