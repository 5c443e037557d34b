/**
 * The package as users get it: packed, installed in an empty project, compiled, its README run against a service, and
 * called with each Node version that it supports.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProfile } from '../../server/src/features/account/profiles/contract.ts'
import type { TestApp } from '../../server/test/app.ts'
import { makeApp, makeKey, startTestProfile } from '../../server/test/make.ts'
import { outsideFolder, outsideIt, runOutside } from '../../server/test/outside/outside.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)

let app: TestApp
let profileId: string
let workspaceId: string
let folder: string
beforeAll(async () => {
  ;({ app, profileId, workspaceId } = await startTestProfile())
  folder = mkdtempSync(join(tmpdir(), 'whence-sdk-'))
  const source = join(folder, 'source')
  cpSync(join(root, 'sdk'), source, { recursive: true, filter: (path) => !/node_modules|dist/.test(path) })
  await run(process.execPath, [tsc, '-p', source])
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: source })
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'empty', type: 'module', private: true }),
  )
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', `./${tarball}`], {
    cwd: folder,
  })
}, 300_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await app.close()
})

it('every example of the README compiles in an empty project and runs against the service', async () => {
  expect(blocks.length).toBeGreaterThan(4)
  for (const [index, code] of blocks.entries()) writeFileSync(join(folder, `example-${index}.ts`), code)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck']
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const files = blocks.map((_, index) => `example-${index}.ts`)
  await run(process.execPath, [tsc, ...options, ...types, '--ignoreConfig', ...files], { cwd: folder })
  const key = await makeKey(app, profileId, [
    'events:write',
    'campaigns:read',
    'conversions:read',
    'connections:read',
    'payments:read',
  ])
  const partner = await makeApp(app, workspaceId)
  await partner.call(createProfile, { body: { name: 'Acme Madrid', user: { email: 'owner@acme.example' } } })
  const client = { CLIENT_ID: partner.clientId, CLIENT_SECRET: partner.secret }
  const env = { ...process.env, WHENCE_URL: app.baseUrl, WHENCE_KEY: key, ...client }
  const printed: string[] = []
  for (const index of blocks.keys()) {
    const { stdout } = await run(process.execPath, [`example-${index}.ts`], { cwd: folder, env })
    printed.push(stdout)
  }
  expect(printed[0]).toContain('accepted')
  expect(printed[2]).toContain('no such connection')
  expect(printed.at(-1)).toContain('Acme Madrid')
})

outsideIt(
  'its types compile with the TypeScript version that most projects use',
  { timeout: 60_000 },
  async () => {
    const code = `import { createClient, sendEvent, type WebhookEvent } from '@whence/sdk'
    const client = createClient({ baseUrl: '', token: '' })
    export const status = (): Promise<'accepted' | 'updated' | 'unchanged'> =>
      client.call(sendEvent, { body: { event_name: 'lead_created' } }).then((answer) => answer.data.status)
    // @ts-expect-error: no such member
    client.call(sendEvent, { body: { event: 'lead_created' } })
    export const typeOf = (event: WebhookEvent) => event.type`
    for (const extension of ['mts', 'cts', 'ts']) writeFileSync(join(folder, `types.${extension}`), code)
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--module']
    await runOutside('typescript/bin/tsc', [...options, 'nodenext', 'types.mts', 'types.cts'], folder)
    const bundled = ['esnext', '--moduleResolution', 'bundler', 'types.ts']
    await runOutside('typescript/bin/tsc', [...options, ...bundled], folder)
  },
)

/** Path of a Node binary from npm packages; null if there is none for this machine. */
function nodeOf(major: string): string | null {
  const path = `${outsideFolder}node_modules/node-${major}-${process.arch}/bin/node`
  const isPublished = process.platform === 'linux' && /^(x64|arm64)$/.test(process.arch)
  if (!existsSync(path) && isPublished) throw new Error(`Node ${major} is missing in tools/outside`)
  return isPublished ? path : null
}

const body = `
  const client = createClient({ baseUrl: process.env.WHENCE_URL, token: process.env.WHENCE_KEY })
  const payment = { event_name: 'payment_received', properties: { value: 20, currency: 'EUR' } }
  const [first, second] = ['a', 'b'].map((key) => ({ ...payment, idempotency_key: process.version + key }))
  const sent = await client.call(sendEvents, { body: { events: [first, second, first] } })
  const pages = []
  const query = { from: '2026-01-01T00:00:00Z', to: new Date(Date.now() + 86400000).toISOString(), limit: 1 }
  for await (const row of client.rows(listPayments, { query })) pages.push(row.value)
  const refusal = await client.call(getConnection, { params: { id: crypto.randomUUID() } }).catch((error) => error)
  const stale = await verifyWebhook('{}', {}, 'whsec_AAAA').catch((error) => error.name)
  console.log(JSON.stringify([process.version, sent.data.accepted, pages.length > 0, refusal.code, stale]))`
const names = 'createClient, getConnection, listPayments, sendEvents, verifyWebhook'

outsideIt.for(['20', '22', '24'])(
  'runs with Node %s, imported and required',
  { timeout: 60_000 },
  async (major, { skip }) => {
    const node = nodeOf(major)
    if (node === null) return skip('no package of Node for this machine')
    const scopes = ['events:write', 'payments:read', 'connections:read'] as const
    const key = await makeKey(app, profileId, scopes)
    writeFileSync(join(folder, 'call.mjs'), `import { ${names} } from '@whence/sdk'\n${body}`)
    writeFileSync(
      join(folder, 'call.cjs'),
      `const { ${names} } = require('@whence/sdk')\nvoid (async () => {${body}})()`,
    )
    const env = { PATH: process.env.PATH, WHENCE_URL: app.baseUrl, WHENCE_KEY: key }
    for (const file of ['call.mjs', 'call.cjs']) {
      const { stdout } = await run(node, [file], { cwd: folder, env })
      await app.service.processor.settled(profileId)
      const [version, ...rest] = JSON.parse(stdout)
      expect([file, version.split('.')[0]]).toEqual([file, `v${major}`])
      expect(rest).toEqual([file === 'call.mjs' ? 2 : 0, true, 'not_found', 'WebhookVerificationError'])
    }
  },
)
