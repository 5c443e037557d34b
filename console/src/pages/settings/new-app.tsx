import { createOAuthApp, listOAuthApps } from '@whence/sdk'
import { grants } from '@whence/server/platform/contract/access.ts'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Form, toggled, useFields } from '../../ui/form.tsx'
import { ShowSecret } from '../developers/show-secret.tsx'

type Grant = 'connections' | 'analytics' | 'analytics_pii' | 'attribution'
const grantOptions: { value: Grant; hint: string }[] = [
  { value: 'analytics', hint: 'Reads reports without people' },
  { value: 'analytics_pii', hint: 'Reads reports and the people behind them' },
  { value: 'attribution', hint: `Reads and writes: ${grants.attribution.length} scopes` },
  { value: 'connections', hint: 'Connects accounts' },
]

export function NewApp({ onClose }: { onClose: () => void }) {
  const { workspace } = useProfileContext()
  const { values, bind } = useFields({ name: '', redirect: '' })
  const [chosen, setChosen] = useState<Grant[]>(['analytics'])
  const create = useWrite(createOAuthApp, [listOAuthApps])
  if (create.data)
    return (
      <ShowSecret
        title={`Secret of ${create.data.data.name}`}
        secret={create.data.data.client_secret}
        onClose={onClose}
      >
        The client id is <code>{create.data.data.client_id}</code>
      </ShowSecret>
    )
  const submit = () => {
    const redirect = values.redirect.trim()
    create.mutate({
      params: { workspaceId: workspace.id },
      body: {
        name: values.name,
        redirect_uris: redirect === '' ? [] : [redirect],
        allowed_scopes: chosen,
      },
    })
  }
  return (
    <Dialog open onClose={onClose} title="New partner app">
      <Form
        action="Register app"
        write={create}
        onSubmit={submit}
        onCancel={onClose}
        disabled={chosen.length === 0}
      >
        <Field label="Name" {...bind('name')} required />
        <Field
          label="Return address"
          type="url"
          placeholder="https://app.example/callback"
          {...bind('redirect')}
        />
        <fieldset className="field">
          <legend className="label">Allowed scopes</legend>
          {grantOptions.map(({ value, hint }) => (
            <Check
              key={value}
              label={value}
              hint={hint}
              checked={chosen.includes(value)}
              onChange={() => setChosen(toggled(chosen, value))}
            />
          ))}
        </fieldset>
      </Form>
    </Dialog>
  )
}
