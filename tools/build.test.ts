import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
  'server/src/features/outgoing/exports/ledger/contract.ts': "export { reasons } from './reasons.ts'",
  'server/src/features/outgoing/exports/ledger/reasons.ts': "import { models } from '@whence/engine'",
  'server/src/platform/access/contract.ts': 'export const roles = []',
  'server/src/features/outgoing/exports/queries.ts': 'export const rows = []',
  'docs/console.md': '# Using the console',
  'console/src/main.tsx': "import './pages/ledger.ts'\nimport guide from '../../docs/console.md?raw'",
  'console/src/pages/ledger.ts': `
    import { reasons } from '@whence/server/features/outgoing/exports/ledger/contract.ts'
    const roles = import('@whence/server/platform/access/contract.ts')`,
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

describe('the console is built again', () => {
  it.each([
    'console/src/main.tsx',
    'server/src/features/outgoing/exports/ledger/contract.ts',
    'server/src/features/outgoing/exports/ledger/reasons.ts',
    'server/src/platform/access/contract.ts',
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

  it('after a change of any contract that this checkout imports, at any depth', () => {
    const contracts = bundledFiles(root, 'console').filter((path) => path.endsWith('/contract.ts'))
    expect(contracts.length).toBeGreaterThan(40)
    expect(contracts.filter((path) => path.includes('/exports/')).length).toBeGreaterThan(5)
  })
})
