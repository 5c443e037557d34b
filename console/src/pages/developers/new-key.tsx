import { createApiKey, listApiKeys } from '@whence/server/features/account/api-keys/contract.ts'
import { defaultKeyScopes, type Scope } from '@whence/server/platform/contract/access.ts'
import { useState } from 'react'
import { usePlace } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { ShowSecret } from './show-secret.tsx'

export function NewKey({ onClose }: { onClose: () => void }) {
  const { workspace, profile } = usePlace()
  const { values, bind } = useFields({ name: '' })
  const [scopes, setScopes] = useState<Scope[]>([...defaultKeyScopes])
  const create = useWrite(createApiKey, [listApiKeys])
  if (create.data)
    return (
      <ShowSecret title={`Key ${create.data.data.name}`} secret={create.data.data.key} onClose={onClose}>
        Send it as <code>Authorization: Bearer …</code>
      </ShowSecret>
    )
  const submit = () =>
    create.mutate({
      params: { workspaceId: workspace.id },
      body: {
        profile_id: profile.id,
        ...values,
        scopes: scopes.filter((scope) => scope !== 'workspaces:write'),
      },
    })
  return (
    <Dialog
      open
      onClose={onClose}
      title="New API key"
      note={`It reaches ${profile.name} and nothing else.`}
      wide
    >
      <Form
        action="Create key"
        write={create}
        onSubmit={submit}
        onCancel={onClose}
        disabled={scopes.length === 0}
      >
        <Field label="Name" placeholder="Where it will be used" {...bind('name')} required />
        <ScopePicker chosen={scopes} onChange={setScopes} />
      </Form>
    </Dialog>
  )
}
