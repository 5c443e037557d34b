/**
 * A closed-loop sender on bare sockets: each connection sends one request at a time, for some seconds. It runs in a
 * separate process and costs a few microseconds per request, so that the service is measured. Started by load.ts.
 */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { makeEvent, makeSeriesEvent, makeSeriesVisit, makeVisit, type Series } from './traffic.ts'

export type Load = {
  url: string
  headers: Record<string, string>
  kind: 'event' | 'collect' | 'batch' | 'bare'
  seconds: number
  /** Stops after this many events, if the time is not over before. */
  events?: number
  connections: number
  batch: number
  key: string
  /** Sends the events of this series instead of random events. */
  series?: Series
}
export type Result = {
  requests: number
  events: number
  seconds: number
  p50: number
  p95: number
  p99: number
  errors: number
  cpuSeconds: number
}

process.once('message', async (message) => {
  const load = message as Load
  const perRequest = load.kind === 'batch' ? load.batch : 1
  const times: number[] = []
  let errors = 0
  let remaining = Math.ceil((load.events ?? Number.POSITIVE_INFINITY) / perRequest)
  const makeBody = makeBodies(load)
  const { hostname, port, pathname } = new URL(load.url)
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    ...Object.entries(load.headers).map(([name, value]) => `${name}: ${value}`),
    'content-length: ',
  ].join('\r\n')
  const started = performance.now()
  const end = started + load.seconds * 1000
  const next = (): string | undefined => {
    if (performance.now() >= end || remaining-- <= 0) return undefined
    const body = makeBody()
    return `${head}${body.length}\r\n\r\n${body}`
  }
  const onResponse = (status: number, ms: number) => {
    if (status !== 202) errors += 1
    times.push(ms)
  }
  const target = { host: hostname, port: Number(port) }
  await Promise.all(
    Array.from({ length: load.connections }, () => sendOnConnection(target, next, onResponse)),
  )
  const seconds = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0
  const { user, system } = process.cpuUsage()
  const result: Result = {
    requests: times.length,
    events: times.length * perRequest,
    seconds,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    errors,
    cpuSeconds: (user + system) / 1e6,
  }
  process.send?.(result)
  process.disconnect?.()
})

/** Sends one request after the other on one connection until `next` returns none. Requests are ASCII. */
function sendOnConnection(
  target: { host: string; port: number },
  next: () => string | undefined,
  onResponse: (status: number, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let response = ''
    const send = () => {
      const request = next()
      if (request === undefined) {
        socket.destroy()
        resolve()
        return
      }
      sentAt = performance.now()
      socket.write(request, 'latin1')
    }
    const bytes = Buffer.alloc(64 * 1024)
    const onRead = (count: number) => {
      response += bytes.toString('latin1', 0, count)
      if (!isComplete(response)) return true
      onResponse(Number(response.slice(9, 12)), performance.now() - sentAt)
      response = ''
      send()
      return true
    }
    // Reading into one buffer avoids the stream and a buffer per response.
    const onread = { buffer: bytes, callback: onRead }
    const socket = connect({ ...target, noDelay: true, onread }, send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection.')))
  })
}

/** Whether a response with a content length has been received completely. */
function isComplete(response: string): boolean {
  const headEnd = response.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /content-length: (\d+)/i.exec(response)
  return response.length >= headEnd + 4 + Number(length?.[1] ?? 0)
}

function makeBodies(load: Load): () => string {
  const prefix = randomBytes(8).toString('hex')
  let count = 0
  const { series } = load
  const event = () =>
    series === undefined ? makeEvent(`${prefix}-${count++}`) : makeSeriesEvent(series, count++)
  const visit = () => (series === undefined ? makeVisit() : makeSeriesVisit(series, count++))
  switch (load.kind) {
    case 'bare':
    case 'event':
      return () => JSON.stringify(event())
    case 'batch':
      return () => JSON.stringify({ events: Array.from({ length: load.batch }, event) })
    case 'collect':
      return () => JSON.stringify({ key: load.key, events: [visit()] })
  }
}
