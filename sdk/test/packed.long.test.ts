/** The package as others get it: packed, installed in an empty project, compiled, and its README run against a service. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../server/test/app.ts'
import { makeKey, startTestProfile } from '../../server/test/make.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)

let app: TestApp
let profileId: string
let folder: string
beforeAll(async () => {
  ;({ app, profileId } = await startTestProfile())
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
  const env = { ...process.env, WHENCE_URL: app.baseUrl, WHENCE_KEY: key }
  const printed: string[] = []
  for (const [index, code] of blocks.entries()) {
    if (code.includes('CLIENT_SECRET')) continue
    const { stdout } = await run(process.execPath, [`example-${index}.ts`], { cwd: folder, env })
    printed.push(stdout)
  }
  expect(printed[0]).toContain('accepted')
  expect(printed[2]).toContain('no such connection')
})
