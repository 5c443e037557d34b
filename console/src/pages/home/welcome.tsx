import { useNavigate } from '@tanstack/react-router'
import { createProfile } from '@whence/server/features/profiles/contract.ts'
import { createWorkspace, listWorkspaces } from '@whence/server/features/workspaces/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { queryClient, useRead, useWrite } from '../../api/queries.ts'
import { currencyOptions, homeTimeZone, timeZoneOptions } from '../../shell/places.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Gate } from '../access/gate.tsx'

/** The first workspace and its first profile, in one form. */
export function Welcome() {
  const [workspaceName, setWorkspaceName] = useState('')
  const [name, setName] = useState('')
  const [timezone, setTimezone] = useState(homeTimeZone())
  const [currency, setCurrency] = useState('USD')
  const isFirst = useRead(listWorkspaces).data?.data.length === 0
  const workspace = useWrite(createWorkspace)
  const profile = useWrite(createProfile)
  const navigate = useNavigate()
  const failure = workspace.error ?? profile.error

  const create = async () => {
    const made = await workspace.mutateAsync({ body: { name: workspaceName, timezone } })
    const { workspace_id } = made.data
    const { data } = await profile.mutateAsync({ body: { workspace_id, name, timezone, currency } })
    queryClient.clear()
    await navigate({ to: '/p/$profileId/overview', params: { profileId: data.profile_id } })
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // A refusal is shown from the writes themselves.
    create().catch(() => {})
  }
  return (
    <Gate
      title={isFirst ? 'Welcome' : 'New workspace'}
      note="A workspace holds people and keys; a profile is one advertised business in it."
    >
      <form className="form" onSubmit={submit}>
        {failure ? <Notice tone="bad">{messageOf(failure)}</Notice> : null}
        <Field
          label="Workspace"
          placeholder="Your company or agency"
          value={workspaceName}
          onChange={(event) => setWorkspaceName(event.target.value)}
          required
        />
        <Field
          label="Business"
          placeholder="The business whose ads you measure"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
        />
        <Choice
          label="Time zone"
          hint="Days in reports follow it."
          value={timezone}
          onChange={(event) => setTimezone(event.target.value)}
          options={timeZoneOptions()}
        />
        <Choice
          label="Currency"
          hint="Reports convert every amount to it."
          value={currency}
          onChange={(event) => setCurrency(event.target.value)}
          options={currencyOptions}
        />
        <Button type="submit" kind="primary" wide busy={workspace.isPending || profile.isPending}>
          Create
        </Button>
      </form>
    </Gate>
  )
}
