/** A process for tests to kill: starts the embedded database on a directory and prints each row once it is committed. */
import pg from 'pg'
import { startEmbedded } from '../src/platform/db/embedded.ts'

const server = await startEmbedded({ dataDir: process.argv[2]!, log: () => {} })
const client = new pg.Client(server.config)
client.on('error', () => {})
await client.connect()
process.once('SIGTERM', async () => {
  await client.end()
  await server.stop()
  process.exit(0)
})
await client.query('create table if not exists committed (n integer)')
for (;;) {
  const { rows } = await client.query<{ n: number }>(
    'insert into committed select coalesce(max(n), 0) + 1 from committed returning n',
  )
  process.stdout.write(`${rows[0]!.n}\n`)
}
