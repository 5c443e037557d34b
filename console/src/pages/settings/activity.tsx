import { type DataOf, listChanges, listMembers } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { usePages, useRead } from '../../api/queries.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'

type Change = DataOf<typeof listChanges>[number]

const actors: Record<Change['actor']['kind'], string> = {
  user: 'Former member',
  app: 'A partner app',
  api_key: 'An API key',
  service: 'Whence',
}

/** Who changed what in the workspace. */
export function Activity() {
  const { workspace, profiles } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const changes = usePages(listChanges, { params, query: { limit: 50 } })
  const members = useRead(listMembers, { params }).data?.data
  const nameOf = ({ kind, id }: Change['actor']) =>
    members?.find(({ user_id }) => user_id === id)?.name ?? actors[kind]
  const columns: Column<Change>[] = [
    { id: 'what', label: 'ChangeText', cell: (row) => <ChangeText row={row} /> },
    { id: 'nameOf', label: 'By', cell: (row) => nameOf(row.actor) },
    {
      id: 'where',
      label: 'Profile',
      cell: (row) => profiles.find(({ id }) => id === row.profile_id)?.name ?? '–',
    },
    { id: 'when', label: 'When', cell: (row) => instantText(row.occurred_at) },
  ]
  return (
    <Card title="Activity" note="Changes to people, keys, apps, connections, settings and ads." flush>
      <PagedTable
        label="Activity"
        query={changes}
        columns={columns}
        rowKey={(row) => row.id}
        empty={<Empty icon="info" title="No changes yet" />}
      />
    </Card>
  )
}

/** Changes at an ad platform include the ad and the platform's response. */
function ChangeText({ row: { action, subject, detail } }: { row: Change }) {
  const { outcome, status } = detail
  const isAd = /^(campaign|ad_set|ad)\./.test(action)
  return (
    <>
      {sentence(action.replace('.', ' '))}
      {isAd ? (
        <span className="sub">
          {[subject, typeof outcome === 'string' ? sentence(outcome) : null, status]
            .filter(Boolean)
            .join(' · ')}
        </span>
      ) : null}
    </>
  )
}
