import { type DataOf, listOperatorActions } from '@whence/sdk'
import { useRead } from '../../api/queries.ts'
import { instantText } from '../../format/times.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { kindNames } from './problem-kinds.ts'

type Action = DataOf<typeof listOperatorActions>[number]

const columns: Column<Action>[] = [
  {
    id: 'action',
    label: 'Action',
    cell: (row) => `${row.action === 'retry' ? 'Retried' : 'Dropped'} · ${kindNames[row.kind]}`,
  },
  { id: 'reason', label: 'Reason', cell: (row) => row.reason ?? '–' },
  { id: 'by', label: 'By', cell: (row) => <span className="clip">{row.user_id ?? 'command line'}</span> },
  { id: 'at', label: 'When', cell: (row) => instantText(row.occurred_at) },
  { id: 'subject', label: 'Id', cell: (row) => <span className="clip">{row.subject}</span> },
]

export function OperatorLog() {
  const actions = useRead(listOperatorActions)
  return (
    <TableCard
      title="Log"
      note="The last 200 retries and drops, from this page and from the command line."
      query={actions}
      rows={({ data }) => data}
      columns={columns}
      rowKey={(row) => row.id}
      empty={() => <Empty icon="check" title="No problems retried or dropped yet" />}
    />
  )
}
