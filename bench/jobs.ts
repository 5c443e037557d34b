/** Jobs per second enqueued and run: `node bench/jobs.ts [jobs=50000]`, on a temporary database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@whence/server/config.ts'
import { uuidv7 } from '@whence/server/platform/contract/ids.ts'
import { job } from '@whence/server/platform/contract/job.ts'
import { openDatabase } from '@whence/server/platform/db/database.ts'
import { startEmbedded } from '@whence/server/platform/db/embedded.ts'
import { migrate } from '@whence/server/platform/db/migrate.ts'
import { claim } from '@whence/server/platform/jobs/claim.ts'
import { enqueue, enqueueMany, quickLanes } from '@whence/server/platform/jobs/enqueue.ts'
import { complete } from '@whence/server/platform/jobs/settle.ts'
import { startWorker } from '@whence/server/platform/jobs/worker.ts'
import { createLog } from '@whence/server/platform/log.ts'
import { generateMasterKeys } from '@whence/server/platform/secrets/keyring.ts'
import { closeService, createService } from '@whence/server/service.ts'
import { z } from 'zod'

const JOBS = Number(process.argv[2] ?? 50_000)
const PROFILES = 200

const dataDir = await mkdtemp(join(tmpdir(), 'whence-bench-'))
const embedded = await startEmbedded({ dataDir: join(dataDir, 'database'), log: () => {} })
const { db, pool, close } = openDatabase(embedded.config)
await migrate(pool)
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' })
const service = await createService({ config, db, log: createLog('error'), masterKeys: generateMasterKeys() })

async function measure(name: string, count: number, work: () => Promise<void>): Promise<void> {
  const start = performance.now()
  await work()
  process.stdout.write(`${name}: ${Math.round((count / (performance.now() - start)) * 1000)} jobs/s\n`)
}

let ran = 0
let finished = () => {}
const noop = job({
  name: 'noop',
  payload: z.object({ n: z.number() }),
  run: async () => {
    if (++ran === JOBS) finished()
  },
})
const profiles = Array.from({ length: PROFILES }, () => uuidv7())
const item = (n: number) => ({ payload: { n }, profileId: profiles[n % PROFILES]! })

await measure('enqueued one by one', 2000, async () => {
  for (let n = 0; n < 2000; n++) await enqueue(db, noop, { n }, { profileId: profiles[n % PROFILES]! })
})
const served = new Map<number, string>()
const turn = { lanes: quickLanes, names: ['noop'], leaseSeconds: 60, served }
await measure('claimed and ended one by one', 2000, async () => {
  for (let n = 0; n < 2000; n++) {
    const [job] = await claim(db, { ...turn, limit: 1, leaseId: uuidv7() })
    await complete(db, [{ id: job!.id, leaseId: job!.lease_id }])
  }
})
await measure('enqueued in bulk', JOBS, async () => {
  await enqueueMany(
    db,
    noop,
    Array.from({ length: JOBS }, (_, n) => item(n)),
  )
})
await measure(`run by one worker, ${PROFILES} profiles`, JOBS, async () => {
  const done = new Promise<void>((resolve) => (finished = resolve))
  const worker = startWorker({ service, jobs: [noop] })
  await done
  await worker.stop()
})
await enqueueMany(
  db,
  noop,
  Array.from({ length: JOBS }, (_, n) => ({ ...item(n), profileId: profiles[0]! })),
)
ran = 0
await measure('run by one worker, one profile', JOBS, async () => {
  const done = new Promise<void>((resolve) => (finished = resolve))
  const worker = startWorker({ service, jobs: [noop] })
  await done
  await worker.stop()
})

await closeService(service)
await close()
await embedded.stop()
await rm(dataDir, { recursive: true, force: true })
