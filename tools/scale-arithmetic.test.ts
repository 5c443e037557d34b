import { expect, it } from 'vitest'
import { scaleArithmetic } from './scale-arithmetic.ts'

const page = (workerMs: string, coordinatorMs: string) => `
- CPU of a worker for a single event: **${workerMs}** ms
- CPU of the coordinator for it: **${coordinatorMs}** ms
- Cores of a node: **16**, used to 70 %
- Disk for a raw event and its key: **0.5** kB`

it('half the cost is twice the events, and half the workers for a billion', () => {
  expect(scaleArithmetic(page('8', '0.1'))).toContain('| 1 | 1,400 | 120 million | 60 GB |')
  expect(scaleArithmetic(page('8', '0.1'))).toContain('9 workers for the average, 25 for the peak')
  expect(scaleArithmetic(page('4', '0.1'))).toContain('| 1 | 2,800 | 240 million | 120 GB |')
  expect(scaleArithmetic(page('4', '0.1'))).toContain('5 workers for the average, 13 for the peak')
})

it('the coordinator is listed separately, even at no cost', () => {
  expect(scaleArithmetic(page('8', '0.1'))).toContain('which is what 80 workers can bring it')
  expect(scaleArithmetic(page('8', '0'))).toContain('The coordinator has no part in it.')
})

it('a page that no longer names a figure is refused', () => {
  expect(() => scaleArithmetic('nothing')).toThrow('CPU of a worker for a single event')
})
