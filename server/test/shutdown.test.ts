/** Graceful shutdown: requests in progress finish, but cannot delay the shutdown forever. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { Agent, fetch as send } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from './make.ts'

let app: TestApp
let authorization: string
beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app)
  const profileId = await makeProfile(owner, await makeWorkspace(owner))
  authorization = `Bearer ${await makeKey(app, profileId, ['conversions:read'])}`
})
afterAll(() => app.close())

/** Blocks every reader of the table until it is released. */
async function lock(table: string) {
  const client = await app.pool.connect()
  await client.query('begin')
  await client.query(`lock table ${table} in access exclusive mode`)
  const waiting = async () => {
    const locks = await app.pool.query(
      'select 1 from pg_locks where not granted and relation = $1::regclass',
      [table],
    )
    return locks.rowCount
  }
  return {
    hasWaiting: () => expect.poll(waiting, { timeout: 20_000 }).toBe(1),
    async release() {
      await client.query('rollback')
      client.release()
    },
  }
}

it('a request in progress is answered, and a later one on the same connection is refused', async () => {
  // Long enough for a slow machine.
  const twin = await app.startTwin({ env: { SHUTDOWN_SECONDS: '60' } })
  const dispatcher = new Agent({ connections: 1, pipelining: 2 })
  const readGoals = () => send(`${twin.baseUrl}/api/v1/goals`, { headers: { authorization }, dispatcher })
  await readGoals()
  const goals = await lock('goals')
  const underWay = readGoals()
  await goals.hasWaiting()
  const closed = twin.close()
  const after = readGoals()
  await goals.release()
  expect((await underWay).status).toBe(200)
  const refusal = await after.then(
    async (reply) => ((await reply.json()) as { error: { code: string } }).error.code,
    () => 'connection closed',
  )
  expect(['service_unavailable', 'connection closed']).toContain(refusal)
  await closed
  await expect(readGoals()).rejects.toThrow()
  await dispatcher.close()
})

it('a request that never ends is cut off after the timeout', async () => {
  const twin = await app.startTwin({ env: { SHUTDOWN_SECONDS: '1' } })
  const { port } = new URL(twin.baseUrl)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /api/v1/goals HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
  )
  const ended = once(socket.resume(), 'close')
  // Once the service answers a later request, it has read this one's headers.
  await fetch(`${twin.baseUrl}/healthz`)
  await twin.close()
  await ended
})
