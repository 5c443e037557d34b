import { DatabaseSync } from 'node:sqlite'

export type Lock = { release(): void }

const SQLITE_BUSY = 5

/**
 * Ensures one process per data directory. SQLite provides a file lock that the kernel releases with the process,
 * which Node lacks: there are no stale locks after `kill -9`, and no process ids to verify.
 */
export function lockDirectory(dataDir: string, file: string): Lock {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    database.exec('pragma journal_mode = memory; begin exclusive')
  } catch (cause) {
    database?.close()
    const busy = ((cause as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY
    throw new Error(
      busy
        ? `Another Whence is running on ${dataDir}: stop it, or set another DATA_DIR for this one.`
        : `${dataDir} cannot be written by this user: give it to this user, or set another DATA_DIR.`,
      { cause },
    )
  }
  const locked = database
  return {
    release() {
      if (locked.isOpen) locked.close()
    },
  }
}
