import { useSearch } from '@tanstack/react-router'
import { eraseWorkspaceCustomer, getWorkspaceErasure } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { instantText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'

export const selectorKinds = [
  { value: 'email', label: 'Email' },
  { value: 'phone', label: 'Phone' },
  { value: 'customer_id', label: 'Customer id' },
  { value: 'external_id', label: 'Your customer id' },
  { value: 'anonymous_id', label: 'Browser id' },
]
const POLL_MS = 2000

/** Erases a person from the open profile, and shows the receipt of this or an earlier erasure. */
export function Erasures() {
  const { workspace, profile } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const erase = useWrite(eraseWorkspaceCustomer)
  const { erase: requestedId } = useSearch({ from: '/p/$profileId/settings' })
  const { values, bind } = useFields(
    requestedId ? { kind: 'customer_id', value: requestedId } : { kind: 'email', value: '' },
  )
  const receiptForm = useFields({ receipt: '' })
  const [confirming, setConfirming] = useState(false)
  const [receiptId, setReceiptId] = useState<string>()
  const idle = { isPending: false, error: null }
  return (
    <Card
      title="Erase a person"
      note={`From ${profile.name}. Payments and counts are kept under an anonymous person.`}
    >
      <div className="stack">
        <Form action="Erase the person" write={idle} onSubmit={() => setConfirming(true)}>
          <div className="form-row">
            <Choice label="Find by" options={selectorKinds} {...bind('kind')} />
            <Field label="Value" {...bind('value')} required />
          </div>
        </Form>
        <Form
          action="Show receipt"
          write={idle}
          onSubmit={() => setReceiptId(receiptForm.values.receipt.trim())}
        >
          <Field
            label="Receipt of an earlier erasure"
            hint="The id from the erasure’s receipt."
            {...receiptForm.bind('receipt')}
            required
          />
        </Form>
        {receiptId ? <Receipt key={receiptId} workspaceId={workspace.id} erasureId={receiptId} /> : null}
      </div>
      {confirming ? (
        <Confirm
          title="Erase this person?"
          action="Erase permanently"
          onConfirm={async () => {
            const { data } = await erase.mutateAsync({
              params,
              body: { profile_id: profile.id, [values.kind]: values.value },
            })
            setReceiptId(data.erasure_id)
          }}
          onClose={() => setConfirming(false)}
        >
          Their name, email, phone and every identifier are removed. This cannot be undone.
        </Confirm>
      ) : null}
    </Card>
  )
}

function Receipt({ workspaceId, erasureId }: { workspaceId: string; erasureId: string }) {
  const [isDone, setDone] = useState(false)
  const receipt = useRead(
    getWorkspaceErasure,
    { params: { workspaceId, erasure_id: erasureId } },
    { every: isDone ? false : POLL_MS },
  )
  const completed = receipt.data?.data.status === 'completed'
  if (completed !== isDone) setDone(completed)
  return (
    <Loaded query={receipt}>
      {({ data }) => (
        <dl className="pairs">
          <dt>Receipt</dt>
          <dd>
            <code>{data.erasure_id}</code>{' '}
            <Badge tone={completed ? 'good' : 'warn'}>{completed ? 'Completed' : 'In progress'}</Badge>
          </dd>
          <dt>Requested</dt>
          <dd>{instantText(data.requested_at)}</dd>
          <dt>Completed</dt>
          <dd>{instantText(data.completed_at)}</dd>
          <dt>Erased from</dt>
          <dd>
            {data.counts.events} events, {data.counts.touches} touches, {data.counts.conversions} conversions,{' '}
            {data.counts.payments} payments, {data.counts.identifiers} identifiers
          </dd>
        </dl>
      )}
    </Loaded>
  )
}
