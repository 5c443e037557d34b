import { expect, it } from 'vitest'
import { toApiError } from '../http/reply.ts'
import { isDatabaseUnavailable, isOutOfSpace, isTransient } from './database.ts'

it.each([
  'failure on connection marked as essential: 127.0.0.1:5432',
  'failed to COPY to shard 102008',
  'server closed the connection unexpectedly',
  'could not find valid entry for shard 102008',
  'connection to the remote node whence@127.0.0.1:5432 failed with the following error: Connection refused',
])('what Citus says of a node that is away is 503 with Retry-After: %s', (message) => {
  const error = Object.assign(new Error(message), { code: 'XX000' })
  expect(isDatabaseUnavailable(error)).toBe(true)
  const answer = toApiError(error)
  expect([answer.status, answer.code]).toEqual([503, 'database_unavailable'])
  expect(answer.retryAfter).toBeGreaterThan(0)
})

it.each([
  ['53100', 'could not extend file "base/5/1259": No space left on device'],
  ['XX000', 'could not write block 7 in file "base/5/1259": No space left on device'],
  ['58030', 'could not flush data: No space left on device'],
])('a full disk (%s) is retried later, so no event of a batch is blamed for it', (code, message) => {
  const error = Object.assign(new Error(message), { code })
  expect([isOutOfSpace(error), isTransient(error)]).toEqual([true, true])
  expect(toApiError(error)).toMatchObject({ code: 'database_unavailable', retryAfter: 30 })
})

it('an error of the statement itself is not reported as unavailable', () => {
  const error = Object.assign(new Error('column "shard" does not exist'), { code: '42703' })
  expect(isDatabaseUnavailable(error)).toBe(false)
})
