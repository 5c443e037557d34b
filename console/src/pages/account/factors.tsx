import {
  createRecoveryCodes,
  type DataOf,
  deleteFactor,
  forgetDevices,
  getFactors,
  removePassword,
  renameFactor,
} from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { hasPasskeys } from '../../api/passkey.ts'
import { useWrite } from '../../api/queries.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AddApp, AddPasskey, RecoveryCodes } from './add-factor.tsx'

type Account = DataOf<typeof getFactors>
type Factor = Account['factors'][number]

export function Factors({ account }: { account: Account }) {
  const [adding, setAdding] = useState<'totp' | 'passkey' | null>(null)
  const [renaming, setRenaming] = useState<Factor | null>(null)
  const [removing, setRemoving] = useState<Factor | 'password' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const remove = useWrite(deleteFactor, [getFactors])
  const withoutPassword = useWrite(removePassword, [getFactors])
  const renew = useWrite(createRecoveryCodes, [getFactors])
  const forget = useWrite(forgetDevices, [getFactors])
  const toast = useToast()
  const onError = (error: unknown) => toast(messageOf(error), 'bad')
  const close = (created: string[] | null) => {
    setAdding(null)
    setCodes(created)
  }
  const { factors } = account
  const passkeys = factors.filter(({ kind }) => kind === 'passkey')
  return (
    <Card
      title="Second factors"
      flush
      note="A passkey signs in alone. The code of an authenticator app follows the password."
      actions={
        <>
          {factors.some(({ kind }) => kind === 'totp') ? null : (
            <Button onClick={() => setAdding('totp')}>Add an authenticator app</Button>
          )}
          {hasPasskeys() ? <Button onClick={() => setAdding('passkey')}>Add a passkey</Button> : null}
        </>
      }
      foot={
        factors.length === 0 ? undefined : (
          <div className="toolbar">
            <span className="grow">{plural(account.recovery_codes_left, 'recovery code')} left</span>
            <Button
              small
              onClick={() => renew.mutate({}, { onSuccess: ({ data }) => setCodes(data.codes), onError })}
            >
              New recovery codes
            </Button>
            {account.remembered_devices > 0 ? (
              <Button small onClick={() => forget.mutate({}, { onError })}>
                Forget {plural(account.remembered_devices, 'remembered device')}
              </Button>
            ) : null}
            {account.has_password && passkeys.length > 0 ? (
              <Button small onClick={() => setRemoving('password')}>
                Remove the password
              </Button>
            ) : null}
          </div>
        )
      }
    >
      {factors.length === 0 ? (
        <p className="card-body muted">None. Anyone who learns your password can sign in.</p>
      ) : (
        <ul className="list">
          {factors.map((factor) => (
            <li key={factor.id}>
              <span className="grow">
                <strong>{factor.name}</strong>
                <span className="sub">{factor.kind === 'totp' ? 'Authenticator app' : 'Passkey'}</span>
              </span>
              <Button small onClick={() => setRenaming(factor)} aria-label={`Rename ${factor.name}`}>
                Rename
              </Button>
              <Button small onClick={() => setRemoving(factor)} aria-label={`Remove ${factor.name}`}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {adding === 'totp' ? <AddApp onClose={close} /> : null}
      {adding === 'passkey' ? <AddPasskey onClose={close} /> : null}
      {codes ? <RecoveryCodes codes={codes} onClose={() => setCodes(null)} /> : null}
      {renaming ? <Rename factor={renaming} onClose={() => setRenaming(null)} /> : null}
      {removing === null ? null : removing === 'password' ? (
        <Confirm
          title="Remove your password?"
          action="Remove"
          onConfirm={() => withoutPassword.mutateAsync({})}
          onClose={() => setRemoving(null)}
        >
          You sign in with a passkey only. Other sessions end. Keep your recovery codes.
        </Confirm>
      ) : (
        <Confirm
          title={`Remove ${removing.name}?`}
          action="Remove"
          onConfirm={() => remove.mutateAsync({ params: { factorId: removing.id } })}
          onClose={() => setRemoving(null)}
        >
          It no longer signs in. Remembered devices are forgotten.
        </Confirm>
      )}
    </Card>
  )
}

function Rename({ factor, onClose }: { factor: Factor; onClose: () => void }) {
  const { values, bind } = useFields({ name: factor.name })
  const rename = useWrite(renameFactor, [getFactors])
  return (
    <Dialog open onClose={onClose} title={`Rename ${factor.name}`}>
      <Form
        action="Rename"
        write={rename}
        onCancel={onClose}
        onSubmit={() =>
          rename.mutate({ params: { factorId: factor.id }, body: values }, { onSuccess: onClose })
        }
      >
        <Field label="Name" {...bind('name')} required />
      </Form>
    </Dialog>
  )
}
