/** Responses that open a session: the token, and cookies for the console. */
import type { AnyContext } from '../../context.ts'
import { toReply } from '../contract/to-reply.ts'
import { sessionCookie } from '../http/credentials.ts'
import * as contract from './contract.ts'
import type { Pending, Session, SignInResult } from './factors/sign-in.ts'
import { accountDeviceCookie } from './known-devices.ts'
import type { UserRow } from './user-queries.ts'

export const toUser = (user: UserRow) =>
  toReply(contract.User, user, { email_verified: user.email_verified_at !== null })

type ReplyContext = Pick<AnyContext, 'service' | 'wantsCookie'>

export const toSignedIn = (context: ReplyContext, result: Session) => ({
  data: { user: toUser(result.user), token: result.token, expires_at: result.expiresAt },
  ...(context.wantsCookie && { headers: { 'set-cookie': cookiesOf(context, result) } }),
})

export const cookiesOf = ({ service }: Pick<AnyContext, 'service'>, session: Session): string[] => [
  sessionCookie(service, session.token, session.expiresAt),
  accountDeviceCookie(service, session.user),
  ...(session.cookies ?? []),
]

/** Without the person's name: the password alone must not reveal it. */
const toPending = ({ pending }: Pending) => ({
  data: {
    second_factor: {
      challenge: pending.token,
      kinds: pending.kinds,
      passkey: pending.passkey === null ? null : { ...(pending.passkey as object) },
      expires_at: pending.expiresAt,
    },
  },
  ...(pending.cookie !== null && { headers: { 'set-cookie': pending.cookie } }),
})

export const toSignedInOrPending = (context: ReplyContext, result: SignInResult) =>
  'pending' in result ? toPending(result) : toSignedIn(context, result)
