import { Link } from '@tanstack/react-router'
import { listConversations } from '@whence/sdk'
import { useState } from 'react'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { ageText } from '../../format/times.ts'
import { providerName } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { customerName } from '../customers/customer-name.ts'
import { replyMinutes, type Shown } from './reply-state.ts'

const channels = ['all', 'chatapp', 'photoapp', 'pagechat'] as const
type Channel = (typeof channels)[number]

export const writerName = ({ contact, customer_id, id }: Pick<Shown, 'contact' | 'customer_id' | 'id'>) =>
  customerName({ contact, customer_id: customer_id ?? id })

export const adName = ({ referral }: Pick<Shown, 'referral'>): string | null =>
  referral?.ad_name ?? (referral?.ad_id ? `Ad ${referral.ad_id}` : null)

/** People who wrote, with the ad they came from, time to the first reply and outcome. */
export function Conversations() {
  const { profile } = useProfileContext()
  const [channel, setChannel] = useState<Channel>('all')
  const conversations = usePages(
    listConversations,
    inProfile({ query: { limit: 50, ...(channel === 'all' ? {} : { channel }) } }, profile.id),
  )
  const columns: Column<Shown>[] = [
    {
      id: 'person',
      label: 'Person',
      value: writerName,
      cell: (row) => (
        <>
          <Link
            to="/p/$profileId/conversations/$conversationId"
            params={{ profileId: profile.id, conversationId: row.id }}
          >
            {writerName(row)}
          </Link>
          <span className="sub">{providerName(row.channel)}</span>
        </>
      ),
    },
    {
      id: 'ad',
      label: 'Came from',
      phone: 'half',
      value: (row) => adName(row) ?? '',
      cell: (row) => <span className="wrapped">{adName(row) ?? 'No ad'}</span>,
    },
    { ...col.count('messages', 'Messages', (row: Shown) => row.messages), phone: 'hidden' },
    {
      id: 'reply',
      label: 'First reply',
      phone: 'half',
      number: true,
      value: (row) => replyMinutes(row) ?? Number.MAX_SAFE_INTEGER,
      cell: (row) => <FirstReply row={row} />,
    },
    {
      id: 'outcome',
      label: 'Outcome',
      phone: 'half',
      value: (row) => (row.lead_event_id === null ? 0 : 1),
      cell: (row) => (
        <>
          {row.lead_event_id === null ? null : <Badge tone="good">Lead</Badge>}{' '}
          {row.customer_id === null ? (
            'Unknown so far'
          ) : (
            <Link
              to="/p/$profileId/customers/$customerId"
              params={{ profileId: profile.id, customerId: row.customer_id }}
            >
              Journey and payments
            </Link>
          )}
        </>
      ),
    },
    {
      ...col.time('last', 'Last message', (row: Shown) => row.last_message_at, profile.timezone),
      phone: 'half',
    },
  ]
  return (
    <Page
      title="Conversations"
      note="People who wrote to a page, a photo account or a chat number. Message text is not stored. Each person you view here is recorded in the access log of personal data."
    >
      <div className="toolbar">
        <select
          className="select small"
          aria-label="Channel"
          value={channel}
          onChange={(event) => setChannel(event.target.value as Channel)}
        >
          {channels.map((value) => (
            <option key={value} value={value}>
              {value === 'all' ? 'All channels' : providerName(value)}
            </option>
          ))}
        </select>
      </div>
      <Card title="Latest message first" flush>
        <PagedTable
          label="Conversations"
          query={conversations}
          columns={columns}
          rowKey={(row) => row.id}
          linked
          cards
          empty={
            <Empty icon="message" title="No conversations yet">
              Connect Meta with the pages and numbers that your ads open. Conversations appear with the first
              message.
            </Empty>
          }
        />
      </Card>
    </Page>
  )
}

function FirstReply({ row }: { row: Shown }) {
  const minutes = replyMinutes(row)
  return minutes === null ? <Badge tone="warn">No reply</Badge> : ageText(minutes * 60)
}
