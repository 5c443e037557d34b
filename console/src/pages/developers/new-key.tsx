import { defaultKeyScopes, type Scope } from '@whence/server/contract/access.ts'
import { createApiKey, listApiKeys } from '@whence/server/features/api-keys/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { usePlace } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { ShowSecret } from './show-secret.tsx'

export function NewKey({ onClose }: { onClose: () => void }) {
  const { workspace, profile } = usePlace()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>([...defaultKeyScopes])
  const create = useWrite(createApiKey, [listApiKeys])
  if (create.data)
    return (
      <ShowSecret title={`Key ${create.data.data.name}`} secret={create.data.data.key} onClose={onClose}>
        Send it as <code>Authorization: Bearer …</code>
      </ShowSecret>
    )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    create.mutate({
      params: { workspaceId: workspace.id },
      body: { profile_id: profile.id, name, scopes: scopes.filter((scope) => scope !== 'workspaces:write') },
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="New API key"
      note={`It reaches ${profile.name} and nothing else.`}
      wide
    >
      <form className="form" onSubmit={submit}>
        {create.isError ? <Notice tone="bad">{messageOf(create.error)}</Notice> : null}
        <Field
          label="Name"
          placeholder="Where it will be used"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
        />
        <ScopePicker chosen={scopes} onChange={setScopes} />
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending} disabled={scopes.length === 0}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
