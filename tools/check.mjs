// All checks that a change must pass; `--no-tests`, `--no-dead-code` and so on skip a step.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { build } from './build.mjs'
import { generate } from './generate.mjs'
import { install } from './install.mjs'
import { root, run, runtime, say } from './project.mjs'

await install()

const tool = (path, ...args) => run(runtime(), [join('node_modules', path), ...args], { quiet: true })
const typed = ['.', 'console', 'tracker', 'sdk'].filter((folder) =>
  existsSync(join(root, folder, 'tsconfig.json')),
)

let failed = 0
// Type-aware rules need the whole tree, so they have a separate configuration; `biome check <file>` stays cheap.
const lint = ['check', '--config-path=biome.types.json', '--diagnostic-level=error', '.']
await step('lint', () => tool('@biomejs/biome/bin/biome', ...lint))
await step('types', async () => {
  const codes = []
  // Checkers repeat each other's work: with one per core the server takes 38 s of CPU, with four on two cores 49.
  const checkers = ['--checkers', String(Math.min(4, availableParallelism()))]
  for (const folder of typed)
    codes.push(await tool('typescript/bin/tsc', '--noEmit', ...checkers, '-p', folder))
  return Math.max(...codes)
})
// One core each.
await Promise.all([
  step('dead-code', () => tool('knip/bin/knip.js', '--no-progress')),
  step('generated', async () => {
    const changed = await generate()
    if (changed?.length) say(`  out of date, now regenerated: ${changed.join(', ')}`)
    return changed?.length === 0 ? 0 : 1
  }),
])
await step('guards', () => run(runtime(), ['server/test/guards/run.ts', '--check'], { quiet: true }))
await run(runtime(), ['tools/version-ends.mjs'])
await step('tests', async () => {
  await build()
  return run(runtime(), ['node_modules/vitest/vitest.mjs', 'run'])
})
process.exit(failed === 0 ? 0 : 1)

async function step(name, check) {
  if (process.argv.includes(`--no-${name}`)) return
  const startedAt = Date.now()
  const code = await check()
  if (code !== 0) failed++
  say(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
}
