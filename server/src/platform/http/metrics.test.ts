import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

it('gauges are read together, so that a scrape waits for the slowest one and not for their sum', async () => {
  const metrics = createMetrics()
  const last = Promise.withResolvers<void>()
  // Read one after the other, the first would wait for ever.
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
