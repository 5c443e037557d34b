import { EventInput } from '@whence/server/features/facts/events/contract.ts'
import { expect, it } from 'vitest'
import { firstRequest, keyPresets } from './key-presets.ts'

const context = { api: 'https://whence.example/api/v1', today: '2026-05-31', id: 'abc' }
const requestOf = (scopes: readonly string[]) => firstRequest({ key: 'wk_1', scopes }, context)

it('a key for sending events gets a valid event that no report counts', () => {
  const { text, idempotencyKey } = requestOf(keyPresets.events.scopes)!
  expect(text).toContain('curl -X POST https://whence.example/api/v1/events')
  expect(text).toContain('"Authorization: Bearer wk_1"')
  const body = EventInput.parse(JSON.parse(/-d '(.*)'$/.exec(text)![1]!))
  expect(body).toMatchObject({ event_name: 'identify', idempotency_key: idempotencyKey })
})

it('a key for reading gets a report request, other keys get none', () => {
  for (const preset of ['reports', 'ads'] as const)
    expect(requestOf(keyPresets[preset].scopes)).toEqual({
      text: 'curl "https://whence.example/api/v1/campaigns?date_from=2026-05-01&date_to=2026-05-31" \\\n  -H "Authorization: Bearer wk_1"',
      idempotencyKey: null,
    })
  expect(requestOf(['webhooks:read'])).toBeNull()
})
