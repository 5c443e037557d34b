import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type CustomerSort, customerSortValues, type DataOf, listCustomers } from '@whence/sdk'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { count, NONE } from '../../format/numbers.ts'
import { dayText, instantText, today } from '../../format/times.ts'
import { channelName } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FindBox } from '../../ui/find-box.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { customerName, customerReach } from './customer-name.ts'

type Customer = DataOf<typeof listCustomers>[number]

const orderNames: Record<CustomerSort, string> = {
  last_conversion: 'Latest conversions first',
  revenue: 'By revenue',
  last_seen: 'By last visit',
  first_channel: 'By first channel',
}

/** Customers, searchable; by default the latest conversions first. */
export function Customers() {
  const { profile } = useProfileContext()
  const { find, sort, up } = useSearch({ from: '/p/$profileId/customers' })
  const navigate = useNavigate({ from: '/p/$profileId/customers' })
  const sortedBy = customerSortValues.find((value) => value === sort) ?? 'last_conversion'
  const customers = usePages(
    listCustomers,
    inProfile(
      {
        query: {
          limit: 50,
          sort: sortedBy,
          order: up ? 'asc' : 'desc',
          ...(find ? { search: find } : {}),
        },
      },
      profile.id,
    ),
  )
  const columns: Column<Customer>[] = [
    {
      id: 'name',
      label: 'Customer',
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
    { ...col.money('revenue', 'Revenue', (row: Customer) => row.revenue, profile.currency), phone: 'lead' },
    {
      id: 'payments',
      label: 'Payments',
      number: true,
      cell: (row) => count(row.payments),
    },
    {
      id: 'conversions',
      label: 'Conversions',
      number: true,
      cell: (row) => count(row.conversions),
    },
    {
      id: 'first_channel',
      label: 'First channel',
      title: 'The channel of the first visit',
      value: (row) => row.first_channel,
      cell: (row) => (row.first_channel === null ? '–' : channelName(row.first_channel)),
    },
    {
      id: 'first',
      label: 'First seen',
      cell: (row) => <Day at={row.first_seen_at} />,
    },
    {
      id: 'last_seen',
      label: 'Last seen',
      value: (row) => row.last_seen_at,
      cell: (row) => <Day at={row.last_seen_at} />,
    },
    {
      id: 'last_conversion',
      label: 'Last conversion',
      value: (row) => row.last_conversion_at,
      cell: (row) => <Day at={row.last_conversion_at} />,
    },
  ]
  return (
    <Page title="Customers" note="Every customer you open is recorded in the access log for personal data.">
      <FindBox
        label="Find a customer"
        placeholder="Name, email, phone, order, amount or id"
        value={find}
        onFind={(text) => void navigate({ search: (before) => ({ ...before, find: text }) })}
      />
      <Card title={find ? `Results for “${find}”` : orderNames[sortedBy]} flush>
        <PagedTable
          label="Customers"
          query={customers}
          columns={columns}
          rowKey={(row) => row.customer_id}
          sort={{ id: sortedBy, descending: !up }}
          onSort={({ id, descending }) =>
            void navigate({
              search: (before) => ({ ...before, sort: id, up: descending ? undefined : true }),
            })
          }
          linked
          cards
          empty={
            find ? (
              <Empty icon="people" title="No customer found">
                Search for names by the start of a word. Enter emails, phones, orders and ids in full, and
                amounts as paid, such as 129.90.
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

/** The day, with the time as a tooltip, so that all columns fit. */
function Day({ at }: { at: string | null }) {
  const { timezone } = useProfileContext().profile
  if (at === null) return NONE
  return (
    <time dateTime={at} title={instantText(at, timezone)}>
      {dayText(today(timezone, new Date(at)), true)}
    </time>
  )
}
