/** Scheduled backups in a folder and in an S3 store that checks each signature with `aws4`, and `backup --verify`. */
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import aws4 from 'aws4'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeOwnProfile } from '../../../test/make.ts'
import type { Service } from '../../context.ts'
import { ensurePartitions } from '../../features/facts/events/partitions.ts'
import { addDays } from '../../platform/contract/dates.ts'
import { backupName } from './keep.ts'
import { backUpIfDue } from './scheduled.ts'
import { verifyBackup } from './verify.ts'

const keys = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

let app: TestApp
let folder: string
let now: Date
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'whence-scheduled-'))
  now = app.service.clock.now()
  await ensurePartitions(app.service.db, now)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

function serviceWith(to: NonNullable<Service['config']['backups']>['to'] | undefined): Service {
  const backups =
    to === undefined ? undefined : { to, everyHours: 24, keep: { days: 1, weeks: 0, months: 0 } }
  return {
    ...app.service,
    config: { ...app.service.config, DATABASE_URL: app.connectionString, backups },
  }
}

const setAge = (hours: number) =>
  app.pool.query(`update last_backup set finished_at = clock_timestamp() - make_interval(hours => $1)`, [
    hours,
  ])

it('writes a backup when one is due, once, and removes only what the rule does not keep', async () => {
  const to = join(folder, 'store')
  expect(await backUpIfDue({ service: serviceWith(undefined), now })).toBeUndefined()
  const name = backupName(now)
  expect(await backUpIfDue({ service: serviceWith(to), now })).toBe(name)
  expect(await backUpIfDue({ service: serviceWith(to), now })).toBeUndefined()
  await writeFile(join(to, 'notes.txt'), 'not ours')
  await setAge(24)
  const later = new Date(now.getTime() + 1000)
  expect(await backUpIfDue({ service: serviceWith(to), now: later })).toBe(backupName(later))
  expect((await readdir(to)).sort()).toEqual(['notes.txt', backupName(later)].sort())
  expect((await readdir(app.service.config.DATA_DIR)).filter((entry) => entry.startsWith('backup-'))).toEqual(
    [],
  )
})

it('a backup that cannot be stored leaves nothing, is not recorded, and is repeated', async () => {
  const to = join(folder, 'blocked')
  await writeFile(to, 'a file where the folder should be')
  await setAge(24)
  await expect(backUpIfDue({ service: serviceWith(to), now })).rejects.toThrow('EEXIST')
  await rm(to)
  expect(await backUpIfDue({ service: serviceWith(to), now })).toBe(backupName(now))
})

it('uploads to an S3 store in parts, lists its pages and removes what is not kept', async () => {
  const objects = new Map<string, Buffer>()
  const store = await startStore(objects)
  const { port } = store.address() as AddressInfo
  const to = {
    ...keys,
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'acme',
    prefix: 'whence',
    path_style: true,
    server_side_encryption: null,
  }
  const old = ['2020-01-01', '2020-01-02'].map((day) => `whence/${backupName(new Date(`${day}T00:00:00Z`))}`)
  for (const name of [...old, 'whence/notes.txt']) objects.set(name, Buffer.from('old'))
  try {
    await setAge(24)
    const name = await backUpIfDue({ service: serviceWith(to), now })
    expect([...objects.keys()].sort()).toEqual(['whence/notes.txt', `whence/${name}`])
    expect(gunzipSync(objects.get(`whence/${name}`)!).toString()).toContain('"table":"profiles"')
  } finally {
    store.closeAllConnections()
    store.close()
  }
})

it('verifying compares the reports of every profile with the running database as of the backup', async () => {
  const { profileId } = await makeOwnProfile(app, ['campaigns:read'])
  await app.pool.query(
    `update profiles set created_at = created_at - interval '400 days', restatements_since = null where id = $1`,
    [profileId],
  )
  const to = join(folder, 'verified')
  await setAge(24)
  const at = app.service.clock.now()
  const file = join(to, (await backUpIfDue({ service: serviceWith(to), now: at }))!)
  const running = { connectionString: app.connectionString }
  const verify = () => verifyBackup(app.service.config, { file, keys: app.masterKeys, running })
  expect((await verify()).join(' ')).toMatch(/The reports of [1-9]\d* of/)
  // A figure of a closed day that changes without a record, as damage would.
  const day = addDays(at.toISOString().slice(0, 10), -10)
  await app.pool.query(
    `insert into conversion_daily (profile_id, day, outcome_type, revenue_type, conversions, value_minor, fx_missing)
     values ($1, $2, 'payment', 'cash', 1, 12345, 0)`,
    [profileId, day],
  )
  await expect(verify()).rejects.toThrow(profileId)
})

/** Multipart uploads and paged lists of one object each, as S3 answers them. */
async function startStore(objects: Map<string, Buffer>): Promise<Server> {
  const parts = new Map<number, Buffer>()
  const store = createServer(async (request, reply) => {
    const body = Buffer.concat(await request.toArray())
    const { authorization = '' } = request.headers
    const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
    const headers = Object.fromEntries(names.map((name) => [name, request.headers[name] as string]))
    const expected = aws4.sign(
      { method: request.method!, path: request.url!, headers, service: 's3', region: 'us-east-1' },
      { accessKeyId: keys.access_key_id, secretAccessKey: keys.secret_access_key },
    ).headers!.Authorization
    if (expected !== authorization)
      return reply.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    const { pathname, searchParams } = new URL(request.url!, 'http://store')
    const key = pathname.replace(/^\/acme\/?/, '')
    if (request.method === 'GET') {
      const keysBelow = [...objects.keys()]
        .filter((one) => one.startsWith(searchParams.get('prefix')!))
        .sort()
      const index = Number(searchParams.get('continuation-token') ?? 0)
      const next =
        index + 1 < keysBelow.length ? `<NextContinuationToken>${index + 1}</NextContinuationToken>` : ''
      return reply.end(
        `<ListBucketResult>${next}<Contents><Key>${keysBelow[index]}</Key></Contents></ListBucketResult>`,
      )
    }
    if (request.method === 'DELETE') objects.delete(key)
    else if (searchParams.has('uploads')) return reply.end('<R><UploadId>up/1+=</UploadId></R>')
    else if (searchParams.get('uploadId') !== 'up/1+=') return reply.writeHead(404).end()
    else if (request.method === 'PUT') {
      parts.set(Number(searchParams.get('partNumber')), body)
      return reply.writeHead(200, { etag: `"${parts.size}"` }).end()
    } else {
      const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"\1"<\/ETag>/g)]
      objects.set(key, Buffer.concat(numbers.map(([, number]) => parts.get(Number(number))!)))
      return reply.end('<CompleteMultipartUploadResult/>')
    }
    return reply.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(store, 'listening')
  return store
}
