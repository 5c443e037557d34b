/** Temporary files of one attempt of a run, between reading rows and sending files. */
import { writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

export type Spool = {
  /** Synchronous: the files are small, and the database continues to send rows. */
  put(path: string, bytes: Uint8Array): void
  read(path: string): Promise<Uint8Array>
  close(): Promise<void>
}

/** Files up to this total stay in memory, because creating many small files on disk is slow. */
const MAX_MEMORY_BYTES = 16 * 1024 * 1024

/** Also removes files of earlier attempts for the destination. */
export async function openSpool(dataDir: string, destinationId: string, attemptId: string): Promise<Spool> {
  const spoolDir = join(dataDir, 'data-export-spool')
  const folder = join(spoolDir, `${destinationId}.${attemptId}`)
  await mkdir(spoolDir, { recursive: true, mode: 0o700 })
  for (const name of await readdir(spoolDir))
    if (name.startsWith(destinationId)) await remove(join(spoolDir, name))
  await mkdir(folder, { mode: 0o700 })
  const fileOf = (path: string) => join(folder, encodeURIComponent(path))
  const inMemory = new Map<string, Uint8Array>()
  let memoryBytes = 0
  return {
    put(path, bytes) {
      if (memoryBytes + bytes.length > MAX_MEMORY_BYTES)
        return writeFileSync(fileOf(path), bytes, { mode: 0o600 })
      memoryBytes += bytes.length
      // Copied, because the writer reuses its buffer.
      inMemory.set(path, new Uint8Array(bytes))
    },
    async read(path) {
      return inMemory.get(path) ?? readFile(fileOf(path))
    },
    // Only this attempt's folder: another attempt may have started since.
    close: () => remove(folder),
  }
}

const remove = (folder: string) => rm(folder, { recursive: true, force: true })
