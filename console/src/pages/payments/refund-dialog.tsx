import { listPayments, recordRefund } from '@whence/server/features/payments/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileWrite } from '../../api/profile.ts'
import { money } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Payment } from './payment-list.tsx'

/** Money that went back outside the provider. */
export function RefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const [amount, setAmount] = useState(String(payment.net_value))
  const [reason, setReason] = useState('')
  const record = useProfileWrite(recordRefund, [listPayments])
  const toast = useToast()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const body = { amount, ...(reason.trim() === '' ? {} : { reason }) }
    record.mutate(
      { params: { payment_id: payment.payment_id }, body },
      {
        onSuccess: () => {
          toast('Refund recorded')
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Record a refund"
      note={`Of ${money(payment.value, payment.currency)}. No money moves: this tells the reports what you paid back.`}
    >
      <form className="form" onSubmit={submit}>
        {record.isError ? <Notice tone="bad">{messageOf(record.error)}</Notice> : null}
        <Field
          label={`Amount (${payment.currency})`}
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]+)?"
          title="A decimal number such as 12.50"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          required
        />
        <Field label="Reason" value={reason} onChange={(event) => setReason(event.target.value)} />
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={record.isPending}>
            Record refund
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
