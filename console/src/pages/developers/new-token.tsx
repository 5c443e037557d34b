import { createUserToken, listUserTokens } from '@whence/sdk'
import { defaultUserTokenScopes, type Scope } from '@whence/server/platform/contract/access.ts'
import { useState } from 'react'
import { useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { ShowSecret } from './show-secret.tsx'

export function NewToken({ onClose }: { onClose: () => void }) {
  const { values, bind } = useFields({ name: '' })
  const [scopes, setScopes] = useState<Scope[]>([...defaultUserTokenScopes])
  const create = useWrite(createUserToken, [listUserTokens])
  if (create.data)
    return (
      <ShowSecret title={`Token ${create.data.data.name}`} secret={create.data.data.token} onClose={onClose}>
        Send it as <code>Authorization: Bearer …</code> and choose the profile with <code>?profile_id=</code>
      </ShowSecret>
    )
  return (
    <Dialog open onClose={onClose} title="New user token" note="It can never do more than you can." wide>
      <Form
        action="Create token"
        write={create}
        onSubmit={() => create.mutate({ body: { ...values, scopes } })}
        onCancel={onClose}
        disabled={scopes.length === 0}
      >
        <Field label="Name" placeholder="Where it will be used" {...bind('name')} required />
        <ScopePicker chosen={scopes} onChange={setScopes} withWorkspace />
      </Form>
    </Dialog>
  )
}
