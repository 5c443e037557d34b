import { createApiKey, listApiKeys } from '@whence/sdk'
import type { Scope } from '@whence/server/platform/contract/access.ts'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { FirstRequestGuide } from './first-request.tsx'
import { type KeyPreset, keyPresets } from './key-presets.ts'
import { ScopePicker } from './scope-picker.tsx'
import { ShowSecret } from './show-secret.tsx'

const presetOptions = (Object.keys(keyPresets) as KeyPreset[]).map((value) => ({
  value,
  label: keyPresets[value].label,
}))

export function NewKey({ onClose }: { onClose: () => void }) {
  const { workspace, profile } = useProfileContext()
  const { values, bind } = useFields({ name: '' })
  const [preset, setPreset] = useState<KeyPreset>('events')
  const [custom, setCustom] = useState<Scope[]>([...keyPresets.custom.scopes])
  const scopes: readonly Scope[] = preset === 'custom' ? custom : keyPresets[preset].scopes
  const create = useWrite(createApiKey, [listApiKeys])
  if (create.data)
    return (
      <ShowSecret
        title={`Key ${create.data.data.name}`}
        secret={create.data.data.key}
        more={<FirstRequestGuide apiKey={create.data.data} />}
        onClose={onClose}
      >
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
    <Dialog open onClose={onClose} title="New API key" note={`It can access only ${profile.name}.`} wide>
      <Form
        action="Create key"
        write={create}
        onSubmit={submit}
        onCancel={onClose}
        disabled={scopes.length === 0}
      >
        <Field label="Name" placeholder="Where it will be used" {...bind('name')} required />
        <div className="field">
          <span className="label">Purpose</span>
          <Segmented label="Purpose" value={preset} onChange={setPreset} options={presetOptions} />
        </div>
        {preset === 'custom' ? (
          <ScopePicker chosen={custom} onChange={setCustom} />
        ) : (
          <p className="sub">Scopes: {scopes.join(', ')}</p>
        )}
      </Form>
    </Dialog>
  )
}
