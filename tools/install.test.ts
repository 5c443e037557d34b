/** The install step in a temporary checkout, with an `npm` that only records how it was called. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

let checkout: string
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'whence-install-'))
  cpSync(fileURLToPath(new URL('.', import.meta.url)), join(checkout, 'tools'), { recursive: true })
  write('package.json', '{ "type": "module" }')
  write('bin/npm', `#!/bin/sh\necho "$@" > ${join(checkout, 'npm-was-called')}\n`, 0o755)
  const runtime = { version: '1.0.0' }
  const bundler = { version: '2.0.0', dev: true }
  writeLock('package-lock.json', { 'node_modules/runtime': runtime, 'node_modules/bundler': bundler })
  writeLock('node_modules/.package-lock.json', { 'node_modules/runtime': runtime })
  for (const name of ['tracker', 'console']) {
    write(`${name}/package.json`, '{ "scripts": { "build": "true" } }')
    write(`${name}/src/index.ts`, '')
  }
})
afterEach(() => rmSync(checkout, { recursive: true, force: true }))

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(checkout, file)), { recursive: true })
  writeFileSync(join(checkout, file), text, { mode })
}

function writeLock(file: string, packages: Record<string, unknown>): void {
  write(file, JSON.stringify({ packages }))
}

/** Bundles that are newer than every source. */
function writeBundles(): void {
  const inTheFuture = new Date(Date.now() + 60_000)
  for (const name of ['tracker', 'console']) {
    write(`${name}/dist/index.js`, '')
    utimesSync(join(checkout, name, 'dist/index.js'), inTheFuture, inTheFuture)
  }
}

/** True if `npm` was called to install. */
function installs(script: string): boolean {
  rmSync(join(checkout, 'npm-was-called'), { force: true })
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: checkout,
    env: { ...process.env, PATH: [join(checkout, 'bin'), process.env.PATH].join(delimiter) },
  })
  return existsSync(join(checkout, 'npm-was-called'))
}

const asStartDoes = `
  import { isBuilt } from './tools/build.mjs'
  import { install } from './tools/install.mjs'
  await install({ production: isBuilt() })`
const asChecksDo = `import { install } from './tools/install.mjs'; await install()`

it('a start with production packages and finished bundles installs nothing', () => {
  writeBundles()
  expect(installs(asStartDoes)).toBe(false)
})

it('a start whose bundles must still be built installs the development packages', () => {
  expect(installs(asStartDoes)).toBe(true)
})

it('checks need the development packages', () => {
  writeBundles()
  expect(installs(asChecksDo)).toBe(true)
})

it('a production package of another version is installed again', () => {
  writeBundles()
  writeLock('node_modules/.package-lock.json', { 'node_modules/runtime': { version: '0.9.0' } })
  expect(installs(asStartDoes)).toBe(true)
})
