/**
 * CPU of an event request without the database, answered directly and through the framework. A percent-encoded letter
 * in the path bypasses the direct answer. Both run in turns, so that other load on the machine affects both.
 *
 *   node bench/direct.ts [rounds=8] [requests a round=4000]
 */
import { bareHttp } from './ingest-limits.ts'
import { send } from './load.ts'
import type { Result } from './sender.ts'
import { openWorld } from './world.ts'

const rounds = Number(process.argv[2] ?? 8)
const requests = Number(process.argv[3] ?? 4000)
const WARM_UP = 15_000

const world = await openWorld({ INGEST_PER_SECOND: '1000000', INGEST_BURST: '1000000' })
const yieldToEventLoop = () => new Promise(setImmediate)
world.service.ingest.add = async (_profileId, events) => {
  await yieldToEventLoop()
  return events.map(() => 'accepted')
}

/** CPU microseconds per event. */
async function measureCpu(sending: () => Promise<Result>): Promise<number> {
  const before = process.cpuUsage()
  const { events, errors } = await sending()
  const { user, system } = process.cpuUsage(before)
  if (errors > 0) throw new Error(`${errors} requests failed`)
  return (user + system) / events
}

const shape = { seconds: 60, connections: 64, batch: 1 }
const event = { ...shape, kind: 'event' as const, key: '' }
const visit = { ...shape, kind: 'collect' as const, key: world.trackingKey }
const json = { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' }
const browser = {
  'content-type': 'text/plain',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0.0.0',
}
const to = (path: string) => `${world.baseUrl}/api/${path}`
const senders: Record<string, (events: number) => Promise<Result>> = {
  'bare HTTP server': (events) =>
    bareHttp((url) => send({ ...shape, kind: 'bare', headers: {}, key: '', url, events })),
  'event, direct': (events) => send({ ...event, headers: json, url: to('v1/events'), events }),
  'event, framework': (events) => send({ ...event, headers: json, url: to('v1/%65vents'), events }),
  'collector, direct': (events) => send({ ...visit, headers: browser, url: to('tracking/collect'), events }),
  'collector, framework': (events) =>
    send({ ...visit, headers: browser, url: to('tracking/%63ollect'), events }),
}

try {
  const costs = new Map(Object.keys(senders).map((name): [string, number[]] => [name, []]))
  for (const sending of Object.values(senders)) await sending(WARM_UP)
  for (let round = 0; round < rounds; round++)
    for (const [name, sending] of Object.entries(senders))
      costs.get(name)!.push(await measureCpu(() => sending(requests)))
  for (const [name, each] of costs) {
    each.sort((a, b) => a - b)
    const at = (share: number) => `${each[Math.floor((each.length - 1) * share)]!.toFixed(0)} µs`
    console.log(`${name.padEnd(22)} least ${at(0)}, median ${at(0.5)}, most ${at(1)}`)
  }
} finally {
  await world.close()
}
