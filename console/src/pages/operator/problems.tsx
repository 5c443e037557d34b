import { type DataOf, listProblems, type ProblemKind } from '@whence/sdk'
import { useState } from 'react'
import { useRead } from '../../api/queries.ts'
import { ageText, instantText } from '../../format/times.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { ProblemDialog } from './problem-dialog.tsx'
import { kindNames, kindNotes } from './problem-kinds.ts'

type Problem = DataOf<typeof listProblems>[number]

const REFRESH_MS = 5000

/** Problems of one kind, oldest first. The details dialog retries or drops one. */
export function Problems({ kind }: { kind: ProblemKind }) {
  const [openId, setOpenId] = useState<string | null>(null)
  const problems = useRead(listProblems, { params: { kind }, query: {} }, { every: REFRESH_MS })
  const columns: Column<Problem>[] = [
    {
      id: 'what',
      label: 'Name',
      value: (row) => row.what,
      cell: (row) => (
        <button type="button" className="link" onClick={() => setOpenId(row.id)}>
          {row.what}
        </button>
      ),
    },
    { id: 'reason', label: 'Reason', cell: (row) => <span className="clip">{row.reason ?? '–'}</span> },
    { id: 'attempts', label: 'Attempts', number: true, cell: (row) => row.attempts ?? '–' },
    {
      id: 'age',
      label: 'Age',
      number: true,
      value: (row) => row.age_seconds,
      cell: (row) => <span title={instantText(row.since)}>{ageText(row.age_seconds)}</span>,
    },
    {
      id: 'profile',
      label: 'Profile',
      cell: (row) => <span className="clip">{row.profile_id ?? 'the whole service'}</span>,
    },
  ]
  return (
    <>
      <TableCard
        title={kindNames[kind]}
        note={kindNotes[kind]}
        query={problems}
        rows={({ data }) => data}
        columns={columns}
        rowKey={(row) => row.id}
        empty={() => <Empty icon="check" title={`No ${kindNames[kind].toLowerCase()}`} />}
      />
      {openId === null ? null : <ProblemDialog kind={kind} id={openId} onClose={() => setOpenId(null)} />}
    </>
  )
}
