import { addFactor, confirmFactor, type DataOf, getFactors, listSessions } from '@whence/sdk'
import { useEffect, useState } from 'react'
import { renderSVG } from 'uqr'
import { createPasskey } from '../../api/passkey.ts'
import { useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'

type Closing = (recoveryCodes: string[] | null) => void
type Added = DataOf<typeof addFactor>

export function AddApp({ onClose }: { onClose: Closing }) {
  const add = useWrite(addFactor)
  const { mutate } = add
  useEffect(() => mutate({ body: { kind: 'totp', name: 'Authenticator app' } }), [mutate])
  return (
    <Dialog open onClose={() => onClose(null)} title="Add an authenticator app">
      <Loaded
        query={{ ...add, refetch: async () => mutate({ body: { kind: 'totp', name: 'Authenticator app' } }) }}
      >
        {({ data }) => <ConfirmApp added={data} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function ConfirmApp({ added, onClose }: { added: Added; onClose: Closing }) {
  const { values, bind } = useFields({ code: '' })
  const confirm = useWrite(confirmFactor, [getFactors, listSessions])
  const qr = `data:image/svg+xml,${encodeURIComponent(renderSVG(added.otpauth_url!))}`
  return (
    <Form
      action="Confirm"
      write={confirm}
      onCancel={() => onClose(null)}
      onSubmit={() =>
        confirm.mutate(
          { params: { factorId: added.id }, body: values },
          { onSuccess: ({ data }) => onClose(data.recovery_codes) },
        )
      }
    >
      <p>Scan this with the app, or type the key. Then enter the code that the app shows.</p>
      <img src={qr} alt="QR code with the key" width={180} height={180} />
      <CodeBlock text={added.secret!} />
      <Field label="Code" autoComplete="one-time-code" inputMode="numeric" {...bind('code')} required />
    </Form>
  )
}

export function AddPasskey({ onClose }: { onClose: Closing }) {
  const { values, bind } = useFields({ name: 'This device' })
  const add = useWrite(addFactor)
  const confirm = useWrite(confirmFactor, [getFactors, listSessions])
  const [isRefused, setRefused] = useState(false)
  const run = async () => {
    setRefused(false)
    const { data } = await add.mutateAsync({ body: { kind: 'passkey', name: values.name } })
    const registration = await createPasskey(data.options!).catch(() => setRefused(true))
    if (!registration) return
    const done = await confirm.mutateAsync({ params: { factorId: data.id }, body: { registration } })
    onClose(done.data.recovery_codes)
  }
  return (
    <Dialog
      open
      onClose={() => onClose(null)}
      title="Add a passkey"
      note="The browser asks for your fingerprint, face, PIN or security key."
    >
      {isRefused ? <Notice tone="bad">The browser created no passkey. Try again.</Notice> : null}
      <Form
        action="Create the passkey"
        write={{ isPending: add.isPending || confirm.isPending, error: add.error ?? confirm.error }}
        onCancel={() => onClose(null)}
        onSubmit={() => void run().catch(() => {})}
      >
        <Field label="Name" {...bind('name')} required />
      </Form>
    </Dialog>
  )
}

export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your recovery codes"
      note="Each signs in once without your second factor. Print them; they are not shown again."
    >
      <CodeBlock text={codes.join('\n')} />
      <div className="form-actions">
        <Button kind="primary" onClick={onClose}>
          I have stored them
        </Button>
      </div>
    </Dialog>
  )
}
