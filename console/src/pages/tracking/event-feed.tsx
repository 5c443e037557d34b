import { type DataOf, listTrackedEvents } from '@whence/sdk'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { channelName, sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'

type Event = DataOf<typeof listTrackedEvents>[number]

export function EventFeed() {
  const { profile } = useProfileContext()
  const events = usePages(listTrackedEvents, inProfile({ query: { limit: 50 } }, profile.id))
  const columns: Column<Event>[] = [
    {
      id: 'name',
      label: 'Event',
      cell: (event) => (
        <>
          {sentence(event.event_name)} {event.is_bot ? <Badge>Bot</Badge> : null}
        </>
      ),
    },
    col.time('at', 'When', (event) => event.occurred_at, profile.timezone),
    {
      id: 'source',
      label: 'Source',
      value: (event) => event.source,
      cell: (event) => sentence(event.source),
    },
    {
      id: 'channel',
      label: 'Channel',
      value: (event) => event.channel,
      cell: (event) => (event.channel ? channelName(event.channel) : '–'),
    },
    {
      id: 'page',
      label: 'Page',
      cell: (event) => <span className="clip">{event.page_url ?? '–'}</span>,
    },
  ]
  return (
    <Card
      title="Latest events"
      note="Newest first, as processed."
      actions={
        <Button small busy={events.isFetching} onClick={() => void events.refetch()}>
          <Icon name="refresh" size={15} />
          Refresh
        </Button>
      }
      flush
    >
      <PagedTable
        label="Latest events"
        query={events}
        columns={columns}
        rowKey={(event) => event.id}
        empty={
          <Empty icon="tracking" title="No events yet">
            Events appear seconds after you install the snippet or a server sends one.
          </Empty>
        }
      />
    </Card>
  )
}
