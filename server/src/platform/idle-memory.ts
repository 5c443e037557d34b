/**
 * V8 collects garbage on allocation, so an idle process keeps the garbage of its last work: 80 MB after a start,
 * 250 MB after preparing the demo. This collects once the process is idle.
 */
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_MS = 20_000
const MEGABYTE = 1024 ** 2

export type Idleness = { utilization: number; heapBytes: number; collectedBytes: number }

/**
 * A collection pauses the process for about 0.1 s, so it runs only if the process is idle and the gain is
 * sufficient.
 */
export const isWorthCollecting = ({ utilization, heapBytes, collectedBytes }: Idleness): boolean =>
  utilization < 0.05 && heapBytes > collectedBytes + 24 * MEGABYTE

/** Lowers the mark when the heap shrinks, so that the next growth is detected; 0 before the first collection. */
export const nextMark = (collectedBytes: number, heapBytes: number): number =>
  Math.min(collectedBytes, heapBytes)

export function collectWhenIdle(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void
  let lastUtilization = performance.eventLoopUtilization()
  let collectedBytes = 0
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(lastUtilization)
    lastUtilization = performance.eventLoopUtilization()
    const heapBytes = process.memoryUsage().heapTotal
    collectedBytes = nextMark(collectedBytes, heapBytes)
    if (!isWorthCollecting({ utilization, heapBytes, collectedBytes })) return
    collect({ type: 'major', flavor: 'last-resort' })
    collectedBytes = process.memoryUsage().heapTotal
  }, EVERY_MS).unref()
}
