import { Link } from '@tanstack/react-router'
import { type DataOf, repairIdentity, scanIdentityRepairs } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { count, plural } from '../../format/numbers.ts'
import { sentence } from '../../names/providers.ts'
import { countryOptions } from '../../shell/place-fields.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Stat } from '../../ui/stat.tsx'
import { useToast } from '../../ui/toast.tsx'

type Scan = DataOf<typeof scanIdentityRepairs>
type Row = Scan['profiles'][number]['backfills'][number] & { customer_id: string }

const POLL_MS = 1000

/** Emails and phone numbers in an unusable format, with their corrected values. */
export function Repair() {
  const { profile } = useProfileContext()
  const [country, setCountry] = useState('')
  const [confirming, setConfirming] = useState(false)
  const [isFilling, setFilling] = useState(false)
  const body = country === '' ? {} : { country }
  const scan = useProfileRead(
    scanIdentityRepairs,
    { query: { ...body, limit: 200 } },
    { keep: true, every: isFilling ? POLL_MS : false },
  )
  if (isFilling && scan.data?.data.auto_repairable_count === 0) setFilling(false)
  const repair = useProfileWrite(repairIdentity, [scanIdentityRepairs])
  const toast = useToast()
  const columns: Column<Row>[] = [
    {
      id: 'customer',
      label: 'Customer',
      cell: (row) => (
        <Link
          to="/p/$profileId/customers/$customerId"
          params={{ profileId: profile.id, customerId: row.customer_id }}
        >
          Customer {row.customer_id.slice(-6)}
        </Link>
      ),
    },
    { id: 'kind', label: 'Missing', cell: (row) => sentence(row.kind) },
    { id: 'value', label: 'Corrected value', cell: (row) => row.value ?? 'Hidden from you' },
    {
      id: 'status',
      label: '',
      cell: (row) =>
        row.status === 'taken' ? (
          <Link
            to="/p/$profileId/identity"
            params={{ profileId: profile.id }}
            search={(before) => ({ ...before, tab: 'merge' })}
          >
            Belongs to another customer: merge them
          </Link>
        ) : (
          <Badge tone="good">Can be filled in</Badge>
        ),
    },
  ]
  return (
    <Loaded query={scan}>
      {({ data }) => (
        <>
          <dl className="grid-stats">
            <Stat label="Customers" value={count(data.customers)} detail="with more than a browser id" />
            <Stat label="Without an email" value={count(data.missing_email_count)} />
            <Stat label="Without a phone" value={count(data.missing_phone_count)} />
            <Stat
              label="Shared"
              title="Groups of customers that share an email or a phone"
              value={count(data.duplicate_email_groups + data.duplicate_phone_groups)}
              detail="emails and phones of several customers"
            />
          </dl>
          <Card
            title="Repair"
            note="Emails and phone numbers in an unusable format, such as “Ana <ana@example.com>”."
            actions={
              data.auto_repairable_count === 0 ? null : (
                <Button kind="primary" busy={isFilling} onClick={() => setConfirming(true)}>
                  Fill in {count(data.auto_repairable_count)}
                </Button>
              )
            }
            flush
          >
            <div className="report-filters">
              <Choice
                label="Phones without a country code are from"
                options={[{ value: '', label: 'Unknown: leave as they are' }, ...countryOptions]}
                value={country}
                onChange={(event) => setCountry(event.target.value)}
              />
            </div>
            {data.profiles.length === 0 ? (
              <Empty icon="check" title="No email or phone can be filled in" />
            ) : (
              <DataTable
                label="Repairs"
                columns={columns}
                rows={data.profiles.flatMap(({ customer_id, backfills }) =>
                  backfills.map((backfill) => ({ customer_id, ...backfill })),
                )}
                rowKey={(row) => `${row.customer_id} ${row.kind}`}
              />
            )}
          </Card>
          {confirming ? (
            <Confirm
              title={`Fill in ${plural(data.auto_repairable_count, 'email or phone', 'emails and phones')}?`}
              action="Fill in"
              onConfirm={async () => {
                const done = await repair.mutateAsync({ body: { ...body, apply: true } })
                toast(`${count(done.data.written)} filled in`)
                // The correction is an event, which is processed asynchronously.
                setFilling(true)
              }}
              onClose={() => setConfirming(false)}
            >
              Each is written as a separate event. No customers are merged.
            </Confirm>
          ) : null}
        </>
      )}
    </Loaded>
  )
}
