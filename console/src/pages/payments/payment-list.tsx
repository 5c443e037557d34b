import { Link, useSearch } from '@tanstack/react-router'
import { listPayments } from '@whence/sdk'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { money } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { providerName, sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { payerText } from './payer-text.ts'
import type { Payment } from './payment.ts'
import { PaymentFilter } from './payment-filter.tsx'
import { PaymentMenu } from './payment-menu.tsx'
import { useTimes } from './use-times.ts'

export function PaymentList({ status }: { status: 'all' | 'unidentified' }) {
  const { profile } = useProfileContext()
  const times = useTimes()
  const { find, min, max } = useSearch({ from: '/p/$profileId/payments' })
  const isFiltered = Boolean(find ?? min ?? max)
  const payments = usePages(
    listPayments,
    inProfile(
      {
        query: {
          ...times,
          status,
          limit: 50,
          ...(find ? { search: find } : {}),
          ...(min ? { amount_min: min } : {}),
          ...(max ? { amount_max: max } : {}),
        },
      },
      profile.id,
    ),
  )
  const columns: Column<Payment>[] = [
    {
      id: 'payer',
      label: 'Payer',
      value: (row) => payerText(row),
      cell: (row) => (
        <>
          <span className="toolbar">
            {row.payer?.contact ? (
              <Link
                to="/p/$profileId/customers/$customerId"
                params={{ profileId: profile.id, customerId: row.payer.customer_id }}
              >
                {payerText(row)}
              </Link>
            ) : (
              payerText(row)
            )}
            <Marks payment={row} />
          </span>
          <span className="sub">{instantText(row.occurred_at, profile.timezone)}</span>
        </>
      ),
    },
    {
      id: 'value',
      label: 'Paid',
      number: true,
      phone: 'lead',
      value: (row) => row.value,
      cell: (row) => money(row.value, row.currency),
    },
    {
      id: 'refunded',
      label: 'Refunded',
      number: true,
      value: (row) => row.refunded_value,
      cell: (row) => (row.refunded_value === 0 ? '' : money(-row.refunded_value, row.currency)),
    },
    {
      id: 'net',
      label: 'Net',
      number: true,
      value: (row) => row.net_value,
      cell: (row) => (row.net_value === null ? '–' : money(row.net_value, row.currency)),
    },
    {
      id: 'provider',
      label: 'Provider',
      value: (row) => row.provider,
      cell: (row) => providerName(row.provider),
    },
    {
      id: 'why',
      label: '',
      cell: (row) => (
        <Link
          to="/p/$profileId/why/$conversionId"
          params={{ profileId: profile.id, conversionId: row.payment_id }}
          search={(before) => ({ ...before, source: 'payments' })}
          aria-label={`Why: the payment of ${payerText(row)} on ${instantText(row.occurred_at, profile.timezone)}`}
        >
          Why
        </Link>
      ),
    },
    { id: 'actions', label: '', number: true, cell: (row) => <PaymentMenu payment={row} /> },
  ]
  return (
    <>
      <PaymentFilter />
      <Card flush>
        <PagedTable
          label="Payments"
          query={payments}
          columns={columns}
          rowKey={(row) => row.payment_id}
          cards
          empty={
            isFiltered ? (
              <Empty icon="search" title="No payment found in these days">
                Choose more days, or search under Customers.
              </Empty>
            ) : status === 'all' ? (
              <Empty icon="payments" title="No payments in these days">
                Connect a payment provider, or send payments with an API key.
              </Empty>
            ) : (
              <Empty icon="check" title="Every payment has a payer" />
            )
          }
        />
      </Card>
    </>
  )
}

function Marks({ payment }: { payment: Payment }) {
  const isNormal = payment.status === 'succeeded' || payment.status === 'paid'
  return (
    <>
      {payment.is_first_payment ? <Badge tone="accent">First payment</Badge> : null}
      {payment.is_installment ? <Badge>Installment</Badge> : null}
      {payment.refund ? <Badge tone="warn">Refund recorded</Badge> : null}
      {isNormal ? null : <Badge>{sentence(payment.status)}</Badge>}
    </>
  )
}
