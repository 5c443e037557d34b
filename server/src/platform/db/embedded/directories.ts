import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir } from 'node:fs/promises'

/** A short path that every process derives alike from the data directory. */
export function temporaryDirectory(dataDir: string, suffix = ''): string {
  return `/tmp/whence-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}${suffix}`
}

/** Makes a directory in a place where others may write, or takes ours from a former start; never somebody else's. */
export async function claimDirectory(path: string, mode: number, owners: number[]): Promise<void> {
  try {
    await mkdir(path)
    await chmod(path, mode)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
  const found = await lstat(path)
  const ours = found.isDirectory() && owners.includes(found.uid) && (found.mode & 0o777 & ~mode) === 0
  if (!ours) throw new Error(`${path} belongs to somebody else: remove it.`)
}
