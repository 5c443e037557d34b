/** All version numbers are the same. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { knownMigrations, previousRelease } from '../src/platform/db/migrate.ts'
import { compareVersions, version } from '../src/platform/version.ts'

const root = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')

it('every package, the lockfile, openapi.json and the newest section of the changelog have the same version', () => {
  const { workspaces, ...manifest } = JSON.parse(read('package.json'))
  expect(manifest.version).toBe(version)
  for (const folder of workspaces)
    expect(JSON.parse(read(`${folder}/package.json`)).version, folder).toBe(version)
  expect(JSON.parse(read('package-lock.json')).version).toBe(version)
  expect(JSON.parse(read('openapi.json')).info.version).toBe(version)
  expect(/^## (\S+)/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
})

it('the previous release is older, is in the changelog, and its newest migration exists', () => {
  expect(compareVersions(previousRelease.version, version)).toBeLessThan(0)
  expect(read('CHANGELOG.md')).toContain(`## ${previousRelease.version} (`)
  expect(knownMigrations).toContain(previousRelease.lastMigration)
})

it('every section of the changelog except the first states whether a recompute is needed', () => {
  const sections = read('CHANGELOG.md').split(/^## /m).slice(1)
  expect(sections.length).toBeGreaterThan(1)
  for (const section of sections.slice(0, -1))
    expect(section, section.split('\n')[0]).toMatch(/^\*\*Recompute needed\*\*: (yes|no)/m)
})

it('versions are compared by number', () => {
  expect(compareVersions('0.10.0', '0.9.1')).toBeGreaterThan(0)
  expect(compareVersions('1.0.0', '1.0.0')).toBe(0)
  expect(compareVersions('0.1.9', '0.2.0')).toBeLessThan(0)
})
