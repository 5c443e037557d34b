import { createBriefWebhook, type DataOf, deleteBriefWebhook, listBriefReceivers } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { instantText } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Check, Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { cadenceOptions, weekdayOptions } from './brief-options.ts'

type Webhook = DataOf<typeof listBriefReceivers>['webhooks'][number]

const kindNames = { slack: 'Slack', teams: 'Microsoft Teams' }
const kindOptions = [
  { value: 'slack', label: 'Slack, or a service compatible with its messages' },
  { value: 'teams', label: 'Microsoft Teams (workflow)' },
]
const cadenceNames = { daily: 'every day', weekly: 'every week', never: 'never' }

/** Lists, adds and removes chat channels that receive the brief. */
export function BriefWebhooks({ webhooks }: { webhooks: readonly Webhook[] }) {
  const { workspace, profile } = useProfileContext()
  const remove = useWrite(deleteBriefWebhook, [listBriefReceivers])
  const [isAdding, setAdding] = useState(false)
  return (
    <section className="stack" aria-label="Chat channels">
      <h3>To chat channels</h3>
      {remove.error ? <Notice tone="bad">{messageOf(remove.error)}</Notice> : null}
      {webhooks.length > 0 ? (
        <ul className="list">
          {webhooks.map(({ id, kind, name, host, cadence, last_sent_at, last_error, alerts }) => (
            <li key={id}>
              <span className="grow">
                <strong>{name}</strong>
                <span className="sub">
                  {kindNames[kind]} at {host}: brief {cadenceNames[cadence]}
                  {alerts ? ', alerts' : ''}
                  {last_sent_at === null ? '' : `, last sent ${instantText(last_sent_at, profile.timezone)}`}
                </span>
                {last_error === null ? null : <span className="sub delta bad">{last_error}</span>}
              </span>
              <Button
                small
                aria-label={`Remove ${name}`}
                busy={remove.isPending && remove.variables.params?.webhookId === id}
                onClick={() => remove.mutate({ params: { workspaceId: workspace.id, webhookId: id } })}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      ) : isAdding ? null : (
        <p className="sub">None yet. You can send the brief to a Slack or Microsoft Teams channel.</p>
      )}
      {isAdding ? (
        <AddChannel onDone={() => setAdding(false)} />
      ) : (
        <div>
          <Button small onClick={() => setAdding(true)}>
            Add a channel
          </Button>
        </div>
      )}
    </section>
  )
}

function AddChannel({ onDone }: { onDone: () => void }) {
  const { workspace, profile } = useProfileContext()
  const create = useWrite(createBriefWebhook, [listBriefReceivers])
  const toast = useToast()
  const [alerts, setAlerts] = useState(true)
  const { values, bind } = useFields({
    kind: 'slack',
    name: '',
    url: '',
    cadence: 'daily',
    weekday: '1',
    time: '08:00',
  })
  const submit = () =>
    create.mutate(
      {
        params: { workspaceId: workspace.id },
        body: {
          profile_id: profile.id,
          kind: values.kind as Webhook['kind'],
          name: values.name,
          url: values.url,
          cadence: values.cadence as Webhook['cadence'],
          weekday: Number(values.weekday),
          time: values.time,
          alerts,
        },
      },
      {
        onSuccess: () => {
          toast('Channel added')
          onDone()
        },
      },
    )
  return (
    <Form action="Add channel" write={create} onSubmit={submit} onCancel={onDone}>
      <div className="form-row">
        <Choice label="Service" options={kindOptions} {...bind('kind')} />
        <Field label="Name" placeholder="#marketing" required maxLength={80} {...bind('name')} />
      </div>
      <Field
        label="Webhook address"
        type="url"
        placeholder="https://"
        hint="From the settings of the channel. It is stored encrypted and not shown again."
        required
        autoComplete="off"
        {...bind('url')}
      />
      <div className="form-row">
        <Choice label="How often" options={cadenceOptions} {...bind('cadence')} />
        {values.cadence === 'weekly' ? (
          <Choice label="Weekday" options={weekdayOptions} {...bind('weekday')} />
        ) : null}
        {values.cadence === 'never' ? null : <Field label="Time" type="time" required {...bind('time')} />}
      </div>
      <Check
        label="Also send alerts"
        checked={alerts}
        onChange={(event) => setAlerts(event.target.checked)}
      />
    </Form>
  )
}
