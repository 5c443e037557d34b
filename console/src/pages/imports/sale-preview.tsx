import { instantText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import type { Sale } from './sales-csv.ts'

export type Outcome = { status: 'accepted' | 'updated' | 'unchanged' | 'refused'; message: string | null }

const statusTexts = {
  accepted: 'Added',
  updated: 'Changed',
  unchanged: 'Unchanged',
  refused: 'Rejected',
} as const

export function outcomeText(outcomes: readonly Outcome[]): string {
  const count = (status: Outcome['status']) => outcomes.filter((outcome) => outcome.status === status).length
  return `${count('accepted')} added, ${count('updated')} changed, ${count('unchanged')} unchanged, ${count('refused')} rejected.`
}

/** Columns of the preview; after the import they also show each row's result. */
export function saleColumns(timeZone: string, outcomes: ReadonlyMap<number, Outcome>): Column<Sale>[] {
  return [
    {
      id: 'line',
      label: 'Line',
      cell: (sale) => <LineStatus sale={sale} outcome={outcomes.get(sale.line)} />,
    },
    {
      id: 'when',
      label: 'When',
      cell: ({ event, values }) => (event ? instantText(event.timestamp, timeZone) : (values.date ?? '–')),
    },
    {
      id: 'amount',
      label: 'Amount',
      number: true,
      cell: ({ event, values }) =>
        event?.properties.value === undefined
          ? (values.amount ?? '–')
          : `${event.properties.value} ${event.properties.currency}`,
    },
    { id: 'order', label: 'Order', cell: ({ values }) => values.order_id ?? '–' },
    {
      id: 'person',
      label: 'Customer',
      cell: ({ values }) => {
        const name = [values.first_name, values.last_name].filter(Boolean).join(' ')
        const [first, ...otherIdentifiers] = [name, values.email, values.phone, values.external_id].filter(
          Boolean,
        )
        return (
          <>
            {first ?? '–'}
            {otherIdentifiers.length > 0 ? <span className="sub">{otherIdentifiers.join(' · ')}</span> : null}
          </>
        )
      },
    },
    {
      id: 'ads',
      label: 'Sent to ad platforms',
      cell: ({ event }) => (event ? consentText(event.properties.consent) : '–'),
    },
  ]
}

function LineStatus({ sale, outcome }: { sale: Sale; outcome: Outcome | undefined }) {
  const why = outcome?.message ?? sale.problem ?? sale.warning
  return (
    <>
      {sale.line}{' '}
      {outcome ? (
        <Badge tone={outcome.status === 'refused' ? 'bad' : 'good'}>{statusTexts[outcome.status]}</Badge>
      ) : sale.problem ? (
        <Badge tone="bad">Left out</Badge>
      ) : sale.warning ? (
        <Badge tone="warn">No customer</Badge>
      ) : null}
      {why ? <span className="sub">{why}</span> : null}
    </>
  )
}

function consentText(consent: unknown): string {
  if (typeof consent !== 'object' || consent === null || !('ad_user_data' in consent))
    return 'By your settings'
  return consent.ad_user_data === 'granted' ? 'Yes' : 'No'
}
