import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestClient } from '../../../../test/answers.ts'
import type { TestApp } from '../../../../test/app.ts'
import { refusalOf, startTestProfile } from '../../../../test/make.ts'
import { createWebhookSubscription, updateWebhookSubscription } from './contract.ts'

let app: TestApp
let call: TestClient
beforeAll(async () => {
  ;({ app, call } = await startTestProfile(['webhooks:read', 'webhooks:write'], {
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    SANDBOX: 'on',
  }))
})
afterAll(() => app.close())

it('refuses unknown names, plain http and internal addresses', async () => {
  const body = {
    url: 'https://hooks.example.com/',
    events: ['connection.connected'],
    providers: ['platform'],
  }
  const refusalCode = async (change: Record<string, unknown>) =>
    (await refusalOf(call(createWebhookSubscription, { body: { ...body, ...change } }))).code
  expect(await refusalCode({ events: ['connection.exploded'] })).toBe('validation_error')
  expect(await refusalCode({ providers: ['unknown'] })).toBe('validation_error')
  expect(await refusalCode({ events: [] })).toBe('validation_error')
  expect(await refusalCode({ secret: 'mine' })).toBe('validation_error')
  for (const url of [
    'http://93.184.215.14/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://user:pass@hooks.example.com/',
    'ftp://hooks.example.com/',
    'hooks.example.com',
  ])
    expect([url, await refusalCode({ url })]).toEqual([url, 'validation_error'])
})

it('warns of events that the listed providers never send', async () => {
  const body = {
    url: 'https://hooks.example.com/',
    events: ['outcome.recorded', 'message.received', 'channel.health.updated'] as const,
    providers: ['hubspot', 'chatapp'] as const,
  }
  const { data } = await call(createWebhookSubscription, {
    body: { ...body, events: [...body.events], providers: [...body.providers] },
  })
  expect(data.warnings).toEqual([
    {
      event: 'outcome.recorded',
      message: expect.stringContaining('sent with the provider platform'),
    },
  ])
  const changed = await call(updateWebhookSubscription, {
    params: { id: data.id },
    body: { providers: ['platform'] },
  })
  expect(changed.data.warnings.map(({ event }) => event)).toEqual(['message.received'])
})
