/**
 * `npm run simulate -- --steps 1000000 --seed 7`: runs the pipeline, the job queue and the webhook sender for this many
 * steps under seeded faults. Uses the database of SIMULATION_DATABASE_URL (empty and migrated), or its own embedded one.
 * `--verbose` shows every fault.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startMigrated, TEMPLATE, toDatabase } from '../migrated-cluster.ts'
import { simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
})
const realNow = performance.now.bind(performance)
const began = realNow()

async function openOwn() {
  const dataDir = await mkdtemp(join(tmpdir(), 'whence-simulation-'))
  const server = await startMigrated(dataDir)
  return {
    connectionString: toDatabase(server.connectionString, TEMPLATE),
    async close() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const databaseUrl = process.env.SIMULATION_DATABASE_URL
const database =
  databaseUrl === undefined ? await openOwn() : { connectionString: databaseUrl, close: async () => {} }
console.log(`seed ${values.seed}, ${values.steps} steps`)
const outcome = await simulate({
  connectionString: database.connectionString,
  seed: Number(values.seed),
  steps: Number(values.steps),
  ...(values.verbose ? { say: (line: string) => console.log(line) } : {}),
})
await database.close()
for (const [what, count] of Object.entries(outcome.counts).sort())
  console.log(`${String(count).padStart(7)} × ${what}`)
console.log(
  `${outcome.steps} steps in ${outcome.phases} phases, ${outcome.virtualHours} hours of virtual time, ${Math.round((realNow() - began) / 1000)} s; digest ${outcome.digest}`,
)
for (const violation of outcome.violations) console.log(`VIOLATED: ${violation}`)
if (outcome.violations.length > 0)
  console.log(`Run again: npm run simulate -- --steps ${values.steps} --seed ${values.seed} --verbose`)
process.exit(outcome.violations.length === 0 ? 0 : 1)
