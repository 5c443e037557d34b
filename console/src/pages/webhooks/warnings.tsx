import type { DataOf, listWebhookSubscriptions } from '@whence/sdk'
import { Notice } from '../../ui/notice.tsx'

type Subscription = DataOf<typeof listWebhookSubscriptions>[number]

/** Events that never arrive, because another provider sends them. */
export function Warnings({ of: { warnings } }: { of: Pick<Subscription, 'warnings'> }) {
  return warnings.map(({ event, message }) => (
    <Notice tone="warn" key={event}>
      {message}
    </Notice>
  ))
}
