/** Sends and lists payments of a profile. */

import { listPayments } from '../src/features/corrections/payments/contract.ts'
import { sendEvent } from '../src/features/facts/events/contract.ts'
import { eventIdOf } from '../src/features/facts/events/rules.ts'
import type { Scope } from '../src/platform/contract/access.ts'
import type { Client } from '../src/platform/contract/client.ts'
import type { TestApp } from './app.ts'

export const paymentTimes = { from: '2026-05-01T00:00:00Z', to: '2026-05-31T00:00:00Z' }
export const paymentScopes: readonly Scope[] = [
  'events:write',
  'payments:read',
  'payments:write',
  'campaigns:read',
  'customers:read',
]

/** Helpers for the test's current profile. */
export function paymentsOf(now: () => { app: TestApp; profileId: string; call: Client }) {
  const settle = () => now().app.service.processor.settled(now().profileId)
  const pay = async (key: string, fields: Record<string, unknown> = {}) => {
    await now().call(sendEvent, {
      body: {
        event_name: 'payment_received',
        idempotency_key: key,
        timestamp: '2026-05-04T10:00:00Z',
        properties: { value: 100 },
        ...fields,
      },
    })
    await settle()
    return eventIdOf(now().profileId, key)
  }
  const list = async (query: Record<string, string> = {}) =>
    (await now().call(listPayments, { query: { ...paymentTimes, ...query } })).data
  return { settle, pay, list }
}
