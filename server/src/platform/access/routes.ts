import type { AnyContext } from '../../context.ts'
import { toReply } from '../contract/to-reply.ts'
import { clearedSessionCookie, readCookie, sessionCookie } from '../http/credentials.ts'
import { bind, type Route, route } from '../http/route.ts'
import * as accounts from './accounts.ts'
import * as contract from './contract.ts'
import { accountDeviceCookie, accountDeviceName } from './known-devices.ts'
import { isOperator } from './operators.ts'
import * as recovery from './recovery.ts'
import type { UserRow } from './user-queries.ts'

const toUser = (user: UserRow) =>
  toReply(contract.User, user, { email_verified: user.email_verified_at !== null })
type ReplyContext = Pick<AnyContext, 'service' | 'wantsCookie'>
const toSignedIn = (context: ReplyContext, result: { user: UserRow; token: string; expiresAt: Date }) => ({
  data: { user: toUser(result.user), token: result.token, expires_at: result.expiresAt },
  ...(context.wantsCookie && {
    headers: {
      'set-cookie': [
        sessionCookie(context.service, result.token, result.expiresAt),
        accountDeviceCookie(context.service, result.user),
      ],
    },
  }),
})

export const accessRoutes: readonly Route[] = [
  route(contract.signUp, async (context, { body }) =>
    toSignedIn(context, await accounts.signUp(context, body)),
  ),
  route(contract.signIn, async (context, { body, headers }) =>
    toSignedIn(
      context,
      await accounts.signIn(context, body, readCookie(headers.cookie, accountDeviceName(context.service))),
    ),
  ),
  route(contract.signOut, async (context) => {
    await accounts.signOut(context)
    return { data: null, headers: { 'set-cookie': clearedSessionCookie(context.service) } }
  }),
  route(contract.getMe, async (context) => ({
    data: {
      ...toUser(await accounts.getMe(context)),
      is_operator: await isOperator(context.service, context.caller.userId),
    },
  })),
  ...bind(contract, { changePassword: accounts.changePassword }),
  route(contract.getAuthOptions, async (context) => ({ data: accounts.getAuthOptions(context) })),
  ...bind(contract, { sendVerification: recovery.sendVerification }),
  route(contract.confirmAddress, async (context, { body }) => ({
    data: toUser(await recovery.confirmAddress(context, body.token)),
  })),
  ...bind(contract, {
    changeEmail: recovery.changeEmail,
    requestPasswordReset: recovery.requestPasswordReset,
  }),
  route(contract.resetPassword, async (context, { body }) => {
    const user = await recovery.resetPassword(context, body)
    return {
      data: null,
      ...(context.wantsCookie && { headers: { 'set-cookie': accountDeviceCookie(context.service, user) } }),
    }
  }),
  route(contract.requestSignInLink, async (context, { body }) => {
    await recovery.requestSignInLink(context, body)
    return { data: null }
  }),
  route(contract.signInByLink, async (context, { body }) =>
    toSignedIn(context, await recovery.signInByLink(context, body.token)),
  ),
]
