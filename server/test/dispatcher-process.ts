/**
 * A webhook sender for tests to kill: one dispatcher with the database and keys of its arguments, short leases and
 * short timeouts. It loads nothing else of the service, because it is restarted many times.
 */

import { createDispatcher } from '../src/features/outgoing/webhooks/delivery/dispatcher.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { oneNode } from '../src/platform/db/nodes.ts'
import { createLog } from '../src/platform/log.ts'
import { createOutbound } from '../src/platform/outbound/client.ts'
import { parseMasterKeys } from '../src/platform/secrets/keyring.ts'

const [connectionString, masterKeys] = process.argv.slice(2)
const { db } = openDatabase({ connectionString, max: 5 })
const publicHttp = createOutbound({ guard: 'public', allowCidrs: ['127.0.0.0/8'], totalTimeoutMs: 400 })
const keyring = parseMasterKeys(masterKeys!)
createDispatcher(
  { db, nodes: oneNode(db), keyring, publicHttp, log: createLog('silent') },
  { pollMs: 20, lookMs: 50, leaseMs: 600 },
).start()
process.send!('started')
process.on('disconnect', () => process.exit(0))
