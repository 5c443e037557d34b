import {
  createWebhookSubscription,
  listWebhookSubscriptions,
  type WebhookEventType,
  type WebhookProvider,
  webhookEventTypeValues,
  webhookProviderValues,
} from '@whence/sdk'
import { useState } from 'react'
import { useProfileWrite } from '../../api/profile.ts'
import { providerName } from '../../names/providers.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Form, toggled, useFields } from '../../ui/form.tsx'
import { ShowSecret } from '../developers/show-secret.tsx'
import { Warnings } from './warnings.tsx'

const defaultEvents: WebhookEventType[] = [
  'outcome.recorded',
  'connection.reconnect_required',
  'connection.revoked',
]

export function SubscriptionForm({ onClose }: { onClose: () => void }) {
  const { values, bind } = useFields({ url: '' })
  const [events, setEvents] = useState<WebhookEventType[]>(defaultEvents)
  const [providers, setProviders] = useState<WebhookProvider[]>([...webhookProviderValues])
  const [includesHistory, setIncludesHistory] = useState(true)
  const create = useProfileWrite(createWebhookSubscription, [listWebhookSubscriptions])
  if (create.data)
    return (
      <ShowSecret
        title="Signing secret"
        secret={create.data.data.secret}
        onClose={onClose}
        more={<Warnings of={create.data.data} />}
      >
        Use it to verify every message. The headers follow Standard Webhooks.
      </ShowSecret>
    )
  return (
    <Dialog open onClose={onClose} title="New subscription" wide>
      <Form
        action="Subscribe"
        write={create}
        onSubmit={() =>
          create.mutate({ body: { ...values, events, providers, include_history: includesHistory } })
        }
        onCancel={onClose}
        disabled={events.length === 0 || providers.length === 0}
      >
        <Field
          label="Address"
          hint="HTTPS, reachable from the internet. Redirects count as failures."
          type="url"
          placeholder="https://hooks.example.com/whence"
          {...bind('url')}
          required
        />
        <CheckGroup label="Events" options={webhookEventTypeValues} chosen={events} onChange={setEvents} />
        <CheckGroup
          label="Providers"
          hint="Connection and profile events have the provider Platform."
          options={webhookProviderValues}
          chosen={providers}
          onChange={setProviders}
          name={providerName}
        />
        <Check
          label="Include history"
          hint="Events that happened more than two days before they were recorded, mostly when a connection is read for the first time. They are sent after all others and have historical: true."
          checked={includesHistory}
          onChange={() => setIncludesHistory(!includesHistory)}
        />
      </Form>
    </Dialog>
  )
}

function CheckGroup<T extends string>({
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
            onChange={() => onChange(toggled(chosen, value))}
          />
        ))}
      </div>
    </fieldset>
  )
}
