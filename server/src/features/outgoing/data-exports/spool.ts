/** Files of one try of a run, on this machine between reading and sending. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Spool = {
  put(path: string, bytes: Uint8Array): Promise<void>
  read(path: string): Promise<Uint8Array>
  close(): Promise<void>
}

/** Removes what earlier tries left here. */
export async function openSpool(dataDir: string, destinationId: string, attemptId: string): Promise<Spool> {
  const own = join(dataDir, 'data-export-spool', destinationId)
  const folder = join(own, attemptId)
  await rm(own, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fileOf = (path: string) => join(folder, encodeURIComponent(path))
  return {
    put: (path, bytes) => writeFile(fileOf(path), bytes, { mode: 0o600 }),
    read: (path) => readFile(fileOf(path)),
    close: () => rm(own, { recursive: true, force: true }),
  }
}
