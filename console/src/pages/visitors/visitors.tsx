import { Link } from '@tanstack/react-router'
import { type DataOf, listVisitors } from '@whence/sdk'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { agoText, instantText } from '../../format/times.ts'
import { channelName, providerName } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'

type Visitor = DataOf<typeof listVisitors>[number]
type Visit = Visitor['last_visit']

/** The platform of a paid click, else the site that the visit came from. */
const sourceOf = ({ platform, referrer_host }: Visit): string | null =>
  platform === null ? referrer_host : providerName(platform)

/** Most recent visitors with source and whether they are identified. Names are not shown. */
export function Visitors() {
  const { profile } = useProfileContext()
  const visitors = usePages(listVisitors, inProfile({ query: { limit: 50 } }, profile.id))
  const columns: Column<Visitor>[] = [
    {
      id: 'visitor',
      label: 'Visitor',
      cell: (row) => (
        <>
          <Link
            to="/p/$profileId/customers/$customerId"
            params={{ profileId: profile.id, customerId: row.customer_id }}
          >
            {row.is_identified ? 'Customer' : 'Visitor'} {row.customer_id.slice(-6)}
          </Link>
          <span className="sub">{agoText(row.last_visit.occurred_at)}</span>
        </>
      ),
    },
    {
      id: 'known',
      label: 'Status',
      phone: 'lead',
      cell: (row) => (
        <Badge tone={row.is_identified ? 'good' : 'plain'}>
          {row.is_identified ? 'Identified' : 'Anonymous'}
        </Badge>
      ),
    },
    {
      id: 'from',
      label: 'Came from',
      phone: 'half',
      value: (row) => row.last_visit.channel,
      cell: ({ last_visit }) => (
        <>
          {channelName(last_visit.channel)}
          {sourceOf(last_visit) === null ? null : <span className="sub">{sourceOf(last_visit)}</span>}
        </>
      ),
    },
    {
      id: 'ad',
      label: 'Campaign',
      phone: 'half',
      cell: ({ last_visit: { campaign, ad } }) =>
        campaign === null ? (
          'No ad'
        ) : (
          <>
            <Link
              to="/p/$profileId/campaigns"
              params={{ profileId: profile.id }}
              search={(before) => ({ ...before, campaign: campaign.id })}
            >
              {campaign.name ?? campaign.platform_id}
            </Link>
            {ad === null ? null : <span className="sub">{ad.name ?? ad.platform_id}</span>}
          </>
        ),
    },
    {
      id: 'page',
      label: 'Landing page',
      phone: 'half',
      cell: ({ last_visit }) => <span className="wrapped">{last_visit.landing_path ?? '–'}</span>,
    },
    {
      id: 'at',
      label: 'Last visit',
      phone: 'half',
      value: (row) => row.last_visit.occurred_at,
      cell: (row) => instantText(row.last_visit.occurred_at, profile.timezone),
    },
  ]
  return (
    <Page
      title="Visitors"
      note="Each browser or account once, with its last visit. Open one to see the whole journey. Names are shown only on the customer’s page."
    >
      <Card title="Most recently recorded first" flush>
        <PagedTable
          label="Visitors"
          query={visitors}
          columns={columns}
          rowKey={(row) => row.identifier_id}
          empty={
            <Empty icon="visitors" title="No visitors yet">
              Install the tracking script. The first visit appears here within seconds.
            </Empty>
          }
          linked
          cards
        />
      </Card>
    </Page>
  )
}
