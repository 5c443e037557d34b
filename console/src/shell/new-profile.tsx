import { createProfile, listProfiles } from '@whence/server/features/profiles/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../api/call.ts'
import { usePlace } from '../api/profile.ts'
import { useWrite } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { currencyOptions, homeTimeZone, timeZoneOptions } from './places.ts'

/** One more business in the workspace at hand. */
export function NewProfile({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (profileId: string) => void
}) {
  const { workspace, profile } = usePlace()
  const [name, setName] = useState('')
  const [timezone, setTimezone] = useState(homeTimeZone())
  const [currency, setCurrency] = useState(profile.currency)
  const create = useWrite(createProfile, [listProfiles])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    create.mutate(
      { body: { workspace_id: workspace.id, name, timezone, currency } },
      {
        onSuccess: ({ data }) => {
          onClose()
          onCreated(data.profile_id)
        },
      },
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="New profile"
      note={`A profile is one advertised business. It will belong to ${workspace.name}.`}
    >
      <form className="form" onSubmit={submit}>
        {create.isError ? <Notice tone="bad">{messageOf(create.error)}</Notice> : null}
        <Field label="Name" value={name} onChange={(event) => setName(event.target.value)} required />
        <div className="form-row">
          <Choice
            label="Time zone"
            value={timezone}
            onChange={(event) => setTimezone(event.target.value)}
            options={timeZoneOptions()}
          />
          <Choice
            label="Currency"
            value={currency}
            onChange={(event) => setCurrency(event.target.value)}
            options={currencyOptions}
          />
        </div>
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create profile
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
