/** Runs the worked example of CONTRIBUTING.md in a copy of the repository. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyCheckout } from '../server/test/guards/checkout-copy.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let copy: Awaited<ReturnType<typeof copyCheckout>>
beforeAll(async () => {
  copy = await copyCheckout(root)
})
afterAll(() => copy.remove())

async function blocks(): Promise<{ path: string; text: string }[]> {
  const guide = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8')
  return [...guide.matchAll(/^```ts (\S+)\n([\s\S]*?)^```$/gm)].map(([, path, text]) => ({
    path: path!,
    text: text!,
  }))
}

/** One line for the imports, one for the list of routes. */
async function addToApp(text: string): Promise<void> {
  const [statement, entry] = text.trimEnd().split('\n')
  const file = join(copy.path, 'server/src/app.ts')
  const app = await readFile(file, 'utf8')
  expect(app).toContain('  ...annotationRoutes,\n')
  const listed = app.replace('  ...annotationRoutes,\n', (line) => `${line}${entry}\n`)
  await writeFile(file, listed.replace(/^import /m, `${statement}\nimport `))
}

/** Adds the feature to both lists of its wing. */
async function addToWing(): Promise<void> {
  for (const name of ['docs/architecture.md', 'server/src/features/insights/README.md']) {
    const file = join(copy.path, name)
    const text = await readFile(file, 'utf8')
    expect(text).toContain('annotations, ')
    await writeFile(file, text.replaceAll('annotations, ', 'annotations, annotation-count, '))
  }
}

it('works as written, and the rules of the layout accept it', { timeout: 300_000 }, async () => {
  const all = await blocks()
  expect(all.map(({ path }) => path.split('/').at(-1))).toEqual([
    'contract.ts',
    'queries.ts',
    'operations.ts',
    'routes.ts',
    'app.ts',
    'annotation-count.test.ts',
  ])
  for (const { path, text } of all) {
    if (path === 'server/src/app.ts') await addToApp(text)
    else {
      await mkdir(dirname(join(copy.path, path)), { recursive: true })
      await writeFile(join(copy.path, path), text)
    }
  }
  await addToWing()
  const test = all.find(({ path }) => path.endsWith('.test.ts'))!.path
  const tests = [test, 'server/test/import-rules.test.ts']
  const { TEST_LENGTH: _length, ...env } = process.env
  const run = await promisify(execFile)(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config=vitest.config.ts', ...tests],
    { cwd: copy.path, env: { ...env, NO_COLOR: '1' } },
  ).catch((error: { stdout: string; stderr: string }) => ({ failed: true, ...error }))
  expect(run, `${run.stdout}${run.stderr}`).not.toHaveProperty('failed')
  expect(run.stdout).toMatch(/Test Files +2 passed/)
})
