/** The short version of bench/memory.ts: memory does not grow with the number of requests. */
import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from './make.ts'
import { useService } from './memory-load.ts'
import { slopeOf } from './slope.ts'

vi.setConfig({ testTimeout: 240_000 })
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const TURNS = 30
/** Compiled code and filling caches cause 300 at first and under 100 later; a leaked request causes over 1000. */
const MAX_BYTES_PER_REQUEST = 400

let app: TestApp
let key: string
beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app)
  const profileId = await makeProfile(owner, await makeWorkspace(owner))
  key = await makeKey(app, profileId, [
    'events:write',
    'campaigns:read',
    'conversions:read',
    'connections:read',
  ])
  app.service.processor.start()
})
afterAll(() => app.close())

async function bytesPerRequest(rounds: number, warmUp: number, keep: () => void = () => {}): Promise<number> {
  const points: [number, number][] = []
  let requests = 0
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < TURNS; turn++) {
      const requestCount = await useService(app.baseUrl, key)
      for (let at = 0; at < requestCount; at++) keep()
      requests += requestCount
    }
    collect()
    collect()
    if (round >= warmUp) points.push([requests, process.memoryUsage().heapUsed])
  }
  return slopeOf(points)
}

/** A leak shows in every measurement; late compilation and filling caches only in some. */
it('answered requests leak no memory', async () => {
  let least = await bytesPerRequest(12, 6)
  for (let retry = 0; retry < 3 && least >= MAX_BYTES_PER_REQUEST; retry++)
    least = Math.min(least, await bytesPerRequest(6, 0))
  expect(least).toBeLessThan(MAX_BYTES_PER_REQUEST)
})

it('a leak is detected', async () => {
  const leaked: string[] = []
  const grows = await bytesPerRequest(5, 1, () => leaked.push(randomBytes(500).toString('hex')))
  expect(leaked.length).toBeGreaterThan(0)
  expect(grows).toBeGreaterThan(MAX_BYTES_PER_REQUEST)
})
