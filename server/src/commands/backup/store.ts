/** Where scheduled backups are stored: a folder, or an S3-compatible store. */
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Service } from '../../context.ts'
import { s3Store } from './s3-store.ts'

export type BackupStore = {
  /** The name exists only once the whole file is stored. */
  put(name: string, file: string): Promise<void>
  list(): Promise<string[]>
  remove(name: string): Promise<void>
}

export function openStore(
  service: Pick<Service, 'config' | 'providerHttp' | 'clock'>,
): BackupStore | undefined {
  const { backups } = service.config
  if (backups === undefined) return undefined
  if (typeof backups.to === 'string') return folderStore(backups.to)
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, ...location } = backups.to
  // The address is the operator's own.
  return s3Store(service.providerHttp, location, { accessKeyId, secretAccessKey }, () => service.clock.now())
}

function folderStore(folder: string): BackupStore {
  return {
    async put(name, file) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const partial = join(folder, `${name}.partial`)
      try {
        await copyFile(file, partial)
        await rename(partial, join(folder, name))
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    list: () =>
      readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      }),
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}
