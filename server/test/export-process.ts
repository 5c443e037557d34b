/**
 * A sender of conversions for tests to kill: a worker for export jobs with the database and keys of its arguments and
 * short leases. The imitated platforms are at the address of its last argument. It sends a message when it is
 * ready and starts when it receives one.
 */
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { readConfig } from '../src/config.ts'
import { exportJobs } from '../src/features/outgoing/exports/jobs.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { startWorker } from '../src/platform/jobs/worker.ts'
import { createLog } from '../src/platform/log.ts'
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
// A killed process does not write its compile cache, so write it now.
flushCompileCache()
process.on('disconnect', () => process.exit(0))
const started = once(process, 'message')
process.send!('ready')
await started
startWorker({ service, jobs: exportJobs, pollMs: 20, leaseSeconds: 1, heartbeatMs: 200, reapMs: 100 })
