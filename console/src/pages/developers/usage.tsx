import { getApiUsage } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { percent } from '../../format/numbers.ts'
import { dayText, rangeText } from '../../format/times.ts'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'

type Row = {
  api_key_id: string
  name: string | null
  hint: string
  requests: number
  errors: number
  last_used_on: string | null
  days: { date: string; requests: number }[]
}

const columns: Column<Row>[] = [
  {
    id: 'name',
    label: 'Key',
    value: (row) => row.name ?? row.hint,
    cell: (row) => (
      <>
        {row.name ?? 'Unnamed key'}
        <code className="sub">{row.hint}</code>
      </>
    ),
  },
  {
    id: 'days',
    label: 'Per day',
    cell: (row) => (row.requests === 0 ? '–' : <Sparkline values={row.days.map((day) => day.requests)} />),
  },
  col.count('requests', 'Requests', (row) => row.requests),
  col.count('errors', 'Errors', (row) => row.errors),
  {
    id: 'rate',
    label: 'Error rate',
    number: true,
    value: (row) => share(row),
    cell: (row) => percent(share(row)),
  },
  {
    id: 'last',
    label: 'Last used',
    number: true,
    value: (row) => row.last_used_on,
    cell: (row) => (row.last_used_on ? dayText(row.last_used_on, true) : 'never'),
  },
]

function share(row: Row): number | null {
  return row.requests === 0 ? null : (row.errors / row.requests) * 100
}

export function Usage() {
  const { workspace, profile } = useProfileContext()
  const usage = useRead(getApiUsage, {
    params: { workspaceId: workspace.id },
    query: { profile_id: profile.id },
  })
  const data = usage.data?.data
  return (
    <Card
      title="Usage by key"
      note={data ? rangeText(data.date_from, data.date_to) : 'The last 30 days'}
      flush
    >
      <Loaded query={usage}>
        {({ data: { keys } }) =>
          keys.length === 0 ? (
            <Empty icon="developers" title="No requests yet">
              Calls made with this profile’s keys are counted here.
            </Empty>
          ) : (
            <DataTable
              label="Usage by key"
              columns={columns}
              rows={keys}
              rowKey={(row) => row.api_key_id}
              initialSort={{ id: 'requests', descending: true }}
            />
          )
        }
      </Loaded>
    </Card>
  )
}
