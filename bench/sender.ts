/**
 * A closed-loop sender on bare sockets: as many requests under way as connections, for some
 * seconds. It runs in a process of its own and costs a few microseconds a request, so that what is
 * measured is the service. Started by bench/ingest.ts.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { makeEvent, makeVisit } from './traffic.ts'

export type Load = {
  url: string
  headers: Record<string, string>
  kind: 'event' | 'collect' | 'batch' | 'bare'
  seconds: number
  /** Stops at this many events, if they come sooner than the time is over. */
  events?: number
  connections: number
  batch: number
  key: string
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
  const times: number[] = []
  const perRequest = load.kind === 'batch' ? load.batch : 1
  let errors = 0
  let left = Math.ceil((load.events ?? Number.POSITIVE_INFINITY) / perRequest)
  const { hostname, port, pathname } = new URL(load.url)
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    ...Object.entries(load.headers).map(([name, value]) => `${name}: ${value}`),
    'content-length: ',
  ].join('\r\n')
  const started = performance.now()
  const end = started + load.seconds * 1000
  const loop = async () => {
    const socket = await open(Number(port), hostname)
    while (performance.now() < end && left-- > 0) {
      const begun = performance.now()
      const body = bodyOf(load)
      const status = await exchange(socket, `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`)
      if (status !== 202) errors += 1
      times.push(performance.now() - begun)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: load.connections }, loop))
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

function open(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true }, () => resolve(socket))
    socket.on('error', reject)
  })
}

/** One request, answered with a content length. */
function exchange(socket: Socket, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onData = (bytes: Buffer) => {
      text += bytes.toString('latin1')
      const headEnd = text.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const length = /content-length: (\d+)/i.exec(text.slice(0, headEnd))
      if (text.length < headEnd + 4 + Number(length?.[1] ?? 0)) return
      socket.off('data', onData)
      socket.off('close', onClose)
      resolve(Number(text.slice(9, 12)))
    }
    const onClose = () => reject(new Error('The server closed the connection.'))
    socket.on('data', onData)
    socket.once('close', onClose)
    socket.write(request)
  })
}

function bodyOf(load: Load): string {
  switch (load.kind) {
    case 'bare':
    case 'event':
      return JSON.stringify(makeEvent(randomBytes(12).toString('hex')))
    case 'batch':
      return JSON.stringify({
        events: Array.from({ length: load.batch }, () => makeEvent(randomBytes(12).toString('hex'))),
      })
    case 'collect':
      return JSON.stringify({ key: load.key, events: [makeVisit()] })
  }
}
