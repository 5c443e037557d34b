/** Every API operation is used in the console, or has a reason why not. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { routes } from '../../server/src/app.ts'

/** Areas that are complete. Newer reports get their pages separately. */
const complete = [
  'api-keys',
  'apps',
  'attribution',
  'audit',
  'auth',
  'branding',
  'campaigns',
  'connections',
  'conversions',
  'customer-data-exports',
  'customers',
  'erasures',
  'events',
  'exports',
  'identity',
  'integrations',
  'mcp',
  'members',
  'operator',
  'payments',
  'profiles',
  'retired',
  'top-performers',
  'tracking',
  'webhooks',
  'workspaces',
]

async function sourceOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name) && !file.name.includes('.test.'))
    .map((file) => readFile(join(file.parentPath, file.name), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}

/** Words that confused users; none may come back. */
const stumbledOver =
  /for want of a rate|Nothing to mend|They say|We find\b|Nobody named|Told by the CRM|Lapses|Whence itself|being made again/

it('no page uses the words that confused users', async () => {
  const source = await sourceOf(join(import.meta.dirname, '../src'))
  expect(source.match(stumbledOver)).toBe(null)
})

it('every operation has a page that calls it, or a reason in its contract', async () => {
  const source = await sourceOf(join(import.meta.dirname, '../src'))
  const used = new Set(source.match(/\b[a-z]\w+\b/g))
  const entries = routes.map(({ entry }) => entry).filter(({ tag }) => complete.includes(tag))
  const unused = entries.filter(({ name }) => !used.has(name)).map(({ name }) => name)
  const excused = entries.filter(({ noPage, retired }) => noPage ?? retired).map(({ name }) => name)
  expect(
    unused.sort(),
    'Give the contract of an operation without a page a `noPage`; remove it when a page calls it',
  ).toEqual(excused.sort())
})
