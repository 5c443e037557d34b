import { listPayments, setPayer } from '@whence/sdk'
import { useProfileWrite } from '../../api/profile.ts'
import { money } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Payment } from './payment.ts'

type Kind = 'email' | 'phone' | 'customer_id'

const kinds: { value: Kind; label: string; hint: string }[] = [
  { value: 'email', label: 'Email', hint: 'As entered on the site or in the CRM.' },
  { value: 'phone', label: 'Phone', hint: 'With its country code, such as +1 202 555 0123.' },
  { value: 'customer_id', label: 'Customer id', hint: 'The customer’s id in the API.' },
]

/** Assigns the payer, which links the payment to the person's journey. */
export function AssignPayer({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { values, bind } = useFields({ kind: 'email', value: '' })
  const assign = useProfileWrite(setPayer, [listPayments])
  const toast = useToast()
  const kind = kinds.find((option) => option.value === values.kind)!
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
  const submit = () => {
    const { value } = values
    if (kind.value === 'email') send({ email: value })
    else if (kind.value === 'phone') send({ phone: value })
    else send({ customer_id: value })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Assign the payer"
      note={`Who paid ${money(payment.value, payment.currency)}? Credit follows the person’s journey.`}
    >
      <Form
        action="Assign"
        write={assign}
        onSubmit={submit}
        onCancel={onClose}
        detail={
          payment.payer?.assigned ? (
            <Button kind="quiet" onClick={() => send({ customer_id: null })}>
              Remove assignment
            </Button>
          ) : null
        }
      >
        <div className="form-row">
          <Choice label="Find by" options={kinds} {...bind('kind')} />
          <Field
            label={kind.label}
            hint={kind.hint}
            type={kind.value === 'email' ? 'email' : 'text'}
            {...bind('value')}
            required
          />
        </div>
      </Form>
    </Dialog>
  )
}
