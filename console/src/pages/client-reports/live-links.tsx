import { type DataOf, listLiveLinks, revokeLiveLink } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { plural } from '../../format/numbers.ts'
import { dayText, instantText } from '../../format/times.ts'
import { modelNames } from '../../names/models.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NewLiveLink } from './new-live-link.tsx'
import { reportNames } from './options.ts'

type LiveLink = DataOf<typeof listLiveLinks>[number]

/** Pages with current figures that clients open without an account. */
export function LiveLinks() {
  const { workspace } = useProfileContext()
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<LiveLink | null>(null)
  const params = { workspaceId: workspace.id }
  const links = useRead(listLiveLinks, { params })
  const revoke = useWrite(revokeLiveLink, [listLiveLinks])
  const isEditor = workspace.role !== 'viewer'
  const button = isEditor ? <Button onClick={() => setCreating(true)}>New live link</Button> : null
  const isEmpty = links.data?.data.length === 0
  return (
    <Card
      title="Live links"
      note="A page for a client with your branding and the current figures. It needs no account, shows no customers and stays out of search engines."
      actions={isEmpty ? null : button}
      flush
    >
      <Loaded query={links}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="share" title="No live links yet" actions={button}>
              Give a client one address that always shows the current figures.
            </Empty>
          ) : (
            <DataTable
              label="Live links"
              columns={columnsFor(isEditor ? setRevoking : null)}
              rows={data}
              rowKey={(link) => link.id}
            />
          )
        }
      </Loaded>
      {isCreating ? <NewLiveLink onClose={() => setCreating(false)} /> : null}
      {revoking ? (
        <Confirm
          title={`Revoke “${revoking.name}”?`}
          action="Revoke"
          onClose={() => setRevoking(null)}
          onConfirm={() => revoke.mutateAsync({ params: { ...params, liveLinkId: revoking.id } })}
        >
          The link stops working immediately, for everyone.
        </Confirm>
      ) : null}
    </Card>
  )
}

const columnsFor = (onRevoke: ((link: LiveLink) => void) | null): Column<LiveLink>[] => [
  {
    id: 'name',
    label: 'Page',
    value: (link) => link.name,
    cell: (link) => (
      <>
        {link.name}
        <span className="sub">{link.profile_name}</span>
      </>
    ),
  },
  {
    id: 'reports',
    label: 'Shows',
    cell: (link) => (
      <span className="wrapped">
        {link.reports.map((report) => reportNames[report]).join(', ')}
        <span className="sub">
          {modelNames[link.model].name}, {link.language === 'es' ? 'Spanish' : 'English'}
        </span>
      </span>
    ),
  },
  {
    id: 'access',
    label: 'Access',
    cell: (link) => (
      <>
        <Badge tone={link.has_password ? 'good' : 'plain'}>
          {link.has_password ? 'Password' : 'Everyone with the link'}
        </Badge>
        <span className="sub">Until {dayText(link.expires_at.slice(0, 10), true)}</span>
      </>
    ),
  },
  {
    id: 'views',
    label: 'Views',
    value: (link) => link.views,
    cell: (link) => (
      <>
        {plural(link.views, 'view')}
        <span className="sub">
          {link.last_viewed_at === null ? 'Not opened yet' : `Last ${instantText(link.last_viewed_at)}`}
        </span>
      </>
    ),
  },
  {
    id: 'actions',
    label: 'Actions',
    cell: (link) => (
      <span className="toolbar">
        <CopyButton text={link.url} label="Copy link" />
        <a className={buttonClass({ small: true })} href={link.url} target="_blank" rel="noreferrer">
          Open<span className="sr-only"> {link.name}</span>
        </a>
        {onRevoke ? (
          <Button small onClick={() => onRevoke(link)}>
            Revoke<span className="sr-only"> {link.name}</span>
          </Button>
        ) : null}
      </span>
    ),
  },
]
