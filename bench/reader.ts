/**
 * A client that sends one GET request after the other, in a process of its own, so that neither its work nor its
 * garbage counts as the service's. `openReader` starts it.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'

type Task = { urls: string[]; headers: Record<string, string>; status: number }
/** Milliseconds of each request, and the ETag of the last answer. */
export type Reading = { times: number[]; etag?: string | undefined; error?: string }

export type Reader = {
  /** Fails on the first answer that has another status. */
  read(urls: string[], headers: Record<string, string>, status?: number): Promise<Reading>
  close(): void
}

export function openReader(): Reader {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), { execArgv: [] })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The reader ended.')))
  // Nothing waits for it after `close`.
  ended.catch(() => {})
  return {
    async read(urls, headers, status = 200) {
      child.send({ urls, headers, status } satisfies Task)
      const [reading] = (await Promise.race([once(child, 'message'), ended])) as [Reading]
      if (reading.error !== undefined) throw new Error(reading.error)
      return reading
    },
    close: () => child.disconnect(),
  }
}

async function run({ urls, headers, status }: Task, agent: Agent): Promise<Reading> {
  const times: number[] = []
  let etag: string | undefined
  for (const url of urls) {
    const begin = performance.now()
    const [reply] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage]
    const body = Buffer.concat(await reply.toArray())
    times.push(performance.now() - begin)
    if (reply.statusCode !== status) return { times, error: `${reply.statusCode} ${body}` }
    etag = reply.headers.etag
  }
  return { times, etag }
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const agent = new Agent({ keepAlive: true })
  process.on('message', async (task: Task) => {
    const reading = await run(task, agent).catch((cause) => ({ times: [], error: String(cause) }))
    process.send!(reading)
  })
  process.on('disconnect', () => process.exit())
}
