import { listPayments, recordRefund } from '@whence/sdk'
import { useProfileWrite } from '../../api/profile.ts'
import { money } from '../../format/numbers.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Payment } from './payment.ts'

/** Records a refund that was paid outside the provider. */
export function RefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { values, bind } = useFields({ amount: String(payment.net_value ?? ''), reason: '' })
  const record = useProfileWrite(recordRefund, [listPayments])
  const toast = useToast()
  const submit = () => {
    const { amount, reason } = values
    record.mutate(
      {
        params: { payment_id: payment.payment_id },
        body: { amount, ...(reason.trim() === '' ? {} : { reason }) },
      },
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
      note={`Of ${money(payment.value, payment.currency)}. No money is transferred. This only records in reports what you refunded.`}
    >
      <Form action="Record refund" write={record} onSubmit={submit} onCancel={onClose}>
        <Field
          label={`Amount (${payment.currency})`}
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]+)?"
          title="A decimal number such as 12.50"
          {...bind('amount')}
          required
        />
        <Field label="Reason" hint="For your own records." {...bind('reason')} />
      </Form>
    </Dialog>
  )
}
