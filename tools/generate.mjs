import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from './install.mjs'
import { environment, root, run, runtime, say } from './project.mjs'

const files = [
  'openapi.json',
  'sdk/src/generated/types.ts',
  'sdk/src/generated/operations.ts',
  'sdk/src/generated/values.ts',
  'server/src/platform/db/schema.ts',
  'docs/operating.md',
  'docs/connectors.md',
  'docs/scale.md',
  'docs/decisions/README.md',
  'server/src/platform/http/guides.json',
]

/** Writes the generated files; resolves to those that were out of date, or undefined on failure. */
export async function generate() {
  const before = files.map(read)
  const code = await run(runtime(), ['tools/generated-files.ts'], { quiet: true })
  return code === 0 ? files.filter((file, index) => read(file) !== before[index]) : undefined
}

/** `--examples`: records the example responses of openapi.json from a test service. */
function recordExamples() {
  const env = { ...environment(), RECORD_EXAMPLES: '1', TEST_LENGTH: 'long' }
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'server/test/examples', '-t', 'records an answer']
  return run(runtime(), args, { env, quiet: true })
}

function read(file) {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return undefined
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await install()
  if (process.argv.includes('--examples') && (await recordExamples()) !== 0) process.exit(1)
  const changed = await generate()
  if (!changed) process.exit(1)
  if (process.argv.includes('--examples'))
    changed.unshift('server/src/platform/contract/recorded-answers.json')
  say(changed.length === 0 ? 'The generated files are up to date' : `Generated ${changed.join(', ')}`)
}
