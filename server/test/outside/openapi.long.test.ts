/** openapi.json with third-party linters and generators, and two generated clients used against the service. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect } from 'vitest'
import { startTestProfile } from '../make.ts'
import { outsideFolder, outsideIt, runOutside } from './outside.ts'

const openapi = fileURLToPath(new URL('../../../openapi.json', import.meta.url))
const options = { timeout: 240_000 }

let profile: Awaited<ReturnType<typeof startTestProfile>>
let folder: string
beforeAll(async () => {
  profile = await startTestProfile(['events:write', 'campaigns:read'])
  folder = await mkdtemp(join(tmpdir(), 'whence-openapi-'))
  await symlink(`${outsideFolder}node_modules`, join(folder, 'node_modules'))
})
afterAll(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  await profile?.app.close()
})

const writeJson = (name: string, value: object) => writeFile(join(folder, name), JSON.stringify(value))

outsideIt('Redocly finds no error in the document or its examples', options, async () => {
  // JSON is valid YAML, and the tool requires this file name.
  await writeJson('redocly.yaml', {
    extends: ['recommended'],
    rules: { 'no-invalid-media-type-examples': 'error', 'no-invalid-schema-examples': 'error' },
  })
  const config = join(folder, 'redocly.yaml')
  const { stderr } = await runOutside('@redocly/cli/bin/cli.js', ['lint', '--config', config, openapi])
  expect(stderr).toContain('Your API description is valid')
})

outsideIt('Spectral finds no error', options, async () => {
  // Spectral's rules for examples take 35 s of CPU; Redocly checks the examples.
  const examples = { 'oas3-valid-media-example': 'off', 'oas3-valid-schema-example': 'off' }
  await writeJson('spectral.json', { extends: [['spectral:oas', 'recommended']], rules: examples })
  const ruleset = ['--ruleset', join(folder, 'spectral.json')]
  const args = ['lint', ...ruleset, '--fail-severity', 'error', openapi]
  const { stdout } = await runOutside('@stoplight/spectral-cli/dist/index.js', args)
  expect(stdout).toMatch(/\(0 errors|No results with a severity/)
})

const event = `{
  event_name: 'payment_received',
  idempotency_key: key,
  properties: { value: 100, currency: 'EUR' },
  user_traits: { email: 'ana@example.com' },
}`
const parameters = `baseUrl: string, token: string`
const clientOptions = `{ baseUrl, headers: { Authorization: \`Bearer \${token}\` } }`

/** With explicit return types, so that a response of type `unknown` does not compile. */
const uses = {
  'openapi-fetch': `
    import createClient from 'openapi-fetch'
    import type { paths } from './openapi-typescript/types'
    export const connect = (${parameters}) => {
      const client = createClient<paths>(${clientOptions})
      return {
        send: async (key: string): Promise<'accepted' | 'updated' | 'unchanged' | undefined> =>
          (await client.POST('/api/v1/events', { body: ${event} })).data?.data.status,
        total: async (query: { date_from: string; date_to: string }): Promise<number | undefined> =>
          (await client.GET('/api/v1/campaigns', { params: { query } })).data?.meta.reconciliation.total,
      }
    }`,
  'hey-api': `
    import { listCampaigns, sendEvent } from './hey-api'
    import { createClient } from './hey-api/client'
    export const connect = (${parameters}) => {
      const client = createClient(${clientOptions})
      return {
        send: async (key: string): Promise<'accepted' | 'updated' | 'unchanged' | undefined> =>
          (await sendEvent({ client, body: ${event} })).data?.data.status,
        total: async (query: { date_from: string; date_to: string }): Promise<number | undefined> =>
          (await listCampaigns({ client, query })).data?.meta.reconciliation.total,
      }
    }`,
}

type Connect = (
  baseUrl: string,
  token: string,
) => {
  send(key: string): Promise<string | undefined>
  total(query: { date_from: string; date_to: string }): Promise<number | undefined>
}

async function loadUse(name: string): Promise<Connect> {
  const outfile = join(folder, `use-${name}.mjs`)
  await build({ entryPoints: [join(folder, `use-${name}.ts`)], outfile, bundle: true, format: 'esm' })
  return ((await import(pathToFileURL(outfile).href)) as { connect: Connect }).connect
}

outsideIt(
  'clients of three generators compile in strict mode; two send an event and read a report',
  options,
  async () => {
    await Promise.all(['openapi-typescript', 'orval'].map((name) => mkdir(join(folder, name))))
    await Promise.all([
      runOutside('openapi-typescript/bin/cli.js', [
        openapi,
        '--default-non-nullable=false',
        '--output',
        join(folder, 'openapi-typescript/types.ts'),
      ]),
      runOutside('@hey-api/openapi-ts/bin/run.js', ['-i', openapi, '-o', join(folder, 'hey-api')], folder),
      runOutside(
        'orval/dist/bin/orval.mjs',
        ['--input', openapi, '--output', join(folder, 'orval/client.ts'), '--client', 'fetch'],
        folder,
      ),
    ])
    for (const [name, code] of Object.entries(uses)) await writeFile(join(folder, `use-${name}.ts`), code)
    await writeJson('tsconfig.json', {
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
        skipLibCheck: true,
      },
      files: ['orval/client.ts', ...Object.keys(uses).map((name) => `use-${name}.ts`)],
    })
    await runOutside('typescript/bin/tsc', ['-p', folder])

    const { app, key } = profile
    const now = app.service.clock.now().getTime()
    const day = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10)
    let total = 0
    for (const name of Object.keys(uses)) {
      const client = (await loadUse(name))(app.baseUrl, key)
      expect(await client.send(name), name).toBe('accepted')
      await app.service.processor.settled(profile.profileId)
      total += 100
      expect(await client.total({ date_from: day(-1), date_to: day(1) }), name).toBe(total)
    }
  },
)
