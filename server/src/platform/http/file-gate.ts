/**
 * Semaphore for requests that stream a large file, each with a provider connection: limited per workspace and
 * process.
 */
import { ApiError } from '../contract/errors.ts'

const PER_WORKSPACE = 2
const RETRY_SECONDS = 2

export type FileGate = { enter: (workspaceId: string) => () => void }

export function createFileGate(perProcess: number): FileGate {
  const active = new Map<string, number>()
  let total = 0
  const change = (workspaceId: string, by: 1 | -1) => {
    const count = (active.get(workspaceId) ?? 0) + by
    total += by
    if (count > 0) active.set(workspaceId, count)
    else active.delete(workspaceId)
  }
  return {
    enter(workspaceId) {
      if ((active.get(workspaceId) ?? 0) >= PER_WORKSPACE || total >= perProcess)
        throw new ApiError(
          'rate_limit_exceeded',
          'Too many large file transfers at the same time; retry shortly.',
          {
            retryAfter: RETRY_SECONDS,
          },
        )
      change(workspaceId, 1)
      return () => change(workspaceId, -1)
    },
  }
}
