import { grants } from '@whence/server/contract/access.ts'
import { createOAuthApp, listOAuthApps } from '@whence/server/features/apps/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { usePlace } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ShowSecret } from '../developers/show-secret.tsx'

type Grant = 'connections' | 'analytics' | 'analytics_pii' | 'attribution'
const offered: { value: Grant; hint: string }[] = [
  { value: 'analytics', hint: 'Reads reports, no person' },
  { value: 'analytics_pii', hint: 'Reads reports and the people behind them' },
  { value: 'attribution', hint: `Reads and writes: ${grants.attribution.length} scopes` },
  { value: 'connections', hint: 'Connects accounts' },
]

export function NewApp({ onClose }: { onClose: () => void }) {
  const { workspace } = usePlace()
  const [name, setName] = useState('')
  const [redirect, setRedirect] = useState('')
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
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const redirects = redirect.trim() === '' ? [] : [redirect.trim()]
    create.mutate({
      params: { workspaceId: workspace.id },
      body: { name, redirect_uris: redirects, allowed_scopes: chosen },
    })
  }
  const toggle = (grant: Grant) =>
    setChosen(chosen.includes(grant) ? chosen.filter((one) => one !== grant) : [...chosen, grant])
  return (
    <Dialog open onClose={onClose} title="New partner app">
      <form className="form" onSubmit={submit}>
        {create.isError ? <Notice tone="bad">{messageOf(create.error)}</Notice> : null}
        <Field label="Name" value={name} onChange={(event) => setName(event.target.value)} required />
        <Field
          label="Return address"
          type="url"
          placeholder="https://app.example/callback"
          value={redirect}
          onChange={(event) => setRedirect(event.target.value)}
        />
        <fieldset className="field">
          <legend className="label">May ask for</legend>
          {offered.map(({ value, hint }) => (
            <Check
              key={value}
              label={value}
              hint={hint}
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
            />
          ))}
        </fieldset>
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending} disabled={chosen.length === 0}>
            Register app
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
