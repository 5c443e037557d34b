import { listWebhookDeliveries, recoverWebhookEvents } from '@whence/sdk'
import { useProfileWrite } from '../../api/profile.ts'
import { plural } from '../../format/numbers.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Resends the events that an endpoint missed since a given time, such as after an outage. */
export function RecoverDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { values, bind } = useFields({ since: '' })
  const recover = useProfileWrite(recoverWebhookEvents, [listWebhookDeliveries])
  const toast = useToast()
  const submit = () =>
    recover.mutate(
      { params: { id }, body: { since: new Date(values.since).toISOString() } },
      {
        onSuccess: ({ data }) => {
          toast(`${plural(data.enqueued, 'event')} queued`)
          onClose()
        },
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Send missed events again"
      note="Sends all matching events since then that were not delivered, up to 90 days back."
    >
      <Form action="Send events" write={recover} onSubmit={submit} onCancel={onClose}>
        <Field label="Since" type="datetime-local" {...bind('since')} required />
      </Form>
    </Dialog>
  )
}
