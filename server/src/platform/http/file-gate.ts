/** Requests that hold a large file in memory: one per credential and few per process at once. */
import { ApiError } from '../contract/errors.ts'

const PER_PROCESS = 4
const RETRY_SECONDS = 2

export type FileGate = { enter: (credentialId: string) => () => void }

export function createFileGate(): FileGate {
  const held = new Set<string>()
  return {
    enter(credentialId) {
      if (held.has(credentialId) || held.size >= PER_PROCESS)
        throw new ApiError('rate_limit_exceeded', 'Other large files are on their way; send one at a time.', {
          retryAfter: RETRY_SECONDS,
        })
      held.add(credentialId)
      return () => void held.delete(credentialId)
    },
  }
}
