/**
 * An API process for tests to kill behind a proxy: database, keys, port, and a profile whose database node is away. As on
 * Citus, requests of that profile are answered 503.
 */
import { flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { createApi } from '../src/api.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { createLog } from '../src/platform/log.ts'
import { createService } from '../src/service.ts'

const [connectionString, masterKeys, port, lostProfileId] = process.argv.slice(2)
const { db } = openDatabase({ connectionString, max: 5 })
const away = openDatabase({ connectionString: 'postgres://whence@127.0.0.1:1/none' }).db
const config = readConfig({
  DATA_DIR: tmpdir(),
  LOG_LEVEL: 'silent',
  PORT: port,
  RATE_LIMIT_PER_MINUTE: '600000',
  RATE_LIMIT_BURST: '100000',
})
const service = await createService({ config, db, log: createLog('silent'), masterKeys: masterKeys! })
const lostNode = { name: 'worker-2', db: away, backgroundDb: away, shards: null }
const lostShard = { db: away, slowDb: away, backgroundDb: away }
const { nodes } = service
const withLostNode = {
  ...nodes,
  of: (profileId: string) => (profileId === lostProfileId ? lostNode : nodes.of(profileId)),
  shardOf: (profileId: string) => (profileId === lostProfileId ? lostShard : nodes.shardOf(profileId)),
}
flushCompileCache()
process.on('disconnect', () => process.exit(0))
process.send!(
  await createApi({ ...service, nodes: withLostNode }).http.listen({ host: '127.0.0.1', port: Number(port) }),
)
