import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { ExportConversion } from '../connector.ts'
import { exportConversions } from './exports.ts'
import { createShortvideoSandbox } from './sandbox/sandbox.ts'

const sha = (value: string) => createHash('sha256').update(value).digest('hex')
const destination = { id: 'CABC123DEF456' }

const conversion = (eventId: string, more: Partial<ExportConversion> = {}): ExportConversion => ({
  eventId,
  eventName: 'Purchase',
  occurredAt: '2026-03-01T10:00:00.500Z',
  value: { amountMinor: 12995, currency: 'USD' },
  clickIds: { ttclid: 'tt-1', gclid: 'g-1' },
  emailSha256: sha('ana@example.com'),
  phoneSha256: null,
  externalIdSha256: null,
  orderId: 'A-1',
  adjustment: 'none',
  ...more,
})

function start() {
  const { options } = sandboxOptions(() => new Date('2026-03-02T00:00:00Z'))
  const sandbox = createShortvideoSandbox(options)
  const http = sandboxOutbound(sandbox)
  return {
    sandbox,
    http,
    session: { http, app: sandboxApp('shortvideo'), token: { accessToken: 'token-1' } },
  }
}

describe('exports to shortvideo', () => {
  test('a conversion arrives with hashed identity, click id and exact value', async () => {
    const { sandbox, session } = start()
    expect(await exportConversions(session, destination, [conversion('e-1')])).toEqual([
      { eventId: 'e-1', ok: true, code: null, message: null, retryable: false },
    ])
    expect(sandbox.exports()).toEqual([
      {
        event: 'Purchase',
        event_time: 1772359200,
        event_id: 'e-1',
        user: { email: sha('ana@example.com'), ttclid: 'tt-1' },
        properties: { value: 129.95, currency: 'USD', order_id: 'A-1' },
        pixel_code: destination.id,
        received_at: '2026-03-02T00:00:00.000Z',
      },
    ])
  })

  test('sent twice counts once', async () => {
    const { sandbox, session } = start()
    await exportConversions(session, destination, [conversion('e-1')])
    await exportConversions(session, destination, [conversion('e-1')])
    expect(sandbox.exports()).toHaveLength(1)
  })

  test('one bad event does not take the good ones with it', async () => {
    const { sandbox, session } = start()
    const batch = [1, 2, 3, 4, 5].map((number) => conversion(`e-${number}`))
    batch[3] = conversion('e-4', { emailSha256: 'not a hash' })
    const results = await exportConversions(session, destination, batch)
    expect(results.filter(({ ok }) => !ok)).toMatchObject([
      { eventId: 'e-4', code: '40002', retryable: false },
    ])
    expect(sandbox.exports()).toHaveLength(4)
  })

  test('what names nobody, or changes an earlier conversion, is refused before it is sent', async () => {
    const { http, session } = start()
    const nobody = conversion('e-1', { emailSha256: null, clickIds: {} })
    const results = await exportConversions(session, destination, [
      nobody,
      conversion('e-2', { adjustment: 'retract' }),
    ])
    expect(results.map(({ code }) => code)).toEqual(['no_match_key', 'adjustment_not_supported'])
    expect(http.calls).toEqual([])
  })

  test('a failing platform is worth another try, a dead token is not', async () => {
    const { sandbox, session } = start()
    sandbox.fault({ kind: 'server_error', match: '/', times: 1 })
    expect(await exportConversions(session, destination, [conversion('e-1')])).toMatchObject([
      { ok: false, retryable: true },
    ])
    await sandbox.act('revoke', {})
    await expect(exportConversions(session, destination, [conversion('e-2')])).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })
})
