/**
 * `node_modules/.bin/node server/test/oracle/run.ts 10000 [first seed]`: many more worlds than a test run has time for.
 * With ORACLE_THOROUGH=1 every world is compared in full, which takes twice as long.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const [worlds = '10000', seed = '1'] = process.argv.slice(2)
const root = join(import.meta.dirname, '../../..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const long = '--config=vitest.long.config.ts'
const child = spawn(process.execPath, [vitest, 'run', long, 'server/test/oracle/worlds-', '--bail=1'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ORACLE_WORLDS: worlds, SEED: seed },
})
child.on('exit', (code) => process.exit(code ?? 1))
