/**
 * The photo app's own login (Instagram API with Instagram Login): accounts without a page, with a host of their own.
 * `GET /me?fields=user_id,username` as in its "Get started" page, read on 2026-11-17.
 */

import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import { graphError } from './replies.ts'

type Sends = { thread(request: SandboxRequest, accountIds: readonly string[]): SandboxReply }

export function createPhotoLogin(options: SandboxOptions, sends: Sends) {
  const account = { user_id: seededDigits(17, options.seed, 'photo login'), username: 'pine.by.hand' }
  const token = `IGAA${seededDigits(20, options.seed, 'photo token')}`
  return {
    account,
    grant: () => ({ access_token: token, account_id: account.user_id }),
    answer(request: SandboxRequest, path: string): SandboxReply {
      if (request.headers.authorization !== `Bearer ${token}`)
        return graphError(400, 190, 'Invalid OAuth access token - Cannot parse access token')
      if (/^\/v\d+\.0\/me\/messages$/.test(path)) return sends.thread(request, [account.user_id])
      return /^\/v\d+\.0\/me$/.test(path)
        ? { status: 200, body: { ...account } }
        : graphError(400, 100, 'Unsupported request')
    },
  }
}
