import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestClient } from '../../../../test/answers.ts'
import type { TestApp } from '../../../../test/app.ts'
import { hostileUrls } from '../../../../test/hostile-urls.ts'
import { makeKey, refusalOf, startTestProfile } from '../../../../test/make.ts'
import { ClientError } from '../../../platform/contract/client.ts'
import { createOutbound } from '../../../platform/outbound/client.ts'
import { createWebhookSubscription, testWebhookSubscription } from './contract.ts'
import { createDispatcher } from './delivery/dispatcher.ts'

let app: TestApp
let profileId: string
let call: TestClient
let connections = 0
const listener = createServer((socket) => {
  connections++
  socket.on('error', () => {}).destroy()
})

beforeAll(async () => {
  // Off, because with a sandbox this machine is an allowed target.
  ;({ app, profileId, call } = await startTestProfile(['webhooks:read', 'webhooks:write'], {
    SANDBOX: 'off',
  }))
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => listener.close(resolve))
  await app.close()
})

const subscription = (url: string) =>
  call(createWebhookSubscription, {
    body: { url, events: ['connection.connected'], providers: ['platform'] },
  })

/** Tries to create the subscription, and writes the URL to the database in any case, so that the sender is tested too. */
async function plant(url: string): Promise<{ id: string; refused: boolean }> {
  const refused = await subscription(url).then(
    () => false,
    (error: unknown) => error instanceof ClientError && error.status === 422,
  )
  const { data } = await subscription('https://hooks.example.com/')
  await app.pool.query('update webhook_subscriptions set url = $2 where id = $1', [data.id, url])
  return { id: data.id, refused }
}

it('no subscription can send to an internal address, in any spelling or by a name that resolves to one', async () => {
  const { port } = listener.address() as AddressInfo
  const publicHttp = createOutbound({
    guard: 'public',
    // DNS rebinding: every name resolves to an internal address when it is used.
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  const rebindingUrls = ['https://rebound.example/', 'https://localhost:PORT/', 'https://localhost.:PORT/']
  const urls = [...new Set([...hostileUrls, ...rebindingUrls])]
  // The plan allows a hundred subscriptions, so each is deleted after its test.
  const accepted: string[] = []
  const dispatcher = createDispatcher({ ...app.service, publicHttp }, { pollMs: 5, lookMs: 50 })
  dispatcher.start()
  try {
    for (const template of urls) {
      const url = template.replaceAll('PORT', String(port))
      const { id, refused } = await plant(url)
      if (!refused) accepted.push(template)
      await call(testWebhookSubscription, { params: { id }, body: {} })
      for (;;) {
        const { rows } = await app.pool.query(
          `select attempts, status from webhook_deliveries where subscription_id = $1`,
          [id],
        )
        if (rows[0].attempts.length === 0) continue
        expect([template, rows[0].status, rows[0].attempts[0].error]).toEqual([
          template,
          'pending',
          'blocked',
        ])
        break
      }
      await app.pool.query(`update webhook_subscriptions set deleted_at = now() where profile_id = $1`, [
        profileId,
      ])
    }
  } finally {
    await dispatcher.stop()
    await publicHttp.close()
  }
  expect(accepted).toEqual(['https://rebound.example/'])
  expect(connections).toBe(0)
})

it.each(['http://hooks.example.com/', 'http://127.0.0.1/', 'https://localhost/', 'https://api.localhost./'])(
  'outside the sandbox, creating %s is refused even if private ranges are allowed',
  async (url) => {
    const env = { SANDBOX: 'off', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
    const twin = await app.startTwin({ env })
    try {
      const twinCall = twin.as(await makeKey(twin, profileId, ['webhooks:write']))
      const body = { url, events: ['connection.connected'], providers: ['platform'] }
      expect(await refusalOf(twinCall(createWebhookSubscription, { body }))).toMatchObject({
        status: 422,
        code: 'validation_error',
      })
    } finally {
      await twin.close()
    }
  },
)
