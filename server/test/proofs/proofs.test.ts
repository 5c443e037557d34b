import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { chooseProofs, type Lock, readLock } from './lock.ts'
import { hashOf, listProofs, sourcesOf } from './sources.ts'

function folderOf(files: Record<string, string>): string {
  const at = mkdtempSync(join(tmpdir(), 'whence-proofs-'))
  onTestFinished(() => rmSync(at, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(at, name), text)
  return at
}

it('the sources of a proof are what it imports, what those import, and the files that they name', () => {
  const at = folderOf({
    'a.proof.ts': "import { b } from './b.ts'",
    'b.ts': "export { c } from './c.ts'\nconst url = new URL('./table.json', import.meta.url)",
    'c.ts': "import type { A } from './a.proof.ts'\nawait import('./d.ts')",
    'd.ts': "import pg from 'pg'",
    'table.json': '{}',
    'other.ts': '',
    'package-lock.json':
      '{"packages":{"node_modules/pg":{"version":"8.0.0"},"node_modules/zod":{"version":"4.0.0"}}}',
  })
  const sources = sourcesOf('a.proof.ts', at)
  expect(sources).toEqual(['a.proof.ts', 'b.ts', 'c.ts', 'd.ts', 'pg@8.0.0', 'table.json'])
  const before = hashOf(sources, at)
  writeFileSync(join(at, 'other.ts'), 'changed')
  expect(hashOf(sourcesOf('a.proof.ts', at), at)).toBe(before)
  for (const name of sources.filter((source) => !source.includes('@'))) {
    const last = hashOf(sources, at)
    writeFileSync(join(at, name), `// ${name}`)
    expect(hashOf(sources, at), name).not.toBe(last)
  }
})

it('proofs that use the database depend on the migrations, and the simulation on what its process runs', () => {
  const oracle = sourcesOf('server/test/oracle/worlds-1.proof.ts')
  expect(oracle).toContain('server/migrations/0001_service.sql')
  expect(oracle).toContain('engine/src/index.ts')
  const planted = sourcesOf('server/test/simulation/planted.proof.ts')
  expect(planted).toContain('server/src/features/outgoing/webhooks/delivery/dispatcher.ts')
})

it('a proof runs again if its sources changed, and one of the others is drawn by the commit', () => {
  const proven = (sources: string) => ({ sources, tests: [], figures: [] })
  const lock: Lock = { a: proven('1'), b: proven('2'), c: proven('3'), 'server/test/d': proven('4') }
  const now = { a: '1', b: 'changed', c: '3', added: '5', 'server/test/d': 'changed' }
  expect(chooseProofs(lock, now, '0000000')).toEqual({ changed: ['added', 'b'], drawn: 'a' })
  expect(chooseProofs(lock, now, '0000001')).toEqual({ changed: ['added', 'b'], drawn: 'c' })
  expect(chooseProofs({}, now, '0000001')).toEqual({ changed: ['a', 'added', 'b', 'c'], drawn: undefined })
})

it('the list names only proofs that exist', () => {
  const existing = listProofs()
  expect(Object.keys(readLock()).filter((file) => !existing.includes(file))).toEqual([])
})
