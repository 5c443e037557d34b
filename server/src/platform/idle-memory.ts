/**
 * V8 collects when something is allocated, so a process that became idle keeps what its last work left: 80 MB after a
 * start, 250 MB after the demo was prepared. This collects once the process is idle.
 */
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_MS = 20_000
const MEGABYTE = 1024 ** 2

export type Idleness = { utilization: number; heapBytes: number; collectedBytes: number }

/** A collection stops the process for about 0.1 s: only where it was idle, and where there is something to gain. */
export const isWorthCollecting = ({ utilization, heapBytes, collectedBytes }: Idleness): boolean =>
  utilization < 0.05 && heapBytes > collectedBytes + 24 * MEGABYTE

/** After a collection the mark follows a heap that shrinks, so that the next growth is seen; 0 is before the first. */
export const nextMark = (collectedBytes: number, heapBytes: number): number =>
  Math.min(collectedBytes, heapBytes)

export function collectWhenIdle(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void
  let seen = performance.eventLoopUtilization()
  let collectedBytes = 0
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(seen)
    seen = performance.eventLoopUtilization()
    const heapBytes = process.memoryUsage().heapTotal
    collectedBytes = nextMark(collectedBytes, heapBytes)
    if (!isWorthCollecting({ utilization, heapBytes, collectedBytes })) return
    collect({ type: 'major', flavor: 'last-resort' })
    collectedBytes = process.memoryUsage().heapTotal
  }, EVERY_MS).unref()
}
