/** Requests that pass a large file through, each with a connection to the provider: few per workspace and process at once. */
import { ApiError } from '../contract/errors.ts'

const PER_WORKSPACE = 2
const RETRY_SECONDS = 2

export type FileGate = { enter: (workspaceId: string) => () => void }

export function createFileGate(perProcess: number): FileGate {
  const held = new Map<string, number>()
  let total = 0
  const change = (workspaceId: string, by: 1 | -1) => {
    const count = (held.get(workspaceId) ?? 0) + by
    total += by
    if (count > 0) held.set(workspaceId, count)
    else held.delete(workspaceId)
  }
  return {
    enter(workspaceId) {
      if ((held.get(workspaceId) ?? 0) >= PER_WORKSPACE || total >= perProcess)
        throw new ApiError('rate_limit_exceeded', 'Other large files are on their way; retry shortly.', {
          retryAfter: RETRY_SECONDS,
        })
      change(workspaceId, 1)
      return () => change(workspaceId, -1)
    },
  }
}
