/**
 * `node server/src/main.ts prepare`, run once while an image is built: links the libraries of the embedded database, and fills
 * NODE_COMPILE_CACHE with the compiled service, so that the service's folder can be read-only afterwards.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from '../platform/db/embedded/binaries.ts'

export async function prepareFromCommand(): Promise<string[]> {
  const { version } = await findBinaries(join(tmpdir(), 'whence-prepare'))
  return [`Prepared: embedded PostgreSQL ${version}.`]
}
