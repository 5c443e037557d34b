/** The install step in a temporary checkout, with a fake `npm` that records its arguments. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

type Needs = { dependencies?: object; optionalDependencies?: object }

let checkout: string
const runtime = { version: '1.0.0' }
const checker = { version: '2.0.0', dev: true }
/** A binary, for this platform or another. */
const binary = { version: '3.0.0', optional: true }
const lock = {
  'node_modules/runtime': runtime,
  'node_modules/checker': checker,
  'node_modules/binary': binary,
}
const lean = { 'node_modules/runtime': runtime, 'node_modules/binary': binary }

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'whence-install-'))
  cpSync(fileURLToPath(new URL('.', import.meta.url)), join(checkout, 'tools'), {
    recursive: true,
    filter: (path) => !path.endsWith('node_modules'),
  })
  write('package.json', '{ "type": "module" }')
  write('bin/npm', `#!/bin/sh\necho "$1 $2" > ${join(checkout, 'npm-was-called')}\n`, 0o755)
  writeLock('package-lock.json', lock)
})
afterEach(() => rmSync(checkout, { recursive: true, force: true }))

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(checkout, file)), { recursive: true })
  writeFileSync(join(checkout, file), text, { mode })
}

const installedFile = 'node_modules/.package-lock.json'
function writeLock(file: string, packages: Record<string, unknown>): void {
  write(file, JSON.stringify({ packages }))
}

/** Arguments of the `npm` call, or null if it was not called. */
function install(options: string): string | null {
  const recorded = join(checkout, 'npm-was-called')
  rmSync(recorded, { force: true })
  const script = `import { install } from './tools/install.mjs'; await install(${options})`
  spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: checkout,
    env: { ...process.env, PATH: [join(checkout, 'bin'), process.env.PATH].join(delimiter) },
  })
  return existsSync(recorded) ? readFileSync(recorded, 'utf8').trim() : null
}

const forStart = () => install('{ production: true }')
const forChecks = () => install('')
const LEAN = 'ci --omit=dev'
const ALL = 'ci --include=dev'

it('on a fresh clone a start installs runtime dependencies, and checks install everything', () => {
  expect(forStart()).toBe(LEAN)
  expect(forChecks()).toBe(ALL)
})

it('after a start, checks complete the install, and another start installs nothing', () => {
  writeLock(installedFile, lean)
  expect(forStart()).toBeNull()
  expect(forChecks()).toBe(ALL)
})

it('after checks neither installs anything', () => {
  writeLock(installedFile, lock)
  expect(forChecks()).toBeNull()
  expect(forStart()).toBeNull()
})

it('packages of an older lockfile are replaced, and a checkout keeps its development packages', () => {
  const older = { 'node_modules/runtime': { version: '0.9.0' } }
  writeLock(installedFile, { ...lean, ...older })
  expect(forStart()).toBe(LEAN)
  writeLock(installedFile, { ...lock, ...older })
  expect(forStart()).toBe(ALL)
})

it('a binary of another platform may be missing, but not be of another version', () => {
  writeLock(installedFile, { 'node_modules/runtime': runtime, 'node_modules/checker': checker })
  expect(forChecks()).toBeNull()
  writeLock(installedFile, { ...lock, 'node_modules/binary': { ...binary, version: '2.9.0' } })
  expect(forChecks()).toBe(ALL)
})

it('an interrupted install is repeated', () => {
  writeLock(installedFile, { ...lean, 'node_modules/runtime': { version: '0.9.0' } })
  write('bin/npm', `#!/bin/sh\necho "$1 $2" > ${join(checkout, 'npm-was-called')}\nkill -9 $$\n`, 0o755)
  writeLock('package-lock.json', { 'node_modules/runtime': { version: '1.1.0' } })
  expect(forStart()).toBe(LEAN)
  writeLock('package-lock.json', { 'node_modules/runtime': { version: '0.9.0' } })
  expect(forStart()).toBe(LEAN)
  write(installedFile, '{ "packages": { "node_mod')
  expect(forStart()).toBe(LEAN)
})

it.each(['../package-lock.json', 'outside/package-lock.json'])(
  '%s names every package that one in it needs, so that npm ci takes it on every platform',
  (path) => {
    const file = new URL(path, import.meta.url)
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Needs> }
    const isThere = (from: string, name: string): boolean => {
      if (packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`] !== undefined) return true
      return from !== '' && isThere(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
    }
    const missing = Object.entries(packages).flatMap(([from, entry]) =>
      Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
        .filter((name) => !isThere(from, name))
        .map((name) => `${name}, of ${from}`),
    )
    expect(missing).toEqual([])
  },
)

it('a built checkout needs no packages that only build', () => {
  const packages = {
    '': {},
    server: { dependencies: { runtime: '1.0.0' } },
    console: { dependencies: { bundler: '4.0.0', runtime: '1.0.0' } },
    'node_modules/runtime': { ...runtime, dependencies: { inner: '1.0.0' } },
    'node_modules/runtime/node_modules/inner': { version: '1.0.0' },
    'node_modules/inner': { version: '2.0.0' },
    'node_modules/bundler': { version: '4.0.0', dependencies: { inner: '2.0.0' } },
  }
  writeLock('package-lock.json', packages)
  writeLock(installedFile, packages)
  write('node_modules/runtime/index.js', '')
  write('node_modules/runtime/index.d.ts', '')
  write('node_modules/bundler/index.js', '')
  const script = `import { prune } from './tools/prune.mjs'; prune('.')`
  spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: checkout })
  const isLeft = (file: string) => existsSync(join(checkout, 'node_modules', file))
  expect(['runtime/index.js', 'runtime/index.d.ts', 'bundler'].map(isLeft)).toEqual([true, false, false])
  const left = Object.keys(JSON.parse(readFileSync(join(checkout, installedFile), 'utf8')).packages)
  expect(left.filter((path) => path.endsWith('inner'))).toEqual(['node_modules/runtime/node_modules/inner'])
  expect(install('{ production: true, withoutBuild: true }')).toBeNull()
  expect(install('{ production: true }')).toContain('ci --omit=dev')
})
