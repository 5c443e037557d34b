/** A sender for tests to kill: one courier on the database and with the keys of its arguments, with short leases and little patience. */
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/database.ts'
import { createCourier } from '../src/features/webhooks/courier.ts'
import { createLog } from '../src/log.ts'
import { createOutbound } from '../src/outbound/client.ts'
import { createService } from '../src/service.ts'

const [connectionString, masterKeys] = process.argv.slice(2)
const config = readConfig({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', LOG_LEVEL: 'silent' })
const { db } = openDatabase({ connectionString, max: 5 })
const service = await createService({
  config,
  db,
  log: createLog('silent'),
  masterKeys: masterKeys!,
})
const publicHttp = createOutbound({
  guard: 'public',
  allowCidrs: config.WEBHOOK_ALLOW_CIDRS,
  totalTimeoutMs: 400,
})
createCourier({ ...service, publicHttp }, { pollMs: 10, lookMs: 20, leaseMs: 600 }).start()
process.send!('started')
process.on('disconnect', () => process.exit(0))
