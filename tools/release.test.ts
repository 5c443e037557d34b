/** `npm run release` in a temporary repository. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

let repository: string
const files: Record<string, unknown> = {
  'package.json': {
    name: 'whence',
    version: '1.4.0',
    workspaces: ['server'],
    devDependencies: { vitest: '5.1.0' },
  },
  'server/package.json': {
    name: '@whence/server',
    version: '1.4.0',
    dependencies: { '@whence/engine': '1.4.0' },
  },
  'package-lock.json': {
    name: 'whence',
    version: '1.4.0',
    packages: {
      '': { name: 'whence', version: '1.4.0' },
      server: { name: '@whence/server', version: '1.4.0', dependencies: { '@whence/engine': '1.4.0' } },
      'node_modules/vitest': { version: '5.1.0' },
    },
  },
  'openapi.json': { info: { title: 'Whence', version: '1.4.0' } },
  'server/migrations/previous-release.json': {
    version: '1.3.0',
    commit: 'before',
    lastMigration: '0001_a.sql',
  },
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
const read = (file: string) => readFileSync(join(repository, file), 'utf8')
const json = (file: string) => JSON.parse(read(file))

function write(file: string, text: string): void {
  mkdirSync(dirname(join(repository, file)), { recursive: true })
  writeFileSync(join(repository, file), text)
}

const identity = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' }
const env = { ...process.env, ...identity, GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' }
const release = (next: string) =>
  execFileSync(process.execPath, ['tools/release.mjs', next], {
    cwd: repository,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  })

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'whence-release-'))
  cpSync(fileURLToPath(new URL('.', import.meta.url)), join(repository, 'tools'), {
    recursive: true,
    // The packages of the long tests are thousands of files.
    filter: (source) => basename(source) !== 'node_modules',
  })
  for (const [file, content] of Object.entries(files)) write(file, `${JSON.stringify(content, null, 2)}\n`)
  write('server/migrations/0001_a.sql', '')
  write('server/migrations/0002_b.sql', '')
  write('sdk-python/pyproject.toml', '[project]\nversion = "1.4.0"\n')
  write('compose.yaml', 'services:\n  api:\n    image: whence:1.4.0\n')
  write('CHANGELOG.md', '# Changelog\n\n## 1.4.0 (unreleased)\n\n- New.\n\n## 1.3.0 (2026-01-01)\n')
  git('init', '-q')
  git('add', '.')
  execFileSync('git', ['commit', '-qm', 'All'], { cwd: repository, env })
})
afterAll(() => rmSync(repository, { recursive: true, force: true }))

it('refuses a version that is not newer, and changes nothing', () => {
  expect(() => release('1.4.0')).toThrow(/Name the version to begin after 1\.4\.0/)
  expect(git('status', '--porcelain')).toBe('')
})

it('tags the release, then begins the next one everywhere', () => {
  release('1.10.0')
  expect(git('log', '--format=%s')).toBe('Begin 1.10.0\nRelease 1.4.0\nAll')
  expect(git('rev-parse', 'v1.4.0^{commit}')).toBe(git('rev-parse', 'HEAD~1'))
  expect(json('server/migrations/previous-release.json')).toEqual({
    version: '1.4.0',
    commit: git('rev-parse', 'HEAD~1'),
    lastMigration: '0002_b.sql',
  })
  const today = new Date().toISOString().slice(0, 10)
  expect(read('CHANGELOG.md')).toBe(
    `# Changelog\n\n## 1.10.0 (unreleased)\n\n**Recompute needed**: no.\n\n## 1.4.0 (${today})\n\n- New.\n\n## 1.3.0 (2026-01-01)\n`,
  )
  expect(json('server/package.json')).toMatchObject({
    version: '1.10.0',
    dependencies: { '@whence/engine': '1.10.0' },
  })
  expect(json('package-lock.json').packages['']).toMatchObject({ version: '1.10.0' })
  expect(json('package-lock.json').packages.server.dependencies).toEqual({ '@whence/engine': '1.10.0' })
  expect(json('package-lock.json').packages['node_modules/vitest']).toEqual({ version: '5.1.0' })
  expect(json('openapi.json').info.version).toBe('1.10.0')
  expect(read('compose.yaml')).toContain('image: whence:1.10.0\n')
  expect(read('sdk-python/pyproject.toml')).toContain('version = "1.10.0"\n')
  expect(json('package.json').devDependencies).toEqual({ vitest: '5.1.0' })
})
