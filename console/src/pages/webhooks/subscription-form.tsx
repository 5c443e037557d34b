import {
  createWebhookSubscription,
  listWebhookSubscriptions,
} from '@whence/server/features/webhooks/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileWrite } from '../../api/profile.ts'
import { providerName } from '../../names/providers.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ShowSecret } from '../developers/show-secret.tsx'

const { events: knownEvents, providers: knownProviders } = createWebhookSubscription.body!.shape
const subscribableEvents = knownEvents.element.options
const subscribableProviders = knownProviders.element.options
type EventType = (typeof subscribableEvents)[number]
type EventProvider = (typeof subscribableProviders)[number]

const firstEvents: EventType[] = ['outcome.recorded', 'connection.reconnect_required', 'connection.revoked']

export function SubscriptionForm({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<EventType[]>(firstEvents)
  const [providers, setProviders] = useState<EventProvider[]>([...subscribableProviders])
  const create = useProfileWrite(createWebhookSubscription, [listWebhookSubscriptions])
  if (create.data)
    return (
      <ShowSecret title="Signing secret" secret={create.data.data.secret} onClose={onClose}>
        Verify every message with it: the headers follow Standard Webhooks.
      </ShowSecret>
    )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    create.mutate({ body: { url, events, providers } })
  }
  return (
    <Dialog open onClose={onClose} title="New subscription" wide>
      <form className="form" onSubmit={submit}>
        {create.isError ? <Notice tone="bad">{messageOf(create.error)}</Notice> : null}
        <Field
          label="Address"
          hint="HTTPS, reachable from the internet. Redirects count as failures."
          type="url"
          placeholder="https://hooks.example.com/whence"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          required
        />
        <Several label="Events" options={subscribableEvents} chosen={events} onChange={setEvents} />
        <Several
          label="Providers"
          hint="Lifecycle events come from the service itself: Platform."
          options={subscribableProviders}
          chosen={providers}
          onChange={setProviders}
          name={providerName}
        />
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            busy={create.isPending}
            disabled={events.length === 0 || providers.length === 0}
          >
            Subscribe
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Several<T extends string>({
  label,
  hint,
  options,
  chosen,
  onChange,
  name = (value) => value,
}: {
  label: string
  hint?: string
  options: readonly T[]
  chosen: readonly T[]
  onChange: (chosen: T[]) => void
  name?: (value: T) => string
}) {
  const toggle = (value: T) =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      {hint ? <span className="hint">{hint}</span> : null}
      <div className="scope-grid">
        {options.map((value) => (
          <Check
            key={value}
            label={name(value)}
            checked={chosen.includes(value)}
            onChange={() => toggle(value)}
          />
        ))}
      </div>
    </fieldset>
  )
}
