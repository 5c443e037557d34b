import { type DataOf, listBriefReceivers, putBriefSubscription } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'
import { languageOptions } from '../client-reports/options.ts'
import { cadenceOptions, weekdayOptions } from './brief-options.ts'
import { BriefWebhooks } from './brief-webhooks.tsx'

type Subscription = DataOf<typeof listBriefReceivers>['subscriptions'][number]

/** The person's mail schedule of the brief and, for owners and admins, the chat channels that receive it. */
export function ReceiveBrief({ onClose }: { onClose: () => void }) {
  const { workspace, profile } = useProfileContext()
  const receivers = useRead(listBriefReceivers, { params: { workspaceId: workspace.id } })
  const isAdmin = workspace.role === 'owner' || workspace.role === 'admin'
  const rowsOfProfile = <T extends { profile_id: string }>(rows: readonly T[]) =>
    rows.filter((row) => row.profile_id === profile.id)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Receive briefs and alerts"
      note={`Times are in ${profile.timezone}.`}
      wide
    >
      <Loaded query={receivers}>
        {({ data }) => (
          <div className="stack">
            <ByMail subscription={rowsOfProfile(data.subscriptions)[0]} onClose={onClose} />
            {isAdmin ? <BriefWebhooks webhooks={rowsOfProfile(data.webhooks)} /> : null}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function ByMail({ subscription, onClose }: { subscription: Subscription | undefined; onClose: () => void }) {
  const { workspace, profile } = useProfileContext()
  const put = useWrite(putBriefSubscription, [listBriefReceivers])
  const toast = useToast()
  const [alerts, setAlerts] = useState(subscription?.alerts ?? true)
  const { values, bind } = useFields({
    cadence: subscription?.cadence ?? 'daily',
    weekday: String(subscription?.weekday ?? 1),
    time: subscription?.time ?? '08:00',
    language: subscription?.language ?? 'en',
  })
  const submit = () =>
    put.mutate(
      {
        params: { workspaceId: workspace.id },
        body: {
          profile_id: profile.id,
          cadence: values.cadence as Subscription['cadence'],
          weekday: Number(values.weekday),
          time: values.time,
          language: values.language as Subscription['language'],
          alerts,
        },
      },
      {
        onSuccess: ({ data }) => {
          toast(
            data.cadence !== 'never'
              ? 'You will get the brief by email'
              : data.alerts
                ? 'You will get alerts by email'
                : 'You will get no more emails',
          )
          onClose()
        },
      },
    )
  return (
    <Form action="Save" write={put} onSubmit={submit} onCancel={onClose}>
      <h3>By email</h3>
      <div className="form-row">
        <Choice label="How often" options={cadenceOptions} {...bind('cadence')} />
        {values.cadence === 'weekly' ? (
          <Choice label="Weekday" options={weekdayOptions} {...bind('weekday')} />
        ) : null}
        {values.cadence === 'never' ? null : (
          <>
            <Field label="Time" type="time" required {...bind('time')} />
            <Choice label="Language" options={languageOptions} {...bind('language')} />
          </>
        )}
      </div>
      <Check
        label="Also send me alerts"
        hint="When an alert fires or recovers."
        checked={alerts}
        onChange={(event) => setAlerts(event.target.checked)}
      />
    </Form>
  )
}
