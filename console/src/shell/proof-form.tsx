import { useState } from 'react'
import { askPasskey, hasPasskeys } from '../api/passkey.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useFields } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordField } from '../ui/password-field.tsx'

export type Proof =
  | { code: string }
  | { recovery_code: string }
  | { password: string }
  | { assertion: { id: string } }

/** Asks for a code, a recovery code, a passkey or the password: what `kinds` offers. */
export function ProofForm({
  kinds,
  passkey,
  write,
  onProof,
  action,
}: {
  kinds: readonly string[]
  passkey: Record<string, unknown> | null
  write: { isPending: boolean; error: unknown }
  onProof: (proof: Proof) => void
  action: string
}) {
  const hasApp = kinds.includes('totp')
  const [isRecovery, setRecovery] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { values, bind } = useFields({ code: '', recovery_code: '', password: '' })
  const tryPasskey = () => {
    setFailure(null)
    askPasskey(passkey!).then(
      (assertion) => onProof({ assertion }),
      () => setFailure('The browser did not use a passkey. Try again, or use another way.'),
    )
  }
  if (kinds.length === 0)
    return <Notice tone="warn">Your account has no password here: sign out, and sign in again.</Notice>
  if (kinds.includes('password'))
    return (
      <Form action={action} write={write} onSubmit={() => onProof({ password: values.password })}>
        <PasswordField label="Your password" {...bind('password')} />
      </Form>
    )
  return (
    <>
      {failure ? <Notice tone="bad">{failure}</Notice> : null}
      {passkey !== null && hasPasskeys() ? (
        <Button {...(hasApp || isRecovery ? {} : { kind: 'primary' })} wide onClick={tryPasskey}>
          Use a passkey
        </Button>
      ) : null}
      {isRecovery ? (
        <Form
          action={action}
          write={write}
          onSubmit={() => onProof({ recovery_code: values.recovery_code })}
          wide
        >
          <Field label="Recovery code" autoComplete="off" {...bind('recovery_code')} required />
        </Form>
      ) : hasApp ? (
        <Form action={action} write={write} onSubmit={() => onProof({ code: values.code })} wide>
          <Field
            label="Code of your authenticator app"
            autoComplete="one-time-code"
            inputMode="numeric"
            {...bind('code')}
            required
          />
        </Form>
      ) : null}
      <Button kind="quiet" small onClick={() => setRecovery(!isRecovery)}>
        {isRecovery ? 'Back' : 'Use a recovery code'}
      </Button>
    </>
  )
}
