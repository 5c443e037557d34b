import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { cloneDatabase } from '../../../test/database.ts'
import { isAccepted, makePerson, makeProfile, makeWorkspace } from '../../../test/make.ts'
import { plantRows } from '../../../test/rows.ts'
import { readConfig } from '../../config.ts'
import { loadPepper } from '../../features/facts/identity/pepper.ts'
import { openDatabase } from '../db/database.ts'
import { generateMasterKeys, parseMasterKeys } from './keyring.ts'
import { readMasterKeys } from './master-keys.ts'
import { resealAll, sealedColumns } from './reseal.ts'
import { needsReseal, open, type SealedCell, seal } from './seal.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const placeOf = (column: (typeof sealedColumns)[number], row: string, profileId: string): SealedCell => ({
  table: column.table,
  row,
  column: column.sealedFor ?? column.column,
  profileId: column.hasProfile ? profileId : null,
})

it('every sealed column is re-encrypted with the current key, with the same content', async () => {
  const { db, keyring } = app.service
  const owner = await makePerson(app)
  const profileId = await makeProfile(owner, await makeWorkspace(owner))
  await plantRows(app.pool, profileId)
  const planted = new Map<string, { id: string; content: string }>()
  for (const column of sealedColumns.filter(({ hasProfile }) => hasProfile)) {
    const { rows } = await app.pool.query(`select id from "${column.table}" where profile_id = $1`, [
      profileId,
    ])
    const id = rows[0].id as string
    const content = randomBytes(12).toString('hex')
    const sealed = seal(keyring, placeOf(column, id, profileId), content)
    await app.pool.query(
      `update "${column.table}" set "${column.column}" = $1 where profile_id = $2 and id = $3`,
      [sealed, profileId, id],
    )
    planted.set(`${column.table}.${column.column}`, { id, content })
  }
  const pepper = (await loadPepper(db, keyring, new Date())).export().toString('hex')

  const old = keyring.current
  const rotated = parseMasterKeys(
    `k2:${randomBytes(32).toString('base64')},${old.id}:${old.key.toString('base64')}`,
  )
  expect(await resealAll(db, rotated)).toEqual({ resealed: planted.size + 1, unreadable: 0 })
  expect(await resealAll(db, rotated)).toEqual({ resealed: 0, unreadable: 0 })

  const alone = { current: rotated.current, keys: [rotated.current], missingKeyId: null }
  for (const column of sealedColumns.filter(({ hasProfile }) => hasProfile)) {
    const { id, content } = planted.get(`${column.table}.${column.column}`)!
    const { rows } = await app.pool.query(
      `select "${column.column}" as sealed from "${column.table}" where profile_id = $1 and id = $2`,
      [profileId, id],
    )
    expect(needsReseal(alone, rows[0].sealed)).toBe(false)
    expect(open(alone, placeOf(column, id, profileId), rows[0].sealed).toString()).toBe(content)
  }
  expect((await loadPepper(db, alone, new Date())).export().toString('hex')).toBe(pepper)
  // The old key alone cannot decrypt anything, and the run reports it.
  expect(await resealAll(db, keyring)).toEqual({ resealed: 0, unreadable: planted.size + 1 })
  await expect(loadPepper(db, keyring, new Date())).rejects.toThrow(
    /^MASTER_KEYS are not the keys of this database/,
  )
  await resealAll(db, { current: old, keys: [old, rotated.current], missingKeyId: null })
})

it('no other column is sealed', async () => {
  const { rows } = await app.pool.query<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.atttypid = 'bytea'::regtype and a.attnum > 0 order by 1`,
  )
  const plain = [
    'account_links.token_hash',
    'ad_thumbnails.bytes',
    'audience_exclusions.person_hash',
    'bank_links.token_hash',
    'chat_codes.code_hash',
    'client_reports.content',
    'conversion_exports.payload_hash',
    'credentials.lookup_hash',
    'credits.packed',
    'customer_data_exports.code_hash',
    'customer_data_exports.selector_hash',
    'erasures.selector_hash',
    'event_keys.content_hash',
    'idempotency_keys.body',
    'idempotency_keys.fingerprint',
    'invitations.link_hash',
    'invitations.token_hash',
    'key_copies.lookup_hash',
    'mcp_writeback_audits.arguments_digest',
    'provider_webhooks.body',
    'provider_webhooks.digest',
    'readiness_probe.filler',
    'recovery_codes.code_hash',
    'remembered_devices.token_hash',
    'sign_in_challenges.browser_hash',
    'sign_in_challenges.token_hash',
    'used_visit_tokens.token_hash',
    'workspace_branding.logo',
  ]
  const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  const unsealed = rows
    .map(({ name }) => name)
    .filter((name) => !sealed.includes(name) && !plain.includes(name))
  expect(unsealed).toEqual([])
})

it('a token hashed with an older key is rehashed with the current one on its next use', async () => {
  const person = await makePerson(app)
  const { keyring } = app.service
  const before = { ...keyring }
  const rotated = parseMasterKeys(
    `k3:${randomBytes(32).toString('base64')},${before.current.id}:${before.current.key.toString('base64')}`,
  )
  try {
    Object.assign(keyring, { current: rotated.current, keys: [rotated.current], missingKeyId: null })
    expect(await isAccepted(app, person.token)).toBe(false)
    Object.assign(keyring, rotated)
    expect(await isAccepted(app, person.token)).toBe(true)
    Object.assign(keyring, { current: rotated.current, keys: [rotated.current], missingKeyId: null })
    expect(await isAccepted(app, person.token)).toBe(true)
  } finally {
    Object.assign(keyring, before)
  }
})

describe('the keys that are stored next to an embedded database', () => {
  it('are created once, readable by the owner only, and never again for a database that needs lost ones', async () => {
    const clone = await cloneDatabase()
    const { db, close } = openDatabase({ connectionString: clone.connectionString })
    const dataDir = await mkdtemp(join(tmpdir(), 'whence-keys-'))
    const config = readConfig({ DATA_DIR: dataDir })
    const file = join(dataDir, 'master-keys')
    try {
      const keys = await readMasterKeys(config, db)
      expect(await readMasterKeys(config, db)).toBe(keys)
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      await loadPepper(db, parseMasterKeys(keys), new Date())
      await rm(file)
      await expect(readMasterKeys(config, db)).rejects.toThrow(/master-keys is missing, and the database has/)
      await expect(stat(file)).rejects.toThrow('ENOENT')
      await writeFile(file, '')
      await expect(readMasterKeys(config, db)).rejects.toThrow(/is empty/)
      expect(await readFile(file, 'utf8')).toBe('')
      await rm(file)
      const masterKeys = generateMasterKeys()
      expect(await readMasterKeys(readConfig({ DATA_DIR: dataDir, MASTER_KEYS: masterKeys }), db)).toBe(
        masterKeys,
      )
    } finally {
      await chmod(dataDir, 0o755)
      await close()
      await clone.drop()
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
