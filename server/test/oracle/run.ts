/**
 * `node server/test/oracle/run.ts 10000 [first seed]`: many more worlds than a test run has time for.
 * With ORACLE_THOROUGH=1 every question is asked of each, which takes twice as long.
 */
import { spawn } from 'node:child_process'

const [worlds = '10000', seed = '1'] = process.argv.slice(2)
const child = spawn('vitest', ['run', 'server/test/oracle/worlds-', '--bail=1'], {
  stdio: 'inherit',
  env: { ...process.env, ORACLE_WORLDS: worlds, SEED: seed },
})
child.on('exit', (code) => process.exit(code ?? 1))
