/** Files, templates and numbers of the chat account, against the imitated platform. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TestClient } from '../../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { depth } from '../../../../test/length.ts'
import { makeKey, refusalOf } from '../../../../test/make.ts'
import { makeShop, moveClock, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { createChatTemplate, listChatTemplates } from '../chat-templates/contract.ts'
import { connectMessagingAccount, listMessagingAccounts } from '../messaging-accounts/contract.ts'
import { listChatNumbers, registerChatNumber, requestChatCode, uploadChatMedia } from './contract.ts'

const MB = 1024 * 1024
const DAY = 86_400
const relay = { status: 404, body: '' }
const server = createServer((_, reply) => {
  reply.statusCode = relay.status
  reply.end(relay.body)
})

let app: TestApp
let shop: Shop
let call: TestClient
let key: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  app = await startTestApp({ OTP_RELAY_URL: `http://127.0.0.1:${port}` })
  shop = await makeShop(app)
  key = await makeKey(app, shop.profileId, [
    'connections:read',
    'connections:write',
    'customers:read',
    'messages:write',
  ])
  call = app.as(key)
  expect(await refusalOf(call(listChatNumbers))).toMatchObject({ status: 409, code: 'connection_not_ready' })
  await shop.connected('social_ads')
  const chat = (await call(listMessagingAccounts)).data.find(({ channel }) => channel === 'chatapp')!
  await call(connectMessagingAccount, { body: { channel: 'chatapp', account_id: chat.account_id } })
})
afterAll(async () => {
  await app.close()
  server.close()
})
beforeEach(() => {
  Object.assign(relay, { status: 404, body: '' })
})

const act = (action: string, args: Record<string, unknown> = {}) =>
  triggerSandbox(app, 'social_ads', 'act', { action, args })

async function upload(bytes: number, type: string): Promise<{ status: number; body: Record<string, never> }> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'file.bin')
  const reply = await fetch(`${app.baseUrl}/api/v1${uploadChatMedia.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, never> }
}
const read = (mediaId: string) =>
  fetch(`${app.baseUrl}/api/v1/chatapp/media/${mediaId}`, { headers: { authorization: `Bearer ${key}` } })
const uploaded = async (bytes: number, type: string): Promise<string> =>
  ((await upload(bytes, type)).body as unknown as { data: { media_id: string } }).data.media_id

describe('media', () => {
  it('is uploaded and read back unchanged', async () => {
    const mediaId = await uploaded(1234, 'image/png')
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const reply = await read(mediaId)
    const delays = timers.mock.calls.map(([, delayMs]) => delayMs)
    timers.mockRestore()
    // 30 seconds and one per 64 kB.
    expect(delays).toContain(30_020)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toContain('image/png')
    expect(reply.headers.get('content-disposition')).toBe('attachment')
    expect((await reply.arrayBuffer()).byteLength).toBe(1234)
  })

  it('of many parts passes through complete', async () => {
    const bytes = Buffer.alloc(3 * MB)
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(at, at)
    const form = new FormData()
    form.set('note', 'comes before the file')
    form.set('file', new Blob([bytes], { type: 'application/pdf' }), 'plan "A".pdf')
    const reply = await fetch(`${app.baseUrl}/api/v1${uploadChatMedia.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    })
    const answer = (await reply.json()) as { data: { media_id: string } }
    expect([reply.status, answer]).toMatchObject([201, {}])
    const download = await read(answer.data.media_id)
    expect([download.status, download.headers.get('content-length')]).toEqual([200, String(bytes.length)])
    expect(bytes.equals(Buffer.from(await download.arrayBuffer()))).toBe(true)
  })

  it('a form with a part after its file uploads nothing, and is no failure of the platform', async () => {
    for (let time = 0; time < 6; time += 1) {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(200_000)], { type: 'image/png' }), 'a.png')
      form.set('late', 'field')
      const reply = await fetch(`${app.baseUrl}/api/v1${uploadChatMedia.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: form,
      })
      expect([reply.status, await reply.json()]).toMatchObject([400, { error: { code: 'invalid_content' } }])
    }
    expect((await upload(100, 'image/png')).status).toBe(201)
  })

  it('of a form without its last line break passes through complete', async () => {
    const bytes = 'x'.repeat(1000)
    const head = 'Content-Disposition: form-data; name="file"; filename=a.png\r\nContent-Type: image/png'
    const reply = await fetch(`${app.baseUrl}/api/v1${uploadChatMedia.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: `--b\r\n${head}\r\n\r\n${bytes}\r\n--b--`,
    })
    const { data } = (await reply.json()) as { data: { media_id: string } }
    expect(await (await read(data.media_id)).text()).toBe(bytes)
  })

  it('of a workspace passes two at a time, across all keys', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\n'
    const tail = 'bytes\r\n--b--\r\n'
    const open = async () => {
      const newKey = await makeKey(app, shop.profileId, ['messages:write'])
      const sending = request(`${app.baseUrl}/api/v1${uploadChatMedia.path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${newKey}`,
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': head.length + tail.length,
        },
      })
      sending.write(head)
      const status = once(sending, 'response').then(([reply]) => {
        ;(reply as IncomingMessage).resume()
        return (reply as IncomingMessage).statusCode
      })
      return { sending, status }
    }
    const all = await Promise.all([open(), open(), open()])
    // The two that entered wait for the rest of their files, so that the first to be answered is the third.
    expect(await Promise.race(all.map(({ status }) => status))).toBe(429)
    for (const { sending } of all) sending.end(tail)
    const statuses = await Promise.all(all.map(({ status }) => status))
    expect(statuses.sort()).toEqual([201, 201, 429])
  })

  it('retried with its key is uploaded once, another file is refused, and a refusal is not stored', async () => {
    const send = async (text: string, idempotencyKey: string, late = false) => {
      const form = new FormData()
      form.set('file', new Blob([text], { type: 'image/png' }), 'a.png')
      if (late) form.set('late', 'field')
      const reply = await fetch(`${app.baseUrl}/api/v1${uploadChatMedia.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
        body: form,
      })
      const isReplayed = reply.headers.has('idempotency-replayed')
      return { status: reply.status, isReplayed, body: await reply.json() }
    }
    const first = await send('one', 'media-1')
    expect(first).toMatchObject({ status: 201, isReplayed: false })
    expect(await send('one', 'media-1')).toEqual({ ...first, isReplayed: true })
    expect(await send('two', 'media-1')).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_key_conflict' } },
    })
    expect((await send('one', 'media-2', true)).status).toBe(400)
    expect(await send('one', 'media-2')).toMatchObject({ status: 201, isReplayed: false })
  })

  const largest: [string, number][] = [['image/jpeg', 5 * MB]]
  if (depth(0, 1) === 1) largest.push(['video/mp4', 16 * MB], ['application/pdf', 100 * MB])
  it.each(largest)('%s of exactly its limit is uploaded and read back', async (type, bytes) => {
    const { status, body } = await upload(bytes, type)
    expect(status).toBe(201)
    const { media_id: mediaId } = (body as unknown as { data: { media_id: string } }).data
    expect((await (await read(mediaId)).arrayBuffer()).byteLength).toBe(bytes)
  })

  it.each([
    ['image/jpeg', 5 * MB + 1],
    ['video/mp4', 16 * MB + 1],
    ['audio/ogg', 16 * MB + 1],
  ])('%s above its limit is refused', async (type, bytes) => {
    expect(await upload(bytes, type)).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large' } },
    })
  })

  it('must be exactly one file that is not empty', async () => {
    expect(await upload(0, 'image/png')).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_content' } },
    })
  })

  it('that was received expires after 7 days', async () => {
    const { media_id } = (await act('sent_media')) as { media_id: string }
    expect((await read(media_id)).status).toBe(200)
    await moveClock(app, 7 * DAY)
    const response = await read(media_id)
    expect([response.status, await response.json()]).toMatchObject([
      410,
      { error: { code: 'media_expired' } },
    ])
    expect((await read('1234567890')).status).toBe(410)
  })

  it('has the actual length, also if the platform describes another one', async () => {
    const { media_id } = (await act('sent_media', { size: 5000 })) as { media_id: string }
    const reply = await read(media_id)
    const announced = reply.headers.get('content-length')
    const { byteLength } = await reply.arrayBuffer()
    expect([announced, byteLength === 5000]).toEqual([String(byteLength), false])
  })

  it('of more than 100 MB is not read', async () => {
    const { media_id } = (await act('sent_media', { size: 101 * MB })) as { media_id: string }
    const reply = await read(media_id)
    expect([reply.status, await reply.json()]).toMatchObject([413, { error: { code: 'payload_too_large' } }])
  })
})

describe('a template', () => {
  const body = (fields: Record<string, unknown> = {}) => ({
    name: 'kitchen_plan',
    language: 'es',
    category: 'utility',
    components: [{ type: 'BODY', text: 'Su plan está listo.' }],
    ...fields,
  })

  it('is submitted with the uploaded file as the sample of its header, and is in the cache', async () => {
    const mediaId = await uploaded(2000, 'image/png')
    const { data } = await call(createChatTemplate, { body: body({ header_media: { media_id: mediaId } }) })
    expect(data).toMatchObject({ name: 'kitchen_plan', status: 'PENDING', category: 'UTILITY' })
    const listed = (await call(listChatTemplates, { query: { name: 'kitchen_plan', language: 'es' } })).data
    expect(listed).toMatchObject([{ id: data.id }])
  })

  it('with a header of another kind of file is refused', async () => {
    const audio = await uploaded(100, 'audio/ogg')
    expect(
      await refusalOf(call(createChatTemplate, { body: body({ header_media: { media_id: audio } }) })),
    ).toMatchObject({ status: 422, code: 'validation_error' })
    const expiredMedia = call(createChatTemplate, { body: body({ header_media: { media_id: '99' } }) })
    expect(await refusalOf(expiredMedia)).toMatchObject({ status: 410, code: 'media_expired' })
    const wrong = call(createChatTemplate, { body: body({ components: [{ type: 'SONG' }] }) })
    expect(await refusalOf(wrong)).toMatchObject({ status: 422, code: 'validation_error' })
  })
})

describe('a number', () => {
  let id: string
  beforeAll(async () => {
    const [number] = (await call(listChatNumbers)).data
    id = number!.id
    expect(number).toMatchObject({ verification: 'NOT_VERIFIED' })
  })
  const register = (body: Record<string, unknown>) =>
    call(registerChatNumber, { params: { id }, body: { pin: '123456', ...body } })

  it('is registered with the code that it received', async () => {
    await call(requestChatCode, { params: { id }, body: { method: 'sms' } })
    const { code } = (await act('otp_code')) as { code: string }
    expect(await refusalOf(register({ code: code === '000000' ? '000001' : '000000' }))).toMatchObject({
      status: 422,
      code: 'validation_error',
    })
    expect((await register({ code })).data).toEqual({ id, done: true })
    expect((await call(listChatNumbers)).data[0]).toMatchObject({ verification: 'VERIFIED' })
  })

  it('is registered with the code that the relay captured, or reports that the relay is not available', async () => {
    await act('number_verified', { on: false })
    await call(requestChatCode, { params: { id }, body: { method: 'voice' } })
    relay.status = 500
    expect(await refusalOf(register({}))).toMatchObject({
      status: 503,
      code: 'chatapp_otp_relay_unavailable',
    })
    const { code } = (await act('otp_code')) as { code: string }
    Object.assign(relay, { status: 200, body: JSON.stringify({ code }) })
    expect((await register({})).data.done).toBe(true)
  })

  it('of another account is not found', async () => {
    const other = call(registerChatNumber, { params: { id: '1' }, body: { pin: '123456' } })
    expect(await refusalOf(other)).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('has 10 attempts in 72 hours; each request is one', async () => {
    await moveClock(app, 4 * DAY)
    for (let attempt = 0; attempt < 10; attempt++) await register({})
    const refusal = await refusalOf(register({}))
    expect(refusal).toMatchObject({ status: 429, code: 'chatapp_register_limit' })
    await moveClock(app, 4 * DAY)
    expect((await register({})).data.done).toBe(true)
  })
})
