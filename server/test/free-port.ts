/** Ports for services that need their own address before they listen, for links and the sandboxes. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the kernel's ephemeral ports, so that the port of a killed service stays free for its restart. */
const FIRST = 12_000
const COUNT = 20_000
let next = randomInt(COUNT)

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT)
    if (await isFree(port)) return port
  }
}

/** Retries, because another process may take the port before the service listens on it. */
export async function onFreePort<T>(listen: (port: number) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await listen(await freePort())
    } catch (cause) {
      if ((cause as { code?: string }).code !== 'EADDRINUSE') throw cause
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  if (listens) await new Promise((resolve) => server.close(resolve))
  return listens
}
