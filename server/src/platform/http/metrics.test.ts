import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

it('gauges are read concurrently, so a scrape takes as long as the slowest one', async () => {
  const metrics = createMetrics()
  const last = Promise.withResolvers<void>()
  // Read sequentially, the first would never resolve.
  metrics.gauge('first', () => last.promise.then(() => 1))
  metrics.gauge('second', () => 2)
  metrics.gauges('third', 'node', async () => {
    last.resolve()
    return new Map([['worker-1', 3]])
  })
  expect(await metrics.render()).toBe(
    [
      '# TYPE first gauge',
      'first 1',
      '# TYPE second gauge',
      'second 2',
      '# TYPE third gauge',
      'third{node="worker-1"} 3',
      '',
    ].join('\n'),
  )
})
