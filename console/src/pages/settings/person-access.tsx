import { type DataOf, listMembers, listPersonAccess } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { usePages, useRead } from '../../api/queries.ts'
import { count } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'

type AccessEntry = DataOf<typeof listPersonAccess>[number]

/** Access log of personal data. */
export function PersonAccess() {
  const { workspace, profiles } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const accessLog = usePages(listPersonAccess, { params, query: { limit: 50 } })
  const members = useRead(listMembers, { params }).data?.data
  const columns: Column<AccessEntry>[] = [
    {
      id: 'who',
      label: 'Read by',
      cell: (row) =>
        members?.find(({ user_id }) => user_id === row.actor.id)?.name ?? sentence(row.actor.kind),
    },
    { id: 'what', label: 'Data', cell: (row) => sentence(row.route.replace(/^(list|get)/, '')) },
    { id: 'people', label: 'People', number: true, cell: (row) => count(row.row_count) },
    {
      id: 'profile',
      label: 'Profile',
      cell: (row) => profiles.find(({ id }) => id === row.profile_id)?.name ?? '–',
    },
    { id: 'when', label: 'When', cell: (row) => instantText(row.occurred_at) },
  ]
  return (
    <Card title="Who read people’s data" flush>
      <PagedTable
        label="Who read people’s data"
        query={accessLog}
        columns={columns}
        rowKey={(row) => row.id}
        empty={<Empty icon="people" title="No one has viewed a person’s data yet" />}
      />
    </Card>
  )
}
