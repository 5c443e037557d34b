import { listWebhookSubscriptions } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { EventList } from './event-list.tsx'
import { RecordedOutcomes } from './recorded-outcomes.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { SubscriptionRow } from './subscription-row.tsx'

const REFRESH_MS = 5000

export function Webhooks() {
  const [creating, setCreating] = useState(false)
  const subscriptions = useProfileRead(listWebhookSubscriptions, {}, { every: REFRESH_MS })
  const isNew = subscriptions.data?.data.length === 0
  return (
    <Page
      title="Webhooks"
      note="Signed messages to your own endpoints when something happens. Delivery is at least once: de-duplicate by the event’s id."
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          <Icon name="plus" size={16} />
          New subscription
        </Button>
      }
    >
      <Card title="Subscriptions" flush>
        <Loaded query={subscriptions}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty
                icon="webhooks"
                title="No subscriptions yet"
                actions={<Button onClick={() => setCreating(true)}>Add an address</Button>}
              >
                Your systems get a signed message for each event you choose.
              </Empty>
            ) : (
              <ul className="list">
                {data.map((subscription) => (
                  <SubscriptionRow key={subscription.id} subscription={subscription} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {isNew ? <EventList /> : null}
      <Deliveries subscriptions={subscriptions.data?.data ?? []} />
      <RecordedOutcomes />
      {isNew ? null : <EventList />}
      {creating ? <SubscriptionForm onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}
