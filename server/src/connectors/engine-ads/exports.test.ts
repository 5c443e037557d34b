import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { makeConversion, nobody } from '../../../test/export-conversions.ts'
import { openSession, type RunningSandbox, startSandbox } from '../../../test/sandbox-server.ts'
import type { Session } from '../connector.ts'
import { engineAds } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === engineAds)!
const target = { id: '777', testEventCode: null }
const clicks = [{ kind: 'gclid', id: 'Cj0KCQ1', seenAt: '2026-02-27T08:00:00.123Z' }]
let running: RunningSandbox
let session: Session
beforeEach(async () => {
  running = await startSandbox(spec)
  session = await openSession(spec, running)
})
afterEach(() => running.close())

test('a bad conversion fails alone, a repeated one is success and received once', async () => {
  const send = () =>
    engineAds.exportConversions!(
      session,
      target,
      [makeConversion({ eventId: 'good', clicks }), makeConversion({ eventId: 'lost', person: nobody })],
      running.clock.now,
    )
  expect((await send()).results).toMatchObject([
    { ok: true },
    { ok: false, code: 'MISSING_CLICK_ID', retryable: false },
  ])
  expect((await send()).results).toMatchObject([{ ok: true }, { ok: false }])
  expect(running.sandbox.exports()).toMatchObject([
    { orderId: 'good', gclid: 'Cj0KCQ1', conversionValue: 42 },
  ])
})
