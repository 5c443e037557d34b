import { expect, it } from 'vitest'
import { until } from '../../test/until.ts'
import { createLog } from './log.ts'
import { collapseOutages } from './outage-log.ts'

const connectionRefused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

function start(isBack: () => boolean, reminderMs?: number) {
  const lines: Record<string, unknown>[] = []
  const log = collapseOutages(
    createLog('info', (line) => lines.push(JSON.parse(line))),
    async () => isBack(),
    { probeMs: 1, ...(reminderMs === undefined ? {} : { reminderMs }) },
  )
  return { lines, log }
}

it('an outage is logged once at its start and once at its end, however many errors occur', async () => {
  let isBack = false
  const { lines, log } = start(() => isBack)
  for (let at = 0; at < 260; at++) log.warn('jobs not claimed', { error: connectionRefused() })
  log.error('job is dead', { error: connectionRefused() })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ level: 'warn', error: 'connect ECONNREFUSED' })
  expect(lines[0]!.message).toContain('database unavailable: jobs not claimed')
  isBack = true
  await until(() => lines.length === 2)
  expect(lines[1]).toMatchObject({ message: 'database available again', count: 261 })
  log.warn('jobs not claimed', { error: connectionRefused() })
  expect(lines).toHaveLength(3)
  log.stop()
})

it('a continuing outage is reported again after a while, with the number of errors so far', async () => {
  const { lines, log } = start(() => false, 0)
  log.warn('jobs not claimed', { error: connectionRefused() })
  log.warn('jobs not claimed', { error: connectionRefused() })
  await until(() => lines.length >= 2)
  log.stop()
  expect(lines[1]).toMatchObject({ message: 'database still unavailable', count: 2 })
})

it('outages are tracked per node of a distributed database', () => {
  const { lines, log } = start(() => false)
  for (const node of ['a', 'b', 'a']) log.warn('queue not read', { node, error: connectionRefused() })
  expect(lines.map((line) => line.node)).toEqual(['a', 'b'])
  log.stop()
})

it('other errors, including one cancelled statement, are logged with their stack even during an outage', () => {
  const { lines, log } = start(() => false)
  log.warn('jobs not claimed', { error: connectionRefused() })
  log.warn('job failed', { error: new TypeError('x is undefined') })
  log.warn('report failed', { error: Object.assign(new Error('cancelled'), { code: '57014' }) })
  log.info('hello')
  expect(lines.map((line) => line.message)).toEqual([
    expect.stringContaining('database unavailable'),
    'job failed',
    'report failed',
    'hello',
  ])
  expect(lines[1]!.error).toMatchObject({ stack: expect.stringContaining('TypeError') })
  log.stop()
})
