/**
 * Where a test run keeps its databases and browsers' profiles: in memory, if the machine offers it.
 * A service with a database of its own costs a tenth of a second of a core there and four tenths on a disk.
 */
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'

const MEMORY_DISK = '/dev/shm'
/** Many times what a run has in use at once, which is 300 MB. */
const ROOM = 2 * 1024 ** 3

/** The folder, or undefined where there is none, too little room, or what is there may not be run. */
export function memoryDisk(): string | undefined {
  try {
    accessSync(MEMORY_DISK, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_DISK)
    if (bavail * bsize < ROOM || process.availableMemory() < 2 * ROOM) return undefined
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .findLast((line) => line.split(' ')[1] === MEMORY_DISK)
    return mount === undefined || /\bnoexec\b/.test(mount) ? undefined : MEMORY_DISK
  } catch {
    return undefined
  }
}
