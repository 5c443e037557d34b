/** A small S3 store that accepts only requests whose signature equals that of `aws4`, an independent signer. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import aws4 from 'aws4'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeDataExportWorld, runExportNow } from '../../../../test/data-export-world.ts'
import { refusalOf } from '../../../../test/make.ts'
import * as contract from './contract.ts'
import { signRequest } from './targets/s3-signature.ts'

const keys = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

let app: TestApp
let folder: string
let store: Server
let endpoint: string
const objects = new Map<string, Buffer>()
const encryptions = new Set<string | undefined>()

/** Undefined if the signature equals that of `aws4`, else the error code. */
function refusalOfSignature(request: IncomingMessage, body: Buffer): string | undefined {
  const { authorization = '' } = request.headers
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
  const headers = Object.fromEntries(names.map((name) => [name, request.headers[name] as string]))
  const expected = aws4.sign(
    { method: request.method!, path: request.url!, headers, service: 's3', region: 'us-east-1' },
    { accessKeyId: keys.access_key_id, secretAccessKey: keys.secret_access_key },
  ).headers!.Authorization
  if (expected !== authorization) return 'SignatureDoesNotMatch'
  const hash = createHash('sha256').update(body).digest('hex')
  return hash === request.headers['x-amz-content-sha256'] ? undefined : 'XAmzContentSHA256Mismatch'
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whence-data-exports-'))
  store = createServer(async (request, reply) => {
    const body = Buffer.concat(await request.toArray())
    const refusal = refusalOfSignature(request, body)
    if (refusal !== undefined) return reply.writeHead(403).end(`<Error><Code>${refusal}</Code></Error>`)
    if (request.method === 'DELETE') objects.delete(request.url!)
    else {
      objects.set(request.url!, body)
      encryptions.add(request.headers['x-amz-server-side-encryption'] as string | undefined)
    }
    return reply.writeHead(request.method === 'DELETE' ? 204 : 200).end()
  }).listen(0, '127.0.0.1')
  await once(store, 'listening')
  endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`
  app = await startTestApp({ DATA_EXPORT_DIR: folder, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
})
afterAll(async () => {
  await app.close()
  store.closeAllConnections()
  store.close()
  await rm(folder, { recursive: true, force: true })
})

const target = (fields: Record<string, unknown> = {}) => ({
  endpoint,
  region: 'us-east-1',
  bucket: 'exports',
  prefix: 'whence/day=all',
  path_style: true,
  server_side_encryption: 'AES256',
  ...keys,
  ...fields,
})
/** The `=` of `day=` is percent-encoded in the path. */
const objectAt = (path: string) => objects.get(`/exports/whence/day%3Dall/${path.replace('=', '%3D')}`)

it('a store receives every file of the manifest, and wrong access keys are reported', async () => {
  const world = await makeDataExportWorld(app, folder, {
    kind: 's3',
    target: target(),
    tables: ['touches', 'credits', 'campaigns'],
  })
  const params = { id: world.destinationId }
  const tested = await world.call(contract.testDataDestination, { params })
  expect(tested.data).toEqual({ ok: true, error: null })
  expect([...objects.keys()]).toEqual([])
  const run = await world.write()
  expect(run).toMatchObject({ status: 'completed', error: null })
  const manifest = JSON.parse(objectAt('manifest.json')!.toString()) as {
    tables: { files: { path: string; sha256: string }[] }[]
  }
  const files = manifest.tables.flatMap((table) => table.files)
  expect(files.length).toBeGreaterThan(5)
  expect(objects.size).toBe(files.length + 1)
  for (const { path, sha256 } of files)
    expect(createHash('sha256').update(objectAt(path)!).digest('hex'), path).toBe(sha256)
  expect([...encryptions]).toEqual(['AES256'])
  const { data } = await world.call(contract.listDataDestinations)
  expect(JSON.stringify(data)).not.toMatch(/AKIDEXAMPLE|wJalrXUtn/)
  const rows = await app.service.db.selectFrom('data_export_destinations').select('secret').execute()
  expect(rows.some(({ secret }) => secret?.includes('wJalrXUtn'))).toBe(false)
  await world.decide(contract.updateDataDestination, {
    params,
    body: { keys: { ...keys, secret_access_key: 'wrong' } },
  })
  const error = 'The store returned status 403 (SignatureDoesNotMatch).'
  expect((await world.call(contract.testDataDestination, { params })).data).toEqual({ ok: false, error })
  const body = { destination_id: world.destinationId, full: true }
  const { data: queued } = await world.call(contract.startDataRun, { body })
  await expect(runExportNow(app, world.profileId, queued.id)).rejects.toThrow('data export failed')
  const { data: failed } = await world.call(contract.getDataRun, { params: { id: queued.id } })
  expect(failed).toMatchObject({ status: 'failed', error })
  expect(JSON.parse(objectAt('manifest.json')!.toString())).toEqual(manifest)
})

it('a store at a private address is refused unless the operator allows it', async () => {
  const world = await makeDataExportWorld(app, folder)
  for (const address of [
    'https://10.1.2.3',
    'http://192.168.1.1:9000',
    'https://user:pw@s3.example.com',
    `${endpoint}/bucket`,
  ]) {
    const request = world.decide(contract.createDataDestination, {
      body: { kind: 's3', name: 'Inside', target: target({ endpoint: address }) },
    })
    expect(await refusalOf(request), address).toMatchObject({ status: 422, field: 'target.endpoint' })
  }
})

it('an endpoint that forms no valid address with the bucket is refused', async () => {
  const world = await makeDataExportWorld(app, folder)
  const request = world.decide(contract.createDataDestination, {
    body: { kind: 's3', name: 'Numbers', target: target({ endpoint: 'https://8.8.8.8', path_style: false }) },
  })
  expect(await refusalOf(request)).toMatchObject({ status: 422, field: 'target.endpoint' })
})

/** docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Example: PUT Object", read 2026-11-18. */
it('signs the published example', () => {
  const headers = signRequest(
    {
      method: 'PUT',
      url: new URL('https://examplebucket.s3.amazonaws.com/test%24file.text'),
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: new TextEncoder().encode('Welcome to Amazon S3.'),
    },
    {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    { region: 'us-east-1', now: new Date('2013-05-24T00:00:00Z') },
  )
  expect(headers.authorization).toContain(
    'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  )
})
