import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { until } from '../../test/until.ts'
import { createLog } from './log.ts'
import { createMailer } from './mail/mailer.ts'
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

it('a missing file and a mail server that refuses are no outage of the database', async () => {
  const { lines, log } = start(() => false)
  const missing = await readFile('/nonexistent/rates.xml').catch((error: unknown) => error)
  log.warn('job failed', { error: missing })
  // Port 1 of this machine refuses.
  const mailer = createMailer({
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'a@example.com',
    DATA_DIR: '/tmp',
  })
  const refused = await mailer
    .send({ to: 'b@example.com', subject: 'Hello', text: 'Hello' })
    .catch((error: unknown) => error)
  log.warn('job failed', { error: refused })
  expect(lines.map(({ message }) => message)).toEqual(['job failed', 'job failed'])
  expect(JSON.stringify(lines[1]!.error)).toContain('mail server of SMTP_URL: connect ECONNREFUSED')
  log.warn('jobs not claimed', { error: connectionRefused() })
  expect(lines.at(-1)!.message).toContain('database unavailable')
  log.stop()
})
