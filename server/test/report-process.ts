/**
 * A sender of reports for tests to kill: a worker for report jobs with the database, keys and folder of its
 * arguments and short leases. It starts when it receives a message.
 */
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { readConfig } from '../src/config.ts'
import { clientReportJobs } from '../src/features/sharing/client-reports/jobs.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { startWorker } from '../src/platform/jobs/worker.ts'
import { createLog } from '../src/platform/log.ts'
import { createService } from '../src/service.ts'

const [connectionString, masterKeys, dataDir] = process.argv.slice(2)
const { db } = openDatabase({ connectionString, max: 5 })
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
const service = await createService({ config, db, log: createLog('silent'), masterKeys: masterKeys! })
flushCompileCache()
process.on('disconnect', () => process.exit(0))
const { mailer } = service
service.mailer = {
  async send(mail) {
    await mailer.send(mail)
    // The test decides whether this process lives long enough to record that the mail was sent.
    const answered = once(process, 'message')
    process.send!('sent')
    await answered
  },
}
const started = once(process, 'message')
process.send!('ready')
await started
startWorker({ service, jobs: clientReportJobs, pollMs: 20, leaseSeconds: 1, heartbeatMs: 200, reapMs: 100 })
