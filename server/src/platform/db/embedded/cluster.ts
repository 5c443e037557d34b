import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Account, makeOwned, pathOf, run } from './account.ts'
import { claimDirectory, temporaryDirectory } from './directories.ts'
import { PORT } from './settings.ts'

export const USER = 'whence'

/** Retried, because initdb of a killed start may still be exiting. */
const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }

/** Socket address limit (104 bytes on macOS, 108 on Linux) minus the server's file name. */
const LONGEST_SOCKET_DIR = 80

/** Returns the cluster's directory, created on the first start. */
export async function openCluster(account: Account, dataDir: string, durable: boolean): Promise<string> {
  const cluster = join(dataDir, 'postgres')
  await removeUnfinished(dataDir)
  const clusterVersion = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (clusterVersion === undefined) {
    await initialize(account, dataDir, cluster, durable)
  } else if (clusterVersion.trim() !== account.binaries.version.split('.')[0]) {
    throw new Error(
      `${cluster} was created by PostgreSQL ${clusterVersion.trim()}, but ${account.binaries.version} is installed: ` +
        'back it up (npm run backup) with that version, and restore it into a new DATA_DIR.',
    )
  }
  await makeOwned(account, cluster)
  return cluster
}

/** Directory of the server's socket: next to the data, or under /tmp if that path is too long or not accessible. */
export async function openSocketDir(account: Account, dataDir: string): Promise<string> {
  const dataSocketDir = join(dataDir, 'socket')
  if (!account.closedParents && Buffer.byteLength(dataSocketDir) <= LONGEST_SOCKET_DIR) {
    await claim(account, dataSocketDir)
    if (await canHoldSocket(dataSocketDir)) return dataSocketDir
  }
  const temporarySocketDir = temporaryDirectory(dataDir)
  await claim(account, temporarySocketDir)
  return temporarySocketDir
}

async function claim(account: Account, directory: string): Promise<void> {
  await claimDirectory(directory, 0o700, [process.getuid!(), account.owner.uid])
  // Files of a killed server would block the next one if its process id has been reused.
  await rm(join(directory, `.s.PGSQL.${PORT}`), { force: true })
  await rm(join(directory, `.s.PGSQL.${PORT}.lock`), { force: true })
  await makeOwned(account, directory)
}

/** Directories mounted into a container or virtual machine often cannot. */
async function canHoldSocket(directory: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(join(directory, 'try'), () => server.close(() => resolve(true)))
  })
}

/** Created under a temporary name, so that a cluster directory is always complete. */
async function initialize(
  account: Account,
  dataDir: string,
  cluster: string,
  durable: boolean,
): Promise<void> {
  const unfinished = `${cluster}.${process.pid}.new`
  await makeOwned(account, unfinished)
  const args = ['-D', pathOf(account, unfinished), '--username', USER, '--auth-local', 'trust']
  args.push('--auth-host', 'reject', '--encoding', 'UTF8', '--locale', 'C', '--no-instructions')
  // The same collation everywhere, independent of the machine's locales.
  args.push('--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8')
  if (!durable) args.push('--no-sync')
  const initdb = run(account, 'initdb', args, unfinished, () => undefined)
  const { code } = await initdb.exited
  if (code !== 0) throw new Error(`The embedded database could not be created: ${initdb.lines.join(' ')}`)
  await rename(unfinished, cluster)
  if (durable) await syncDirectory(dataDir)
}

async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (/^postgres\.\d+\.new$/.test(name)) await rm(join(dataDir, name), REMOVE)
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  await directory.sync().finally(() => directory.close())
}
