/**
 * Memory growth under steady load: a service in a separate process, with a garbage collection before each sample.
 * Prints each sample, and the slope of those after the warm-up in bytes per hour and per request.
 *
 *   node bench/memory.ts [minutes=60] [connections=16]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { useService } from '../server/test/memory-load.ts'
import { slopeOf } from '../server/test/slope.ts'

const minutes = Number(process.argv[2] ?? 60)
const connections = Number(process.argv[3] ?? 16)
const SAMPLES = 60
const WARM_UP = 0.25
const MEGABYTE = 1024 ** 2

type Sample = { heapUsed: number; external: number; rss: number }

const server = fork(fileURLToPath(new URL('memory-server.ts', import.meta.url)), {
  execArgv: ['--expose-gc'],
})
const [{ baseUrl, apiKey }] = (await once(server, 'message')) as [{ baseUrl: string; apiKey: string }]

async function measure(): Promise<Sample> {
  server.send('measure')
  return (await once(server, 'message'))[0] as Sample
}

let requests = 0
let isOn = true
const lanes = Array.from({ length: connections }, async () => {
  while (isOn) requests += await useService(baseUrl, apiKey)
})
const startedAt = performance.now()
const samples: { hours: number; requests: number; sample: Sample }[] = []
console.log('minutes  requests  heap MB  external MB  rss MB')
for (let at = 1; at <= SAMPLES; at++) {
  await delay((minutes * 60_000) / SAMPLES)
  const sample = await measure()
  const elapsed = (performance.now() - startedAt) / 60_000
  samples.push({ hours: elapsed / 60, requests, sample })
  const cells = [sample.heapUsed, sample.external, sample.rss].map((bytes) => (bytes / MEGABYTE).toFixed(1))
  console.log([elapsed.toFixed(1), requests, ...cells].join('\t'))
}
isOn = false
await Promise.all(lanes)
server.send('stop')
await once(server, 'exit')

const steady = samples.slice(Math.floor(samples.length * WARM_UP))
for (const part of ['heapUsed', 'external', 'rss'] as const) {
  const anHour = slopeOf(steady.map(({ hours, sample }) => [hours, sample[part]]))
  const aRequest = slopeOf(steady.map(({ requests: count, sample }) => [count, sample[part]]))
  console.log(`${part}: ${(anHour / MEGABYTE).toFixed(2)} MB an hour, ${aRequest.toFixed(1)} bytes a request`)
}
