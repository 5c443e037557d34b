import { DatabaseSync } from 'node:sqlite'

export type Lock = { release(): void }

const SQLITE_BUSY = 5

/**
 * One process per data directory. SQLite brings what Node lacks, a file lock that the kernel drops
 * with its holder: after `kill -9` nothing is stale, and no process id has to be guessed at.
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
        ? `Another Whence is running on ${dataDir}: stop it, or give this one a DATA_DIR of its own.`
        : `${dataDir} cannot be written by this user: give it to this user, or set another DATA_DIR.`,
      { cause },
    )
  }
  const held = database
  return {
    release() {
      if (held.isOpen) held.close()
    },
  }
}
