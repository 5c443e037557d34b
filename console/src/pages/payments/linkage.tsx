import { type DataOf, listPaymentLinkage } from '@whence/sdk'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { money } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { channelName, identifierName, providerName } from '../../names/providers.ts'
import { useReport } from '../../report/use-report.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { useTimes } from './use-times.ts'

type Row = DataOf<typeof listPaymentLinkage>[number]

const links: Record<Row['linkage'], { label: string; tone: Tone }> = {
  ad: { label: 'Ad known', tone: 'good' },
  ad_set: { label: 'Ad set known', tone: 'good' },
  campaign: { label: 'Campaign known', tone: 'good' },
  paid_click: { label: 'Paid click without an ad', tone: 'warn' },
  other_touch: { label: 'Other visit', tone: 'plain' },
  direct: { label: 'Direct visit', tone: 'plain' },
  no_touch: { label: 'No visit recorded', tone: 'bad' },
  not_creditable: { label: 'Goal that is not credited', tone: 'plain' },
}

/** How precisely each payment is linked to an ad. */
export function Linkage() {
  const { profile } = useProfileContext()
  const { model } = useReport()
  const times = useTimes()
  const linkage = usePages(
    listPaymentLinkage,
    inProfile({ query: { ...times, model, limit: 50 } }, profile.id),
  )
  const columns: Column<Row>[] = [
    {
      id: 'ad',
      label: 'Came through',
      value: cameThrough,
      cell: (row) => (
        <>
          {cameThrough(row)}
          <span className="sub">
            {row.campaign?.name ?? (row.touch?.platform ? providerName(row.touch.platform) : '')}
          </span>
        </>
      ),
    },
    {
      id: 'linkage',
      label: 'Linkage',
      value: (row) => row.linkage,
      cell: (row) => <Badge tone={links[row.linkage].tone}>{links[row.linkage].label}</Badge>,
    },
    {
      id: 'matched',
      label: 'Matched by',
      value: (row) => row.matched_by,
      cell: (row) => (row.matched_by ? identifierName(row.matched_by) : '–'),
    },
    {
      id: 'touched',
      label: 'Visit',
      value: (row) => row.touch?.occurred_at ?? null,
      cell: (row) => instantText(row.touch?.occurred_at, profile.timezone),
    },
    col.time('paid', 'Paid', (row) => row.occurred_at, profile.timezone),
    {
      id: 'value',
      label: 'Value',
      number: true,
      phone: 'lead',
      value: (row) => row.value,
      cell: (row) => money(row.value, row.currency),
    },
  ]
  return (
    <Card flush>
      <PagedTable
        label="How payments reached an ad"
        query={linkage}
        columns={columns}
        rowKey={(row) => row.payment_id}
        cards
        empty={<Empty icon="payments" title="No payments in these days" />}
      />
    </Card>
  )
}

function cameThrough({ ad, ad_set, campaign, touch }: Row): string {
  const entity = ad ?? ad_set ?? campaign
  return entity?.name ?? entity?.platform_id ?? (touch ? channelName(touch.channel) : 'Unknown')
}
