/**
 * The sender of reports is killed after the mail server accepted a mail and before this is recorded. Every recipient gets
 * a mail, and a repeated mail keeps its Message-ID.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { generateReports, getReportsHub } from '../src/features/sharing/client-reports/contract.ts'
import { makeAdWorld } from './ad-world.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from './make.ts'
import { until } from './until.ts'

const KILLS = Number(process.env.KILLS ?? 2)
const RECIPIENTS = 6
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))

vi.setConfig({ hookTimeout: 120_000, testTimeout: 240_000 })

let app: TestApp
let owner: Person
let params: { workspaceId: string }
let child: ChildProcess | undefined
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  params = { workspaceId: await makeWorkspace(owner) }
  const profileId = await makeProfile(owner, params.workspaceId)
  await makeAdWorld(app, profileId, app.as(await makeKey(app, profileId, ['events:write'])))
})
afterAll(async () => {
  await end()
  await app.close()
})

async function begin(): Promise<ChildProcess> {
  const { keys } = app.service.keyring
  const masterKeys = keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',')
  const program = new URL('./report-process.ts', import.meta.url)
  const started = fork(program, [app.connectionString, masterKeys, app.service.config.DATA_DIR], {
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
  })
  child = started
  await once(started, 'message')
  started.send('begin')
  return started
}

async function end(): Promise<void> {
  const dying = child
  child = undefined
  if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return
  dying.kill('SIGKILL')
  await once(dying, 'exit')
}

async function mails() {
  const folder = join(app.service.config.DATA_DIR, 'outbox')
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(files.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))))
}

it('kill -9 in a batch skips no recipient, and a repeated mail keeps its Message-ID', async () => {
  const recipients = Array.from({ length: RECIPIENTS }, (_, index) => `client-${index}@example.com`)
  const body = { date_from: '2026-05-01', date_to: '2026-05-31', send: true, recipients }
  const { data } = await owner.call(generateReports, { params, body })
  for (let kills = 0; kills < KILLS; kills++) {
    const killed = await begin()
    await once(killed, 'message')
    await end()
  }
  const last = await begin()
  last.on('message', () => last.send('go on'))
  await until(async () => {
    const { reports } = (await owner.call(getReportsHub, { params })).data
    return reports.find(({ id }) => id === data.reports[0]!.report_id)?.status === 'sent'
  }, 50)
  await end()
  const byRecipient = Map.groupBy(await mails(), (mail) => mail.to![0]!.address!)
  expect([...byRecipient.keys()].sort()).toEqual(recipients)
  for (const sent of byRecipient.values())
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1)
  expect((await mails()).length).toBeGreaterThan(RECIPIENTS)
})
