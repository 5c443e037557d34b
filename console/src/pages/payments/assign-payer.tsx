import { listPayments, setPayer } from '@whence/server/features/payments/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileWrite } from '../../api/profile.ts'
import { money } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Payment } from './payment-list.tsx'

type Kind = 'email' | 'phone' | 'customer_id'

const kinds: { value: Kind; label: string }[] = [
  { value: 'email', label: 'Email' },
  { value: 'phone', label: 'Phone' },
  { value: 'customer_id', label: 'Customer id' },
]

/** Says who paid, so that the payment finds the person's journey. */
export function AssignPayer({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const [kind, setKind] = useState<Kind>('email')
  const [value, setValue] = useState('')
  const assign = useProfileWrite(setPayer, [listPayments])
  const toast = useToast()
  const send = (body: { email: string } | { phone: string } | { customer_id: string | null }) =>
    assign.mutate(
      { params: { payment_id: payment.payment_id }, body },
      {
        onSuccess: () => {
          toast('Payer saved')
          onClose()
        },
      },
    )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (kind === 'email') send({ email: value })
    else if (kind === 'phone') send({ phone: value })
    else send({ customer_id: value })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Assign the payer"
      note={`Who paid ${money(payment.value, payment.currency)}? Credit follows the person’s journey.`}
    >
      <form className="form" onSubmit={submit}>
        {assign.isError ? <Notice tone="bad">{messageOf(assign.error)}</Notice> : null}
        <div className="form-row">
          <Choice
            label="Known by"
            value={kind}
            onChange={(event) => setKind(event.target.value as Kind)}
            options={kinds}
          />
          <Field
            label={kinds.find((one) => one.value === kind)!.label}
            type={kind === 'email' ? 'email' : 'text'}
            value={value}
            onChange={(event) => setValue(event.target.value)}
            required
          />
        </div>
        <div className="form-actions">
          {payment.payer?.assigned ? (
            <Button kind="quiet" onClick={() => send({ customer_id: null })}>
              Take the assignment back
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={assign.isPending}>
            Assign
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
