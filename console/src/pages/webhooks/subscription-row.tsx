import {
  type DataOf,
  deleteWebhookSubscription,
  listWebhookDeliveries,
  listWebhookSubscriptions,
  rotateWebhookSecret,
  testWebhookSubscription,
  updateWebhookSubscription,
} from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileWrite } from '../../api/profile.ts'
import { plural } from '../../format/numbers.ts'
import { agoText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ShowSecret } from '../developers/show-secret.tsx'
import { RecoverDialog } from './recover-dialog.tsx'
import { Warnings } from './warnings.tsx'

export type Subscription = DataOf<typeof listWebhookSubscriptions>[number]

const tones = { active: 'good', paused: 'plain', failed: 'bad' } as const

const MAX_LISTED = 3

function eventsText(events: readonly string[]): string {
  const unlisted = events.length - MAX_LISTED
  return `${events.slice(0, MAX_LISTED).join(', ')}${unlisted > 0 ? ` and ${unlisted} more` : ''}`
}

export function SubscriptionRow({ subscription }: { subscription: Subscription }) {
  const { id, url, status, status_reason, events, consecutive_failures } = subscription
  const update = useProfileWrite(updateWebhookSubscription, [listWebhookSubscriptions])
  const remove = useProfileWrite(deleteWebhookSubscription, [listWebhookSubscriptions, listWebhookDeliveries])
  const test = useProfileWrite(testWebhookSubscription, [listWebhookDeliveries])
  const rotate = useProfileWrite(rotateWebhookSecret, [listWebhookSubscriptions])
  const [secret, setSecret] = useState<string | null>(null)
  const [deleting, setDeleting] = useState(false)
  const [recovering, setRecovering] = useState(false)
  const toast = useToast()
  const onError = (error: unknown) => toast(messageOf(error), 'bad')
  const params = { id }
  const paused = status !== 'active'
  return (
    <li>
      <span className="grow">
        <strong>{url}</strong>
        <span className="sub">
          <span title={events.join(', ')}>{eventsText(events)}</span> · last delivery{' '}
          {agoText(subscription.last_delivery_at)}
          {consecutive_failures > 0 ? ` · ${plural(consecutive_failures, 'failure')} in a row` : ''}
        </span>
        {subscription.include_history ? null : <span className="sub">Without history</span>}
        <Warnings of={subscription} />
        {status_reason ? <span className="sub">{sentence(status_reason)}</span> : null}
      </span>
      <Badge tone={tones[status]}>{sentence(status)}</Badge>
      <Button
        small
        disabled={paused}
        onClick={() =>
          test.mutate({ params, body: {} }, { onSuccess: () => toast('Test event queued'), onError })
        }
      >
        Send a test
      </Button>
      <Menu
        trigger={
          <Button kind="quiet" icon aria-label={`Actions for ${url}`}>
            <Icon name="more" />
          </Button>
        }
      >
        <MenuItem
          onSelect={() =>
            update.mutate({ params, body: { status: paused ? 'active' : 'paused' } }, { onError })
          }
        >
          {paused ? 'Resume' : 'Pause'}
        </MenuItem>
        <MenuItem
          onSelect={() =>
            update.mutate({ params, body: { include_history: !subscription.include_history } }, { onError })
          }
        >
          {subscription.include_history ? 'Leave out history' : 'Include history'}
        </MenuItem>
        <MenuItem
          onSelect={() =>
            rotate.mutate({ params, body: {} }, { onSuccess: ({ data }) => setSecret(data.secret), onError })
          }
        >
          Rotate secret
        </MenuItem>
        <MenuItem onSelect={() => setRecovering(true)} disabled={paused}>
          Send missed events again
        </MenuItem>
        <MenuItem danger onSelect={() => setDeleting(true)}>
          Delete
        </MenuItem>
      </Menu>
      {secret ? (
        <ShowSecret title="New signing secret" secret={secret} onClose={() => setSecret(null)}>
          For seven days, messages are signed with both secrets.
        </ShowSecret>
      ) : null}
      {recovering ? <RecoverDialog id={id} onClose={() => setRecovering(false)} /> : null}
      {deleting ? (
        <Confirm
          title="Delete this subscription?"
          action="Delete"
          onConfirm={() => remove.mutateAsync({ params })}
          onClose={() => setDeleting(false)}
        >
          Events are no longer sent to {url}. Its past deliveries are deleted too.
        </Confirm>
      ) : null}
    </li>
  )
}
