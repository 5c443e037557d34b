/** Files of one try of a run, on this machine between reading and sending. */
import { writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

export type Spool = {
  /** Waits for the disk: rows come meanwhile, and a file is small. */
  put(path: string, bytes: Uint8Array): void
  read(path: string): Promise<Uint8Array>
  close(): Promise<void>
}

/** A file for a day is small: so many bytes of files wait in memory, because a file on disk costs more than writing it. */
const MAX_HELD = 16 * 1024 * 1024

/** Removes what earlier tries left here. */
export async function openSpool(dataDir: string, destinationId: string, attemptId: string): Promise<Spool> {
  const all = join(dataDir, 'data-export-spool')
  const folder = join(all, `${destinationId}.${attemptId}`)
  await mkdir(all, { recursive: true, mode: 0o700 })
  for (const name of await readdir(all)) if (name.startsWith(destinationId)) await remove(join(all, name))
  await mkdir(folder, { mode: 0o700 })
  const fileOf = (path: string) => join(folder, encodeURIComponent(path))
  const held = new Map<string, Uint8Array>()
  let heldBytes = 0
  return {
    put(path, bytes) {
      if (heldBytes + bytes.length > MAX_HELD) return writeFileSync(fileOf(path), bytes, { mode: 0o600 })
      heldBytes += bytes.length
      // The writer's buffer is larger than what it holds.
      held.set(path, new Uint8Array(bytes))
    },
    async read(path) {
      return held.get(path) ?? readFile(fileOf(path))
    },
    // A try that was taken over may end after the next one began.
    close: () => remove(folder),
  }
}

const remove = (folder: string) => rm(folder, { recursive: true, force: true })
