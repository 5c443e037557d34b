/** The receiver of `webhooks.ts`, in a separate process: receives deliveries, and reads the replay. */
import { type AddressInfo, createServer, type Server } from 'node:net'
import { Client } from 'undici'
import { createSink } from './webhooks-sink.ts'

type Command = { replay: { url: string; key: string } } | { arrivals: true } | { status: true }

const arrivals = new Map<string, number>()
const { server, requests } = createSink(arrivals)
const unresponsive = createServer((socket) => socket.on('error', () => socket.destroy()).resume())

/** Returns the port. */
async function listen(listener: Server): Promise<number> {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return (listener.address() as AddressInfo).port
}

process.send!({ port: await listen(server), unresponsivePort: await listen(unresponsive) })

async function readAll(url: string, key: string): Promise<{ events: number; ms: number }> {
  const client = new Client(url)
  const start = performance.now()
  let events = 0
  let cursor = ''
  for (;;) {
    const path = `/api/v1/outcomes/recorded?limit=500${cursor && `&cursor=${cursor}`}`
    const reply = await client.request({ method: 'GET', path, headers: { authorization: `Bearer ${key}` } })
    const page = (await reply.body.json()) as {
      data: unknown[]
      pagination: { cursor: string; has_next: boolean }
    }
    if (reply.statusCode !== 200) throw new Error(JSON.stringify(page))
    events += page.data.length
    cursor = page.pagination.cursor
    if (!page.pagination.has_next) break
  }
  const ms = performance.now() - start
  await client.close()
  return { events, ms }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

process.on('message', async (command: Command) => {
  if ('replay' in command) process.send!(await readAll(command.replay.url, command.replay.key))
  else if ('status' in command) process.send!({ requests: requests(), cpu: cpuSeconds() })
  else process.send!({ arrivals: [...arrivals] })
})
process.on('disconnect', () => process.exit(0))
