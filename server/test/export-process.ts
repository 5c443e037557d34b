/**
 * A sender of conversions for tests to kill: a worker for the jobs of exports on the database and with the keys of its
 * arguments, with short leases. The imitated platforms are at the address of its
 * last argument.
 */
import { tmpdir } from 'node:os'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/database.ts'
import { exportJobs } from '../src/features/exports/jobs.ts'
import { startWorker } from '../src/jobs/worker.ts'
import { createLog } from '../src/log.ts'
import { createService } from '../src/service.ts'

const [connectionString, masterKeys, platformUrl] = process.argv.slice(2)
const { db } = openDatabase({ connectionString, max: 5 })
const config = readConfig({
  DATA_DIR: tmpdir(),
  LOG_LEVEL: 'silent',
  SANDBOX: 'on',
  BASE_URL: platformUrl,
})
const service = await createService({ config, db, log: createLog('silent'), masterKeys: masterKeys! })
startWorker({ service, jobs: exportJobs, pollMs: 20, leaseSeconds: 1, heartbeatMs: 200, reapMs: 100 })
process.send!('started')
process.on('disconnect', () => process.exit(0))
