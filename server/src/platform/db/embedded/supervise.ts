/** Restarts the server whenever it exits, for as long as the service runs. */
import { statfs } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from './account.ts'
import type { Postmaster } from './postmaster.ts'

const MAX_PAUSE_MS = 30_000
/** A server that ran for this long starts again with the shortest pause. */
const STABLE_MS = 60_000
/** Two segments of the WAL. */
const MIN_FREE_BYTES = 32 * 1024 * 1024
/** Recovery replays at most `max_wal_size`, which takes minutes on a slow disk. */
const START_MS = 600_000

/** Pause before a restart: none after the first exit, then 1, 2, 4 … 30 seconds. */
export function pauseMs(restarts: number): number {
  return restarts === 0 ? 0 : Math.min(MAX_PAUSE_MS, 1000 * 2 ** (restarts - 1))
}

/** Rejects if the first start fails: the cause is then a setting or the installation. */
export async function supervise(
  start: (signal?: AbortSignal) => Promise<Postmaster>,
  { dataDir, log }: { dataDir: string; log: Log },
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  let server: Postmaster | undefined = await start()

  async function restart(restarts: number): Promise<Postmaster | undefined> {
    await delay(pauseMs(restarts), undefined, { signal: stopping.signal }).catch(() => {})
    if (stopping.signal.aborted) return undefined
    try {
      // On a full disk a start may hang in its checkpoint, even after space has been freed.
      const { bavail, bsize } = await statfs(dataDir)
      if (bavail * bsize < MIN_FREE_BYTES)
        throw new Error(`The embedded database did not start: the disk of ${dataDir} is full.`)
      return await start(AbortSignal.any([stopping.signal, AbortSignal.timeout(START_MS)]))
    } catch (cause) {
      if (!stopping.signal.aborted)
        log(`${(cause as Error).message} Next attempt in ${pauseMs(restarts + 1) / 1000} s.`)
      return undefined
    }
  }

  async function watch(): Promise<void> {
    for (let restarts = 0; !stopping.signal.aborted; restarts++) {
      const startedAt = performance.now()
      await server?.exited
      if (stopping.signal.aborted) return
      if (server !== undefined) {
        log('The embedded database exited unexpectedly: restarting it.')
        if (performance.now() - startedAt > STABLE_MS) restarts = 0
      }
      server = await restart(restarts)
    }
  }
  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      await server?.stop()
      await watching
      // Started while it was being stopped.
      await server?.stop()
    },
  }
}
