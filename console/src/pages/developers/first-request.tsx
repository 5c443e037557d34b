import { lookUpEvents } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { basePath } from '../../base-path.ts'
import { today } from '../../format/times.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { firstRequest } from './key-presets.ts'

const POLL_MS = 2000

/** A request to copy. If it sends an event, the page shows when the event arrives. */
export function FirstRequestGuide({ apiKey }: { apiKey: { key: string; scopes: readonly string[] } }) {
  const { profile } = useProfileContext()
  const [id] = useState(() => Math.random().toString(36).slice(2, 10))
  const api = `${globalThis.location.origin}${basePath}/api/v1`
  const request = firstRequest(apiKey, { api, today: today(profile.timezone), id })
  if (request === null) return null
  return (
    <>
      <h3>Your first request</h3>
      <CodeBlock text={request.text} />
      {request.idempotencyKey === null ? null : <Arrival idempotencyKey={request.idempotencyKey} />}
    </>
  )
}

function Arrival({ idempotencyKey }: { idempotencyKey: string }) {
  const [isWaiting, setWaiting] = useState(true)
  const lookup = useProfileRead(
    lookUpEvents,
    { query: { idempotency_key: idempotencyKey } },
    { every: isWaiting ? POLL_MS : false },
  ).data?.data
  const [event] = lookup?.events ?? []
  const [rejected] = lookup?.refused ?? []
  if (isWaiting && event) setWaiting(false)
  if (event)
    return (
      <Notice tone="good">
        Your first event has arrived. It is not a conversion. Next, send <code>payment_received</code> or
        another goal’s event.
      </Notice>
    )
  if (rejected) return <Notice tone="bad">The event arrived but was rejected: {rejected.message}</Notice>
  return (
    <Notice>
      Waiting for your first event. Run the request above; this message changes when it arrives.
    </Notice>
  )
}
