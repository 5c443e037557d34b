import { getWebhookDelivery, listWebhookDeliveries, replayWebhookDelivery } from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { deliveryTones } from './tones.ts'

const REFRESH_MS = 2000

/** One delivery with its attempts and payload, and a button to send it again. */
export function DeliveryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const delivery = useProfileRead(getWebhookDelivery, { params: { id } }, { every: REFRESH_MS })
  const replay = useProfileWrite(replayWebhookDelivery, [listWebhookDeliveries, getWebhookDelivery])
  return (
    <Dialog open onClose={onClose} title={delivery.data?.data.event_type ?? 'Delivery'} wide>
      {replay.isError ? <Notice tone="bad">{messageOf(replay.error)}</Notice> : null}
      {replay.isSuccess ? <Notice tone="good">The same payload is being sent again.</Notice> : null}
      <Loaded query={delivery}>
        {({ data }) => (
          <div className="stack">
            <div className="toolbar">
              <Badge tone={deliveryTones[data.status]}>{sentence(data.status)}</Badge>
              {data.next_attempt_at ? (
                <span className="muted small">next attempt {instantText(data.next_attempt_at)}</span>
              ) : null}
              {data.status_reason ? (
                <span className="muted small">{sentence(data.status_reason)}</span>
              ) : null}
            </div>
            {data.attempts.length > 0 ? (
              <ol className="attempts" aria-label="Attempts">
                {data.attempts.map((attempt) => (
                  <li key={attempt.attempt}>
                    <span className="faint">#{attempt.attempt}</span>
                    <span>{instantText(attempt.at)}</span>
                    <span>{attempt.response_status ?? attempt.error ?? 'no response'}</span>
                    <span className="faint">{attempt.duration_ms} ms</span>
                  </li>
                ))}
              </ol>
            ) : (
              <p className="muted">No attempts yet.</p>
            )}
            <CodeBlock text={JSON.stringify(data.payload, null, 2)} />
            <div className="form-actions">
              <Button
                kind="primary"
                busy={replay.isPending}
                onClick={() => replay.mutate({ params: { id }, body: {} })}
              >
                <Icon name="refresh" size={16} />
                Replay
              </Button>
            </div>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
