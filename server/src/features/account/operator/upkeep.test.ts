import { createServer } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makePerson, makeProfile, makeWorkspace } from '../../../../test/make.ts'
import { runCommand } from '../../../commands/operator.ts'
import { readCertificateEnd } from '../../../platform/certificate.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { oneNode } from '../../../platform/db/nodes.ts'
import type { ServiceLag } from './contract.ts'
import { readBackupAge, readTokenEnd, type Upkeep, watchedNodes } from './upkeep.ts'
import { assessUpkeep } from './upkeep-rules.ts'

let app: TestApp
const away = openDatabase({ connectionString: 'postgres://whence@127.0.0.1:1/none' })
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await app.close()
  await away.close()
})

const healthy: Upkeep = {
  nodes: [{ name: 'coordinator', isUp: true }],
  clocks: [{ host: 'api-1', pid: 7, clock_ahead_seconds: 0.2 }],
  disk: { freeBytes: 50e9, sizeBytes: 100e9 },
  backupAgeSeconds: 3600,
  versions: [{ name: 'storefront', daysLeft: 200 }],
  tokenDaysLeft: 60,
  certificateDaysLeft: 60,
  rotation: null,
}
const none = { oldest_ready_age_seconds: null, oldest_dead_age_seconds: null }
const lag: ServiceLag = {
  worker_heartbeat_age_seconds: 3,
  jobs: { ready: 0, running: 0, scheduled: 0, dead: 0, ...none },
  events: {
    waiting: 0,
    oldest_waiting_age_seconds: null,
    quarantined: 0,
    oldest_quarantined_age_seconds: null,
  },
  webhooks: { waiting: 0, oldest_waiting_age_seconds: null, stuck: 0 },
}
const faults = (upkeep: Partial<Upkeep>, ofLag: Partial<ServiceLag> = {}) =>
  assessUpkeep({ ...healthy, ...upkeep }, { ...lag, ...ofLag }).filter(({ isOk }) => !isOk)

it('a healthy service has no faults, nor has one to which a limit does not apply', () => {
  expect(faults({})).toEqual([])
  const unknown = {
    disk: null,
    backupAgeSeconds: null,
    versions: [],
    tokenDaysLeft: null,
    certificateDaysLeft: null,
  }
  expect(faults(unknown)).toEqual([])
})

it.each<[string, Partial<Upkeep>, string]>([
  ['database coordinator', { nodes: [{ name: 'coordinator', isUp: false }] }, 'standby'],
  ['clock of api-1:7', { clocks: [{ host: 'api-1', pid: 7, clock_ahead_seconds: -61 }] }, 'NTP'],
  ['disk', { disk: { freeBytes: 9e9, sizeBytes: 100e9 } }, 'Free space'],
  ['backup', { backupAgeSeconds: 2 * 86_400 + 1 }, 'npm run backup'],
  ['API version of storefront', { versions: [{ name: 'storefront', daysLeft: 30 }] }, 'Update Whence'],
  ['authorizations', { tokenDaysLeft: 7 }, 'reconnects'],
  ['certificate', { certificateDaysLeft: 14 }, 'Renew'],
  ['certificate', { certificateDaysLeft: undefined }, 'does not answer'],
])('%s is a fault with its remedy', (name, upkeep, remedy) => {
  expect(faults(upkeep)).toEqual([expect.objectContaining({ name, remedy: expect.stringContaining(remedy) })])
})

it('a missing worker and waiting problems are faults', () => {
  expect(faults({}, { worker_heartbeat_age_seconds: null })).toMatchObject([{ name: 'worker' }])
  expect(faults({}, { jobs: { ...lag.jobs, dead: 2 } })).toMatchObject([
    { name: 'dead-jobs', text: '2', remedy: expect.stringContaining('list dead-jobs') },
  ])
})

it('the age of the last backup is unknown on a server until one was made', async () => {
  const { db } = app.service
  expect(await readBackupAge(db, false)).toBeNull()
  expect(await readBackupAge(db, true)).toBeGreaterThan(0)
  await app.pool.query(
    `insert into last_backup (id, finished_at, rows) values (1, clock_timestamp() - interval '3 days', 9)`,
  )
  expect(await readBackupAge(db, false)).toBeGreaterThan(3 * 86_400 - 1)
})

it('the end of a consent counts, that of a token which the service renews does not', async () => {
  const owner = await makePerson(app)
  const profileId = await makeProfile(owner, await makeWorkspace(owner))
  const now = new Date()
  const connection = (
    id: string,
    values: { token_expires_at: Date; token_refresh_at?: Date; consent_ends_at?: Date },
  ) =>
    app.service.db
      .insertInto('connections')
      .values({
        profile_id: profileId,
        id,
        provider: 'linkedin_ads',
        external_id: id,
        display_name: 'A',
        status: 'connected',
        scopes: [],
        token_version: 1,
        authorized_at: now,
        created_at: now,
        updated_at: now,
        ...values,
      })
      .execute()
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
  const id = (last: number) => `0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c12${last}`
  await connection(id(0), { token_expires_at: inDays(1), token_refresh_at: inDays(0.5) })
  expect(await readTokenEnd(app.service)).toBeNull()
  await connection(id(1), {
    token_expires_at: inDays(1),
    token_refresh_at: inDays(0.5),
    consent_ends_at: inDays(9),
  })
  expect(await readTokenEnd(app.service)).toEqual(inDays(9))
  await connection(id(2), { token_expires_at: inDays(4) })
  expect(await readTokenEnd(app.service)).toEqual(inDays(4))
})

it('the certificate is read from the address itself', async () => {
  expect(await readCertificateEnd('http://shop.example')).toBeNull()
  const server = createServer({ SNICallback: (_name, done) => done(new Error('none')) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await expect(readCertificateEnd(`https://127.0.0.1:${port}`)).rejects.toThrow()
  server.close()
})

it('/metrics has the readiness and an unavailable coordinator, and the check prints remedies', async () => {
  const text = await (await fetch(`${app.baseUrl}/metrics`)).text()
  for (const use of ['everything', 'events', 'reads'])
    expect(text).toContain(`\nwhence_ready{takes="${use}"} 1\n`)
  expect(text).toContain('\ndatabase_node_up{node="database"} 1\n')
  for (const name of ['data_folder_free_bytes', 'data_folder_size_bytes', 'backup_age_seconds'])
    expect(Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]), name).toBeGreaterThan(0)
  expect(Math.abs(Number(/^clock_ahead_seconds (.*)$/m.exec(text)?.[1]))).toBeLessThan(60)
  const coordinator = { name: 'coordinator', db: away.db, backgroundDb: away.db, shards: null }
  const worker = app.service.nodes.main
  const nodes = { ...oneNode(app.service.db), main: coordinator, list: () => [worker] }
  expect(watchedNodes(nodes).map(({ name }) => name)).toEqual(['coordinator', 'database'])
  const lines = await runCommand({ service: { ...app.service, nodes }, now: new Date() }, { name: 'check' })
  expect(lines.join('\n')).toMatch(/^FAULT {2}database coordinator: does not answer\n {7}Start it/m)
  expect(lines.at(-1)).toMatch(/^\d+ of \d+ need attention\.$/)
})
