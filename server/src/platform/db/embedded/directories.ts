import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir } from 'node:fs/promises'

/** A short path derived from the data directory, the same for every process. */
export function temporaryDirectory(dataDir: string, suffix = ''): string {
  return `/tmp/whence-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}${suffix}`
}

/** Creates a directory in a shared location, or reuses ours from an earlier start; fails if another user owns it. */
export async function claimDirectory(path: string, mode: number, owners: number[]): Promise<void> {
  try {
    await mkdir(path)
    await chmod(path, mode)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
  const stats = await lstat(path)
  const ours = stats.isDirectory() && owners.includes(stats.uid) && (stats.mode & 0o777 & ~mode) === 0
  if (!ours) throw new Error(`${path} belongs to another user: remove it.`)
}
