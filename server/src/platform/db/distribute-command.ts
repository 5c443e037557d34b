/** `npm run distribute`: converts a database with data into a distributed one. */
import pg from 'pg'
import { type Config, ConfigError } from '../../config.ts'
import { distribute, isCitus } from './distribute.ts'
import { LOCK_KEY } from './migrate.ts'
import { withSettings } from './session-settings.ts'

/** No statement timeout: all rows of a table are copied in one statement. */
export async function distributeFromCommand(config: Config, args: readonly string[]): Promise<string[]> {
  if (config.DATABASE_URL === undefined || args.length > 0)
    throw new ConfigError('Usage: DATABASE_URL=postgres://… npm run distribute')
  return distributeDatabase(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, (line) =>
    process.stderr.write(`${line}\n`),
  )
}

export async function distributeDatabase(url: string, print: (line: string) => void): Promise<string[]> {
  const client = new pg.Client(withSettings({ connectionString: url, statement_timeout: 0 }))
  await client.connect()
  try {
    if (!(await isCitus(client)))
      throw new ConfigError(
        'The database has no citus extension. Create it and add the nodes first: docs/scale.md.',
      )
    await client.query(`select pg_advisory_lock(${LOCK_KEY})`)
    const started = performance.now()
    const seconds = () => ((performance.now() - started) / 1000).toFixed(0)
    const tables = await distribute(client, (name, position, count) =>
      print(`${position} of ${count}: ${name} (${seconds()} s so far)`),
    )
    return [
      tables === 0
        ? 'All tables are already distributed.'
        : `Distributed ${tables} tables in ${seconds()} s. Their old rows were removed from the coordinator.`,
    ]
  } finally {
    await client.end()
  }
}
