import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { isStale } from './build.mjs'
import { bundledFiles } from './bundled-files.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const temporary = mkdtempSync(join(tmpdir(), 'whence-build-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

const files = {
  'server/package.json': '{ "exports": { "./*": "./src/*" } }',
  'engine/package.json': '{ "exports": { ".": "./src/index.ts" } }',
  'engine/src/index.ts': 'export const models = 5',
  'sdk/package.json':
    '{ "exports": { ".": { "@whence/source": "./src/index.ts", "default": "./dist/index.js" } } }',
  'sdk/src/index.ts': "export * from './generated/operations.ts'",
  'sdk/src/generated/operations.ts': 'export const listRows = {}',
  'server/src/platform/contract/dates.ts': "export { DAY_MS } from './spans.ts'",
  'server/src/platform/contract/spans.ts': "import { models } from '@whence/engine'",
  'server/src/platform/contract/access.ts': 'export const roles = []',
  'server/src/features/outgoing/exports/queries.ts': 'export const rows = []',
  'docs/console.md': '# Using the console',
  'console/src/main.tsx': "import './pages/ledger.ts'\nimport guide from '../../docs/console.md?raw'",
  'console/test/visit.ts': '',
  'console/src/pages/ledger.ts': `
    import { listRows } from '@whence/sdk'
    import { DAY_MS } from '@whence/server/platform/contract/dates.ts'
    const roles = import('@whence/server/platform/contract/access.ts')`,
  'console/dist/index.js': '',
}

/** A checkout whose console was built at second 2000, after every source (second 1000). */
function makeCheckout(): string {
  const checkout = mkdtempSync(join(temporary, 'checkout-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true })
    writeFileSync(join(checkout, path), text)
    utimesSync(join(checkout, path), 1000, path.includes('dist') ? 2000 : 1000)
  }
  return checkout
}

describe('the console is rebuilt', () => {
  it.each([
    'console/src/main.tsx',
    'sdk/src/index.ts',
    'sdk/src/generated/operations.ts',
    'server/src/platform/contract/dates.ts',
    'server/src/platform/contract/spans.ts',
    'server/src/platform/contract/access.ts',
    'engine/src/index.ts',
    'docs/console.md',
  ])('after a change of %s', (path) => {
    const checkout = makeCheckout()
    expect(isStale(checkout, 'console')).toBe(false)
    utimesSync(join(checkout, path), 3000, 3000)
    expect(isStale(checkout, 'console')).toBe(true)
  })

  it('not after a change of a server file that it does not import', () => {
    const checkout = makeCheckout()
    utimesSync(join(checkout, 'server/src/features/outgoing/exports/queries.ts'), 3000, 3000)
    expect(isStale(checkout, 'console')).toBe(false)
  })

  it('not after a change of the console’s tests', () => {
    const checkout = makeCheckout()
    utimesSync(join(checkout, 'console/test/visit.ts'), 3000, 3000)
    expect(isStale(checkout, 'console')).toBe(false)
  })

  it('after a change of the generated operations of this checkout, which follow the contracts', () => {
    const files = bundledFiles(root, 'console').map((path) => relative(root, path))
    expect(files).toContain('sdk/src/generated/operations.ts')
    expect(files.filter((path) => path.endsWith('/contract.ts'))).toEqual([])
  })
})
