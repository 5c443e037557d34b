import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCheckedClient } from '../../../../../test/answers.ts'
import type { TestApp } from '../../../../../test/app.ts'
import { cloneDatabase } from '../../../../../test/database.ts'
import { startTestProfile } from '../../../../../test/make.ts'
import { printedSeed } from '../../../../../test/seed.ts'
import { type Api, createApi } from '../../../../api.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import { type Db, type OpenDatabase, openDatabase } from '../../../../platform/db/database.ts'
import { oneNode } from '../../../../platform/db/nodes.ts'
import { tableKinds } from '../../../../platform/db/tables.ts'
import { outcomeRecorded } from '../../../facts/outbox/event-factories.ts'
import { recordEvents } from '../../../facts/outbox/record.ts'
import { listRecordedOutcomes } from '../contract.ts'

const run = promisify(execFile)
const WRITERS = 20
const READERS = 5
const seed = printedSeed('replay order')
/** 5 transactions each by default; SCALE=50 and more for a long run. */
const TRANSACTIONS = 5 * Number(process.env.SCALE ?? 1)

let app: TestApp
let profileId: string
let personId: string
let key: string

beforeAll(async () => {
  ;({ app, profileId, key } = await startTestProfile(['conversions:read']))
  personId = uuidv7()
  await app.pool.query('insert into identifiers (profile_id, id, kind, customer_id) values ($1, $2, 0, $2)', [
    profileId,
    personId,
  ])
})
afterAll(() => app.close())

/** A small seeded generator, so that failures can be reproduced. */
function makeRandom(start: number): () => number {
  let state = start
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type Opened = OpenDatabase & { url: string }

const open = (url: string, max: number): Opened => ({
  ...openDatabase({ connectionString: url, max }),
  url,
})

class RolledBack extends Error {}

/** Writes with pauses before and after the number is assigned, and rolls back one transaction in twenty. */
async function write(db: Db, writer: number, committed: Set<string>): Promise<void> {
  const random = makeRandom(seed + writer)
  for (let n = 0; n < TRANSACTIONS; n++) {
    const ids = Array.from({ length: 1 + Math.floor(random() * 3) }, () => uuidv7())
    const events = ids.map((id) => {
      const at = new Date().toISOString()
      const data = {
        provider: 'crmsuite' as const,
        outcome_type: 'lead_created',
        occurred_at: at,
        recorded_at: at,
        external_id: id,
        outcome_event_id: id,
        conversion_id: null,
        customer_key: null,
        value: null,
      }
      return outcomeRecorded(profileId, data, {
        id,
        appId: uuidv7(),
        connectionId: null,
        customerId: personId,
      })
    })
    const [before, after, fate] = [random() * 4, random() * 4, random()]
    try {
      await db.transaction().execute(async (tx) => {
        await pause(before)
        await recordEvents(tx, events, new Date())
        await pause(after)
        if (fate < 0.05) throw new RolledBack()
      })
      for (const id of ids) committed.add(id)
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
    }
  }
}

type Reader = { seen: string[]; cursor: string | undefined }

/** Reads pages until it has caught up after the writers are done. */
async function read(
  baseUrl: string,
  reader: Reader,
  random: () => number,
  done: () => boolean,
): Promise<void> {
  const call = createCheckedClient({ baseUrl, token: key })
  for (;;) {
    const wasDone = done()
    const limit = String(1 + Math.floor(random() * 40))
    const page = await call(listRecordedOutcomes, {
      query: { limit, ...(reader.cursor === undefined ? {} : { cursor: reader.cursor }) },
    })
    reader.seen.push(...page.data.map((event) => event.id))
    const pagination = page.pagination as { cursor: string; has_next: boolean }
    reader.cursor = pagination.cursor
    if (wasDone && !pagination.has_next) return
    await pause(random() * 5)
  }
}

async function round(db: Db, baseUrl: string, readers: Reader[], committed: Set<string>): Promise<void> {
  let writing = true
  const reading = readers.map((reader, n) =>
    read(baseUrl, reader, makeRandom(seed + 1000 + n), () => !writing),
  )
  await Promise.all(Array.from({ length: WRITERS }, (_, n) => write(db, n, committed)))
  writing = false
  await Promise.all(reading)
}

/** With PG_BIN, the folder of PostgreSQL's tools, a real dump and restore; the embedded server does not include them. */
async function restore(from: Opened, to: Opened): Promise<void> {
  const tools = process.env.PG_BIN
  if (tools === undefined) return copyTables(from, to)
  const folder = await mkdtemp(join(tmpdir(), 'whence-dump-'))
  const file = join(folder, 'dump')
  try {
    await run(join(tools, 'pg_dump'), ['--format=custom', `--file=${file}`, `--dbname=${from.url}`])
    await to.pool.query('drop schema public cascade')
    await to.pool.query('create schema public')
    await run(join(tools, 'pg_restore'), [`--dbname=${to.url}`, file])
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Copies every row of every table to a fresh database, equivalent to a dump and restore. */
async function copyTables(from: OpenDatabase, to: OpenDatabase): Promise<void> {
  const client = await to.pool.connect()
  try {
    await client.query("set session_replication_role = 'replica'")
    for (const table of Object.keys(tableKinds)) {
      if (table === 'schema_migrations') continue
      const { rows } = await from.pool.query(`select json_agg(t)::text as rows from "${table}" t`)
      await client.query(`delete from "${table}"`)
      if (rows[0].rows === null) continue
      await client.query(
        `insert into "${table}" select * from json_populate_recordset(null::"${table}", $1)`,
        [rows[0].rows],
      )
    }
  } finally {
    client.release(true)
  }
}

async function inOrder(database: OpenDatabase): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from outbox_events where profile_id = $1 order by number',
    [profileId],
  )
  return rows.map((row) => row.id)
}

it('readers see every outcome once and in one order, with concurrent writers and after a restore', async () => {
  const { connectionString } = app.pool.options as { connectionString: string }
  const first = open(connectionString, WRITERS + 2)
  const copy = await cloneDatabase()
  const second = open(copy.connectionString, WRITERS + READERS + 5)
  const readers: Reader[] = Array.from({ length: READERS }, () => ({ seen: [], cursor: undefined }))
  const committed = new Set<string>()
  let api: Api | undefined
  try {
    await round(first.db, app.baseUrl, readers, committed)
    const before = await inOrder(first)
    expect(new Set(before)).toEqual(committed)
    for (const reader of readers) expect(reader.seen).toEqual(before)

    await restore(first, second)
    api = createApi({ ...app.service, db: second.db, nodes: oneNode(second.db) })
    const baseUrl = await (api.http as FastifyInstance).listen({ host: '127.0.0.1', port: 0 })
    await round(second.db, baseUrl, readers, committed)
    const after = await inOrder(second)
    expect(new Set(after)).toEqual(committed)
    expect(after.length).toBeGreaterThan(before.length)
    for (const reader of readers) expect(reader.seen).toEqual(after)
  } finally {
    await api?.close()
    await first.close()
    await second.close()
    await copy.drop()
  }
})
