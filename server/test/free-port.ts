/** Ports for services that have to know their own address before they listen: links and the sandboxes carry it. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below those that the kernel gives out by itself, so that a service that was killed finds its own free again. */
const FIRST = 12_000
const COUNT = 20_000
let next = randomInt(COUNT)

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT)
    if (await isFree(port)) return port
  }
}

/** Between being found free and being listened on, a port may become somebody else's. */
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
