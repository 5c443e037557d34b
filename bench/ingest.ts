/**
 * Durable ingest: events a second through the whole HTTP path, each answered after its commit,
 * and how long the pipeline needs after the last one. Two limits are measured in the same run:
 * a bare HTTP server on this machine, and the database's own group commit of the same rows.
 *
 *   node bench/ingest.ts [seconds=8] [connections=64]
 */

import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openWorld } from './world.ts'

const seconds = Number(process.argv[2] ?? 8)
const connections = Number(process.argv[3] ?? 64)

type Load = {
  url: string
  headers: Record<string, string>
  kind: 'event' | 'collect' | 'batch' | 'bare'
  seconds: number
  connections: number
  key: string
}
type Result = {
  requests: number
  events: number
  seconds: number
  p50: number
  p95: number
  p99: number
  errors: number
}

/** The sender runs in a process of its own, so that it does not share the service's thread. */
function send(load: Load): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./sender.ts', import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.on('message', (message) => resolve(message as Result))
    child.on('error', reject)
    child.send(load)
  })
}

function report(name: string, result: Result, limit?: number): void {
  const rate = result.events / result.seconds
  const ratio = limit === undefined ? '' : `  ${(rate / limit).toFixed(2)} of the bare limit`
  console.log(
    `${name.padEnd(28)} ${Math.round(rate).toLocaleString('en').padStart(8)}/s  p50 ${result.p50.toFixed(1)} ms  p95 ${result.p95.toFixed(1)} ms  p99 ${result.p99.toFixed(1)} ms  errors ${result.errors}${ratio}`,
  )
}

const bare = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(202).end('{}'))
})
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`
const bareResult = await send({
  url: bareUrl,
  headers: {},
  kind: 'bare',
  seconds: Math.min(3, seconds),
  connections,
  key: '',
})
bare.close()
report('bare HTTP server', bareResult)
const limit = bareResult.events / bareResult.seconds

const world = await openWorld({ INGEST_PER_SECOND: '1000000', INGEST_BURST: '1000000' })
try {
  const headers = { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' }
  const base = world.baseUrl
  for (const [name, url, kind] of [
    ['POST /events', `${base}/api/v1/events`, 'event'],
    ['POST /api/tracking/collect', `${base}/api/tracking/collect`, 'collect'],
    ['POST /events/batch (100)', `${base}/api/v1/events/batch`, 'batch'],
  ] as const) {
    const result = await send({
      url,
      headers,
      kind,
      seconds,
      connections: kind === 'batch' ? 8 : connections,
      key: world.trackingKey,
    })
    report(name, result, limit)
    const started = performance.now()
    await world.service.processor.settled(world.profileId)
    console.log(
      `${''.padEnd(28)} pipeline empty ${((performance.now() - started) / 1000).toFixed(2)} s after the last event`,
    )
  }
} finally {
  await world.close()
}
