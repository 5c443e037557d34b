import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { type ClonedDatabase, emptyDatabase } from '../../../test/database.ts'
import { freePort } from '../../../test/free-port.ts'
import { Victim } from '../../../test/kill-process.ts'
import { shortIt as it, longIt } from '../../../test/length.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../../test/make.ts'
import { plantRows } from '../../../test/rows.ts'
import { until } from '../../../test/until.ts'
import { ensurePartitions } from '../../features/facts/events/partitions.ts'
import { loadPepper } from '../../features/facts/identity/pepper.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { movedClock } from '../../platform/db/embedded/account.ts'
import { startEmbedded } from '../../platform/db/embedded.ts'
import { knownMigrations, migrate, previousRelease } from '../../platform/db/migrate.ts'
import { tableKinds } from '../../platform/db/tables.ts'
import { generateMasterKeys, parseMasterKeys } from '../../platform/secrets/keyring.ts'
import { dump } from './dump.ts'
import { restoreBackup, writeBackup } from './files.ts'
import { readBackup } from './format.ts'
import { listTables } from './restore.ts'

// The long tests start several services, which is slow on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

/** Tables that a backup excludes. */
const apart = [
  'schema_migrations',
  'last_backup',
  'readiness_probe',
  'rate_buckets',
  'service_clock',
  'service_processes',
  'key_holders',
  'sealing_key',
]
const now = new Date('2026-03-01T10:00:00Z')
/** All characters that COPY must escape, and text that looks like its markers. */
const awkward = 'tab\there, new\nline, \\. alone:\n\\.\n, \\N, "quotes", back\\slash, ünïcødé 🙂, \r'

let app: TestApp
let folder: string
let masterKeys: string
const databases: ClonedDatabase[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whence-backup-'))
  await chmod(folder, 0o755)
  app = await startTestApp()
  const { id, key } = app.service.keyring.current
  masterKeys = `${id}:${key.toString('base64')}`
  await ensurePartitions(app.service.db, new Date())
})
afterAll(async () => {
  await app.close()
  for (const database of databases) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function empty(): Promise<{ connectionString: string }> {
  const database = await emptyDatabase()
  databases.push(database)
  return { connectionString: database.connectionString }
}

const source = () => ({ connectionString: app.connectionString })

/** Every row of every table as text. */
async function contentOf(connectionString: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(`set timezone = 'UTC'`)
    const content: Record<string, string[]> = {}
    for (const table of Object.keys(tableKinds).filter((name) => !apart.includes(name))) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from "${table}" t`)
      content[table] = rows.map(({ row }) => row).sort()
    }
    return content
  } finally {
    await client.end()
  }
}

async function fillEverything() {
  const owner = await makePerson(app)
  const workspaceId = await makeWorkspace(owner)
  const profileId = await makeProfile(owner, workspaceId)
  await app.pool.query('update users set name = $1 where id = $2', [awkward, owner.id])
  const { refused } = await plantRows(app.pool, profileId)
  expect(refused).toEqual({})
  const key = await makeKey(app, profileId, ['events:write', 'conversions:read'])
  for (let at = 0; at < 5; at++) {
    const reply = await fetch(`${app.baseUrl}/api/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        event_name: 'lead_created',
        idempotency_key: `event-${at}`,
        properties: { note: awkward },
        user_traits: { email: `customer-${at}@example.com` },
      }),
    })
    expect(reply.status).toBe(202)
  }
  // Usage of the three routes is counted in the background; if written after the backup, it would be missing there.
  await until(async () => (await app.pool.query('select 1 from api_usage')).rowCount! >= 3)
  return { owner, key, profileId }
}

it('restores every row of every table byte for byte into a working database', async () => {
  const { owner, key } = await fillEverything()
  const file = join(folder, 'whole')
  const summary = await writeBackup(source(), file, now)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const before = await contentOf(source().connectionString)
  expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(60)
  expect(summary.rows).toBe(Object.values(before).flat().length)

  const target = await empty()
  expect(await restoreBackup(target, file, masterKeys, new Date())).toEqual({ ...summary, at: now })
  expect(await contentOf(target.connectionString)).toEqual(before)

  // People, keys and secrets work as before, and new events are accepted.
  const restored = await app.startOn(target.connectionString)
  try {
    const request = (path: string, token: string, body?: unknown) =>
      fetch(`${restored.baseUrl}/api/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      })
    const me = (await (await request('/auth/me', owner.token)).json()) as { data: { name: string } }
    expect(me.data.name).toBe(awkward)
    const event = {
      event_name: 'lead_created',
      idempotency_key: 'event-0',
      user_traits: { email: 'a@example.com' },
    }
    expect((await request('/events', key, { ...event, idempotency_key: 'after' })).status).toBe(202)
  } finally {
    await restored.close()
  }
})

it('is a consistent snapshot, whatever is written meanwhile', async () => {
  const owner = await makePerson(app, 'Before')
  const client = new pg.Client(source())
  await client.connect()
  const rows = dump(client, now)
  const chunks = [(await rows.next()).value as Buffer]
  const late = await makePerson(app, 'Meanwhile')
  for await (const chunk of rows) chunks.push(chunk)
  await client.end()
  const text = Buffer.concat(chunks).toString()
  expect(text).toContain(owner.id)
  expect(text).not.toContain(late.id)
})

describe('is rejected without leaving anything behind,', () => {
  async function refusal(bytes: Buffer, keys = masterKeys): Promise<string> {
    const file = join(folder, `bad-${Math.random()}`)
    await writeFile(file, bytes)
    const target = await empty()
    const error = await restoreBackup(target, file, keys, now).then(
      () => 'restored',
      (cause: Error) => cause.message,
    )
    const client = new pg.Client(target)
    await client.connect()
    expect(await listTables(client)).toEqual([])
    await client.end()
    return error
  }

  let good: Buffer
  beforeAll(async () => {
    const file = join(folder, 'good')
    await writeBackup(source(), file, now)
    good = gunzipSync(await readFile(file))
  })

  longIt('when it is cut off', async () => {
    const packed = gzipSync(good)
    expect(await refusal(packed.subarray(0, packed.length / 2))).toMatch(/damaged|truncated/)
    expect(await refusal(gzipSync(good.subarray(0, good.length - 200)))).toMatch(/truncated/)
    expect(await refusal(Buffer.alloc(0))).toMatch(/damaged|truncated/)
  })

  it('if a single value was changed', async () => {
    const at = good.indexOf('@example.com')
    const changed = Buffer.from(good)
    changed.write('X', at + 1)
    expect(await refusal(gzipSync(changed))).toBe('The backup is damaged: its checksum does not match.')
  })

  it('if a flipped bit makes a value invalid, which PostgreSQL refuses before the checksum is compared', async () => {
    const changed = Buffer.from(good)
    changed.write('z', good.indexOf('\t{"') + 1)
    expect(await refusal(gzipSync(changed))).toMatch(
      /^The backup is damaged: a row of \w+ is not what was written \(invalid input syntax for type json/,
    )
  })

  it('if it is not a backup, or one of a newer version', async () => {
    expect(await refusal(gzipSync('{"format":2}\n'))).toMatch(/^The file is not a Whence backup/)
    expect(await refusal(Buffer.from('plain text'))).toMatch(/^The file is not a Whence backup/)
    const line = good.subarray(0, good.indexOf('\n')).toString()
    const header = { ...JSON.parse(line), migrations: ['0001_service.sql', '9990_future.sql'] }
    expect(await refusal(gzipSync(`${JSON.stringify(header)}\n`))).toMatch(
      /^The backup was created by a newer Whence \(9990_future\.sql\)/,
    )
  })

  longIt('when it names a table or column that the schema has not', async () => {
    const line = good.subarray(0, good.indexOf('\n') + 1).toString()
    const hostile = `${line}{"table":"users\\"; drop table users; --","columns":["id"]}\n\\.\n`
    expect(await refusal(gzipSync(hostile))).toMatch(/does not match its schema/)
  })

  it('if the master keys differ', async () => {
    expect(await refusal(gzipSync(good), generateMasterKeys())).toMatch(/^MASTER_KEYS are not the keys/)
  })

  it('if the database is not empty', async () => {
    const file = join(folder, 'good')
    await expect(restoreBackup(source(), file, masterKeys, now)).rejects.toThrow(/^The database is not empty/)
    await expect(writeBackup(source(), file, now)).rejects.toThrow(/already exists; choose a new file/)
    expect((await stat(file)).size).toBeGreaterThan(1000)
  })
})

longIt('of the previous release is brought forward to this one', async () => {
  const old = await empty()
  const database = openDatabase({ ...old, max: 2 })
  const file = join(folder, 'old')
  const keys = generateMasterKeys()
  try {
    const last = knownMigrations.indexOf(previousRelease.lastMigration)
    await migrate(database.pool, knownMigrations.slice(0, last + 1))
    await loadPepper(database.db, parseMasterKeys(keys), now)
    await database.pool.query(
      `insert into users (id, email, email_lower, name, created_at)
       values ('00000000-0000-7000-8000-000000000001', 'a@example.com', 'a@example.com', $1, now())`,
      [awkward],
    )
    await writeBackup(old, file, now)
  } finally {
    await database.close()
  }
  const target = await empty()
  await restoreBackup(target, file, keys, now)
  const client = new pg.Client(target)
  await client.connect()
  const { rows } = await client.query('select name from schema_migrations order by name')
  expect(rows.map((row) => row.name)).toEqual([...knownMigrations])
  expect((await client.query('select name from users')).rows).toEqual([{ name: awkward }])
  await client.end()
})

longIt('goes from the embedded PostgreSQL to a server and back, whatever versions they are', async () => {
  const dataDir = join(folder, 'embedded')
  await mkdir(dataDir)
  const embedded = await startEmbedded({ dataDir, log: () => {}, settings: { fsync: 'off' } })
  try {
    const [there, back] = [join(folder, 'there'), join(folder, 'back')]
    await writeBackup(source(), there, now)
    await restoreBackup(embedded.config, there, masterKeys, now)
    await writeBackup(embedded.config, back, now)
    const target = await empty()
    await restoreBackup(target, back, masterKeys, now)
    expect(await contentOf(target.connectionString)).toEqual(await contentOf(source().connectionString))
  } finally {
    await embedded.stop()
  }
})

it('rows split across chunks are read completely', async () => {
  const lines = [
    '{"table":"a"}\n',
    'one\n',
    'two \\\\.\n',
    '\\.\n',
    '{"table":"b"}\n',
    '\\.\n',
    '{"end":1}\n',
  ]
  const text = Buffer.from(lines.join(''))
  for (let size = 1; size <= text.length; size++) {
    const chunks = async function* () {
      for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size)
    }
    const reader = readBackup(chunks())
    const rows = async () => {
      const parts: Buffer[] = []
      for await (const part of reader.rows()) parts.push(part)
      return Buffer.concat(parts).toString()
    }
    expect((await reader.line()).toString()).toBe(lines[0])
    expect(await rows()).toBe('one\ntwo \\\\.\n')
    expect((await reader.line()).toString()).toBe(lines[4])
    expect(await rows()).toBe('')
    expect((await reader.line()).toString()).toBe(lines[6])
    expect(await reader.isAtEnd()).toBe(true)
  }
})

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
const run = (dir: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [main, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: dir,
      ...movedClock(process.env),
    },
  })

longIt('a refused restore by command leaves no database behind', async () => {
  const target = join(folder, 'refused')
  await mkdir(target)
  await chmod(target, 0o755)
  await writeFile(join(target, 'master-keys'), generateMasterKeys())
  await expect(run(target, 'restore', join(folder, 'missing'))).rejects.toThrow(/does not exist/)
  await expect(stat(join(target, 'database'))).rejects.toThrow('ENOENT')
})

longIt('the commands back up a running service and restore into a new folder', async () => {
  const dataDir = join(folder, 'running')
  const other = join(folder, 'restored')
  for (const path of [dataDir, other]) {
    await mkdir(path)
    await chmod(path, 0o755)
  }
  const file = join(folder, 'by-command')
  const service = new Victim(dataDir, await freePort())
  await service.start()
  const restored = new Victim(other, await freePort())
  try {
    const { stdout } = await run(dataDir, 'backup', file)
    expect(stdout).toMatch(/^Backed up \d+ rows of \d+ tables to /)
    await expect(run(other, 'restore', file)).rejects.toThrow(/master keys of the backup are required/)
    await copyFile(join(dataDir, 'master-keys'), join(other, 'master-keys'))
    await expect(run(dataDir, 'restore', file)).rejects.toThrow(/Another Whence is running/)
    expect((await run(other, 'restore', file)).stdout).toMatch(/^Restored \d+ rows of \d+ tables from /)
    restored.apiKey = service.apiKey
    await restored.start()
    const reply = await fetch(`${restored.baseUrl}/api/v1/connections`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
    })
    expect(reply.status).toBe(200)
  } finally {
    await service.stop()
    await restored.stop()
  }
})
