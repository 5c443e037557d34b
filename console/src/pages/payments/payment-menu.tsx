import { deleteRefund, listPayments, setInstallment } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileWrite } from '../../api/profile.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AssignPayer } from './assign-payer.tsx'
import { payerText } from './payer-text.ts'
import type { Payment } from './payment.ts'
import { RefundDialog } from './refund-dialog.tsx'

export function PaymentMenu({ payment }: { payment: Payment }) {
  const [dialog, setDialog] = useState<'refund' | 'payer' | null>(null)
  const installment = useProfileWrite(setInstallment, [listPayments])
  const undo = useProfileWrite(deleteRefund, [listPayments])
  const toast = useToast()
  const params = { payment_id: payment.payment_id }
  const onError = (error: unknown) => toast(messageOf(error), 'bad')
  const close = () => setDialog(null)
  return (
    <>
      <Menu
        trigger={
          <Button kind="quiet" icon small aria-label={`Actions for the payment of ${payerText(payment)}`}>
            <Icon name="more" />
          </Button>
        }
      >
        <MenuItem onSelect={() => setDialog('payer')}>Assign payer</MenuItem>
        <MenuItem
          onSelect={() =>
            installment.mutate({ params, body: { is_installment: !payment.is_installment } }, { onError })
          }
        >
          {payment.is_installment ? 'Not an installment' : 'Mark as later installment'}
        </MenuItem>
        {payment.refund ? (
          <MenuItem onSelect={() => undo.mutate({ params }, { onError })}>Undo refund</MenuItem>
        ) : payment.net_value === null ? null : (
          <MenuItem onSelect={() => setDialog('refund')}>Record refund</MenuItem>
        )}
      </Menu>
      {dialog === 'refund' ? <RefundDialog payment={payment} onClose={close} /> : null}
      {dialog === 'payer' ? <AssignPayer payment={payment} onClose={close} /> : null}
    </>
  )
}
