import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toApiError } from './reply.ts'
import { mountTrackerScript } from './tracker-script.ts'

const SCRIPT = '(TIMED_IDS=>{console.log("tracker")})(!0)'
let timedIds = true
let folder: string
let app: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whence-script-'))
  app = Fastify()
  app.setErrorHandler((error, _request, reply) => reply.code(toApiError(error).status).send())
  mountTrackerScript(app, () => timedIds, join(folder, 'tracker.js'))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (headers: Record<string, string> = {}) => app.inject({ url: '/tracker.js', headers })

test('a script that is not built is not found, and is served once it is', async () => {
  expect((await get()).statusCode).toBe(404)
  await writeFile(join(folder, 'tracker.js'), SCRIPT)
  const answer = await get()
  expect([answer.statusCode, answer.body]).toEqual([200, SCRIPT])
  expect(answer.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    vary: 'accept-encoding',
  })
})

test('it is served in the best encoding that the browser accepts', async () => {
  await writeFile(join(folder, 'tracker.js'), SCRIPT)
  const br = await get({ 'accept-encoding': 'gzip, deflate, br' })
  expect([br.headers['content-encoding'], brotliDecompressSync(br.rawPayload).toString()]).toEqual([
    'br',
    SCRIPT,
  ])
  const zipped = await get({ 'accept-encoding': 'gzip, br;q=0' })
  expect([zipped.headers['content-encoding'], gunzipSync(zipped.rawPayload).toString()]).toEqual([
    'gzip',
    SCRIPT,
  ])
})

test('a browser with a cached copy gets 304', async () => {
  await writeFile(join(folder, 'tracker.js'), SCRIPT)
  const { etag } = (await get()).headers
  expect((await get({ 'if-none-match': String(etag) })).statusCode).toBe(304)
})

test('it generates random ids until every process supports ids that start with their time', async () => {
  await writeFile(join(folder, 'tracker.js'), SCRIPT)
  const { etag } = (await get()).headers
  timedIds = false
  const before = await get()
  expect(before.body).toBe(SCRIPT.replace('(!0)', '(!1)'))
  expect(before.headers.etag).not.toBe(etag)
  timedIds = true
  expect((await get()).body).toBe(SCRIPT)
})

test('the second script is served the same way', async () => {
  const second = () => app.inject({ url: '/tracker-consent.js', headers: { 'accept-encoding': 'br' } })
  expect((await second()).statusCode).toBe(404)
  await writeFile(join(folder, 'tracker-consent.js'), 'second()')
  const answer = await second()
  expect(brotliDecompressSync(answer.rawPayload).toString()).toBe('second()')
  expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', vary: 'accept-encoding' })
})
