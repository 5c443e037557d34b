import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Target, TargetError } from './target.ts'

/** A folder of the deployment. Files are written to a temporary name, flushed to disk and renamed. */
export function folderTarget(folder: string): Target {
  return {
    async put(path, bytes) {
      const file = join(folder, path)
      const partial = `${file}.partial`
      try {
        await mkdir(dirname(file), { recursive: true })
        const handle = await open(partial, 'w')
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(partial, file)
      } catch (cause) {
        await rm(partial, { force: true }).catch(() => {})
        throw new TargetError(`The file ${path} could not be written: ${reasonOf(cause)}.`, true, { cause })
      }
    },
    async remove(path) {
      try {
        await rm(join(folder, path), { force: true })
        await rm(join(folder, `${path}.partial`), { force: true })
      } catch (cause) {
        throw new TargetError(`The file ${path} could not be removed: ${reasonOf(cause)}.`, true, { cause })
      }
    },
  }
}

const reasons: Record<string, string> = {
  EACCES: 'the service may not write there',
  EPERM: 'the service may not write there',
  EROFS: 'the volume is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
}

function reasonOf(cause: unknown): string {
  const { code = 'unknown error' } = cause as { code?: string }
  return reasons[code] ?? code
}
