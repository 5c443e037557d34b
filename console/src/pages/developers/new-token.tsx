import { defaultUserTokenScopes, type Scope } from '@whence/server/contract/access.ts'
import { createUserToken, listUserTokens } from '@whence/server/features/api-keys/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { ShowSecret } from './show-secret.tsx'

export function NewToken({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>([...defaultUserTokenScopes])
  const create = useWrite(createUserToken, [listUserTokens])
  if (create.data)
    return (
      <ShowSecret title={`Token ${create.data.data.name}`} secret={create.data.data.token} onClose={onClose}>
        Send it as <code>Authorization: Bearer …</code> and name the profile with <code>?profile_id=</code>
      </ShowSecret>
    )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    create.mutate({ body: { name, scopes } })
  }
  return (
    <Dialog open onClose={onClose} title="New user token" note="It can never do more than you can." wide>
      <form className="form" onSubmit={submit}>
        {create.isError ? <Notice tone="bad">{messageOf(create.error)}</Notice> : null}
        <Field
          label="Name"
          placeholder="Where it will be used"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
        />
        <ScopePicker chosen={scopes} onChange={setScopes} withWorkspace />
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending} disabled={scopes.length === 0}>
            Create token
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
