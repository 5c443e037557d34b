import {
  type DataOf,
  listPhoneRepairs,
  previewPhoneRepair,
  startPhoneRepair,
  undoPhoneRepair,
} from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { count, money, plural } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Check } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { SideView } from './proposal-card.tsx'

type Preview = DataOf<typeof previewPhoneRepair>
type Person = Preview['people'][number]
type Repair = DataOf<typeof listPhoneRepairs>[number]

const POLL_MS = 1000
const statusTexts: Record<Repair['status'], string> = {
  applying: 'Splitting…',
  applied: 'Done',
  undoing: 'Undoing…',
  undone: 'Undone',
}

/** Splits customers who were merged because a phone number was parsed with the wrong country. */
export function PhoneRepairs() {
  const { profile } = useProfileContext()
  const [withUnresolved, setUnresolved] = useState(false)
  const [result, setResult] = useState<Preview | null>(null)
  const [confirming, setConfirming] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const repairs = useProfileRead(
    listPhoneRepairs,
    { query: { limit: 5 } },
    { keep: true, every: isRunning ? POLL_MS : false },
  )
  const open = repairs.data?.data.some(({ status }) => status === 'applying' || status === 'undoing') ?? false
  if (open !== isRunning && repairs.data !== undefined) setRunning(open)
  const preview = useProfileWrite(previewPhoneRepair)
  const start = useProfileWrite(startPhoneRepair, [listPhoneRepairs])
  const undo = useProfileWrite(undoPhoneRepair, [listPhoneRepairs])
  const toast = useToast()
  const body = { include_unresolved: withUnresolved }
  const runPreview = () =>
    preview.mutate(
      { body },
      {
        onSuccess: ({ data }) => setResult(data),
        onError: (error) => toast(messageOf(error), 'bad'),
      },
    )
  const columns: Column<Repair>[] = [
    { id: 'at', label: 'Started', cell: (row) => instantText(row.created_at, profile.timezone) },
    { id: 'events', label: 'Events', number: true, cell: (row) => count(row.events) },
    { id: 'status', label: 'Status', cell: (row) => statusTexts[row.status] },
    {
      id: 'undo',
      label: '',
      cell: (row) =>
        row.status === 'applied' ? (
          <Button
            small
            busy={undo.isPending}
            onClick={() =>
              undo.mutate(
                { params: { id: row.id }, body: {} },
                { onError: (error) => toast(messageOf(error), 'bad') },
              )
            }
            aria-label={`Undo the repair of ${instantText(row.created_at, profile.timezone)}`}
          >
            Undo
          </Button>
        ) : null,
    },
  ]
  const past = repairs.data?.data ?? []
  return (
    <Card
      title="Phone numbers with the wrong country"
      note="Earlier versions added a + to numbers without a country code. Different people with such a number became one customer."
      actions={
        <Button busy={preview.isPending} onClick={runPreview}>
          Find affected customers
        </Button>
      }
      flush
    >
      <div className="report-filters">
        <Check
          label="Also numbers that are invalid in their country; they then no longer identify anyone"
          checked={withUnresolved}
          onChange={(event) => {
            setUnresolved(event.target.checked)
            setResult(null)
          }}
        />
      </div>
      {result === null ? null : result.people.length === 0 ? (
        <Empty icon="check" title="No customers were merged by a misread number" />
      ) : (
        <>
          <ul className="list proposals">
            {result.people.map((person) => (
              <SplitView key={person.customer_id} person={person} />
            ))}
          </ul>
          <div className="report-filters">
            {result.truncated ? <span className="muted small">There are more than shown here.</span> : null}
            <Button kind="primary" disabled={isRunning} onClick={() => setConfirming(true)}>
              Split {plural(result.customers, 'customer')}
            </Button>
          </div>
        </>
      )}
      {past.length === 0 ? null : (
        <DataTable label="Phone repairs" columns={columns} rows={past} rowKey={(row) => row.id} />
      )}
      {confirming && result !== null ? (
        <Confirm
          title={`Split ${plural(result.customers, 'customer')}?`}
          action="Split"
          onConfirm={async () => {
            await start.mutateAsync({ body })
            setResult(null)
          }}
          onClose={() => setConfirming(false)}
        >
          {plural(result.events, 'event')} {result.events === 1 ? 'is' : 'are'} processed again, and credit
          and reports are updated. You can undo it here.
        </Confirm>
      ) : null}
    </Card>
  )
}

function SplitView({ person }: { person: Person }) {
  return (
    <li>
      <div className="sides">
        {person.parts.map((part) => (
          <div key={part.customer_id}>
            <SideView side={part} />
            <span className="sub">
              {plural(part.touches, 'visit')}, {plural(part.payments, 'payment')}
              {part.money.map(({ value, currency }) => ` · ${money(value, currency)}`)}
            </span>
          </div>
        ))}
      </div>
      <div className="evidence">
        {person.misread.map((number) => (
          <Badge key={number.event_id} tone="warn">
            {number.typed ?? 'A number'}: read as {number.read_as_country ?? 'another country'},{' '}
            {number.country === null ? 'valid nowhere' : `is ${number.country}`}
          </Badge>
        ))}
      </div>
    </li>
  )
}
