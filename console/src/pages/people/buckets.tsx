import type { DataOf, listAdPeople } from '@whence/sdk'
import { count } from '../../format/numbers.ts'
import { dayText, rangeText } from '../../format/times.ts'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'

type Data = DataOf<typeof listAdPeople>
type Bucket = Data['buckets'][number]

const titles = { day: 'By day', month: 'By month', ad: 'By ad' } as const

/** Columns that are shown only if they have values. */
const optional: { id: string; label: string; select: (row: Bucket) => number | null }[] = [
  {
    id: 'conversation',
    label: 'Conversations',
    select: (row) => row.by_origin.conversation_referral.people,
  },
  {
    id: 'platform',
    label: 'Conversations (platform)',
    select: (row) => row.meta_messaging_conversations_started,
  },
]

export function Buckets({
  buckets,
  group,
  note,
}: {
  buckets: readonly Bucket[]
  group: Data['group_by']
  note: string | undefined
}) {
  const hasValues = (select: (row: Bucket) => number | null) => buckets.some((row) => (select(row) ?? 0) > 0)
  const columns: Column<Bucket>[] = [
    {
      id: 'key',
      label: group === 'ad' ? 'Ad' : 'Days',
      value: (row) => (group === 'ad' ? (row.ad_name ?? row.key) : row.start),
      cell: (row) =>
        group === 'ad'
          ? (row.ad_name ?? row.ad_id ?? row.key)
          : group === 'day'
            ? dayText(row.start, true)
            : rangeText(row.start, row.end),
    },
    col.count('people', 'People', (row) => row.ad_people),
    col.count('touches', 'Touches', (row) => row.ad_touches),
    col.count('web', 'Website visit', (row) => row.by_origin.web.people),
    ...optional
      .filter(({ select }) => hasValues(select))
      .map(({ select, ...column }) => ({
        ...column,
        number: true,
        value: select,
        cell: (row: Bucket) => count(select(row)),
      })),
  ]
  return (
    <Card title={titles[group]} note={note} flush>
      <DataTable
        label={`People ${titles[group].toLowerCase()}`}
        columns={columns}
        rows={buckets}
        rowKey={(row) => row.key}
        initialSort={{ id: group === 'ad' ? 'people' : 'key', descending: true }}
      />
    </Card>
  )
}
