import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { listCustomers } from '@whence/server/features/insights/customers/contract.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'
import { type SyntheticEvent, useState } from 'react'
import { inProfile, usePlace } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { count, money } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { customerName, customerReach } from './customer-name.ts'

type Customer = ReplyOf<typeof listCustomers>[number]

/** Find a person, or see who converted last. */
export function Customers() {
  const { profile } = usePlace()
  const { find } = useSearch({ from: '/p/$profileId/customers' })
  const navigate = useNavigate({ from: '/p/$profileId/customers' })
  const [typed, setTyped] = useState(find ?? '')
  const customers = usePages(
    listCustomers,
    inProfile({ query: { limit: '50', ...(find ? { search: find } : {}) } }, profile.id),
  )
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void navigate({ search: (before) => ({ ...before, find: typed.trim() || undefined }) })
  }
  const columns: Column<Customer>[] = [
    {
      id: 'name',
      label: 'Customer',
      value: (row) => customerName(row),
      cell: (row) => (
        <>
          <Link
            to="/p/$profileId/customers/$customerId"
            params={{ profileId: profile.id, customerId: row.customer_id }}
          >
            {customerName(row)}
          </Link>
          <span className="sub">{customerReach(row)}</span>
        </>
      ),
    },
    {
      id: 'revenue',
      label: 'Revenue',
      number: true,
      value: (row) => row.revenue,
      cell: (row) => money(row.revenue, profile.currency),
    },
    {
      id: 'payments',
      label: 'Payments',
      number: true,
      value: (row) => row.payments,
      cell: (row) => count(row.payments),
    },
    {
      id: 'conversions',
      label: 'Conversions',
      number: true,
      value: (row) => row.conversions,
      cell: (row) => count(row.conversions),
    },
    {
      id: 'first',
      label: 'First seen',
      value: (row) => row.first_seen_at,
      cell: (row) => instantText(row.first_seen_at, profile.timezone),
    },
    {
      id: 'last',
      label: 'Last conversion',
      value: (row) => row.last_conversion_at,
      cell: (row) => instantText(row.last_conversion_at, profile.timezone),
    },
  ]
  return (
    <Page title="Customers" note="Every customer you open is recorded in the access log for personal data.">
      <search>
        <form className="find" onSubmit={submit}>
          <input
            className="input"
            type="search"
            aria-label="Find a customer"
            placeholder="Email, phone, order or customer id"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit">Find</Button>
        </form>
      </search>
      <Card title={find ? `Found by “${find}”` : 'Latest conversions first'} flush>
        <PagedTable
          label="Customers"
          query={customers}
          columns={columns}
          rowKey={(row) => row.customer_id}
          linked
          empty={
            find ? (
              <Empty icon="people" title="No customer found">
                Type the whole email, phone, order or customer id. Parts of an address and names are not
                stored in a form that can be searched.
              </Empty>
            ) : (
              <Empty icon="people" title="No customers yet">
                Customers appear with their first lead, appointment or payment.
              </Empty>
            )
          }
        />
      </Card>
    </Page>
  )
}
