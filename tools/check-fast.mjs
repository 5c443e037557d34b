// The quick check during development: format and lint, types, and the tests of changes since main (or since the
// given commit). `npm run check` is the complete one.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { changedFiles, testsOf, typeProjectsOf } from './changed-files.mjs'
import { install } from './install.mjs'
import { fail, root, run, runtime, say } from './project.mjs'

await install()
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const files = changedFiles(git, process.argv[2])
const exists = (path) => existsSync(join(root, path))
if (files === undefined) fail('No commit to compare with: npm run check:fast -- <commit>')
if (files.length === 0) {
  say('Nothing changed.')
  process.exit(0)
}

const tool = (path, ...args) => run(runtime(), [join('node_modules', path), ...args], { quiet: true })
const formatted = files.filter((file) => /\.(ts|tsx|mjs|js|json|css)$/.test(file))
const tests = testsOf(files, exists)
let failed = 0

if (formatted.length > 0)
  await step(`format and lint of ${formatted.length} files`, () =>
    tool(
      '@biomejs/biome/bin/biome',
      'check',
      '--diagnostic-level=error',
      '--no-errors-on-unmatched',
      ...formatted,
    ),
  )
for (const project of typeProjectsOf(files))
  await step(`types of ${project === '.' ? 'the server' : `the ${project}`}`, () =>
    tool('typescript/bin/tsc', '--noEmit', '-p', project),
  )
if (tests.length > 0)
  await step(`tests: ${tests.join(' ')}`, async () => {
    await build()
    return run(runtime(), ['node_modules/vitest/vitest.mjs', 'run', ...tests])
  })
process.exit(failed === 0 ? 0 : 1)

async function step(name, check) {
  const startedAt = Date.now()
  const code = await check()
  if (code !== 0) failed++
  say(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
}
