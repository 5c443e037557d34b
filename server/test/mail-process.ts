/**
 * A service for tests to kill while it sends a mail: the API with the database and keys of its arguments. The
 * imitated mail vendors are at the address of its last argument. It reports its own address when it is ready.
 */
import { flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { createApi } from '../src/api.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { createLog } from '../src/platform/log.ts'
import { createService } from '../src/service.ts'

const [connectionString, masterKeys, vendorUrl] = process.argv.slice(2)
const { db } = openDatabase({ connectionString, max: 5 })
const config = readConfig({ DATA_DIR: tmpdir(), LOG_LEVEL: 'silent', SANDBOX: 'on', BASE_URL: vendorUrl })
const service = await createService({ config, db, log: createLog('silent'), masterKeys: masterKeys! })
flushCompileCache()
process.on('disconnect', () => process.exit(0))
process.send!(await createApi(service).http.listen({ host: '127.0.0.1', port: 0 }))
