import type { AnyContext } from '../../context.ts'
import { clearedSessionCookie, readCookie, sessionCookie } from '../http/credentials.ts'
import { type Route, route } from '../http/route.ts'
import * as accounts from './accounts.ts'
import {
  changeEmail,
  changePassword,
  confirmAddress,
  getAuthOptions,
  getMe,
  requestPasswordReset,
  requestSignInLink,
  resetPassword,
  sendVerification,
  signIn,
  signInByLink,
  signOut,
  signUp,
} from './contract.ts'
import { accountDeviceCookie, accountDeviceName } from './known-devices.ts'
import { isOperator } from './operators.ts'
import * as recovery from './recovery.ts'
import type { UserRow } from './user-queries.ts'

const toUser = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  email_verified: user.email_verified_at !== null,
  created_at: user.created_at.toISOString(),
})
const done = { data: null }
type Asker = Pick<AnyContext, 'service' | 'wantsCookie'>
const toSignedIn = (context: Asker, result: { user: UserRow; token: string; expiresAt: Date }) => ({
  data: { user: toUser(result.user), token: result.token, expires_at: result.expiresAt.toISOString() },
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
  route(signUp, async (context, { body }) => toSignedIn(context, await accounts.signUp(context, body))),
  route(signIn, async (context, { body, headers }) =>
    toSignedIn(
      context,
      await accounts.signIn(context, body, readCookie(headers.cookie, accountDeviceName(context.service))),
    ),
  ),
  route(signOut, async (context) => {
    await accounts.signOut(context)
    return { data: null, headers: { 'set-cookie': clearedSessionCookie(context.service) } }
  }),
  route(getMe, async (context) => ({
    data: {
      ...toUser(await accounts.getMe(context)),
      is_operator: await isOperator(context.service, context.caller.userId),
    },
  })),
  route(changePassword, async (context, { body }) => {
    await accounts.changePassword(context, body)
    return done
  }),
  route(getAuthOptions, async (context) => ({ data: accounts.getAuthOptions(context) })),
  route(sendVerification, async (context) => {
    await recovery.sendVerification(context)
    return done
  }),
  route(confirmAddress, async (context, { body }) => ({
    data: toUser(await recovery.confirmAddress(context, body.token)),
  })),
  route(changeEmail, async (context, { body }) => {
    await recovery.changeEmail(context, body)
    return done
  }),
  route(requestPasswordReset, async (context, { body }) => {
    await recovery.requestPasswordReset(context, body.email)
    return done
  }),
  route(resetPassword, async (context, { body }) => {
    const user = await recovery.resetPassword(context, body)
    return {
      data: null,
      ...(context.wantsCookie && { headers: { 'set-cookie': accountDeviceCookie(context.service, user) } }),
    }
  }),
  route(requestSignInLink, async (context, { body }) => {
    await recovery.requestSignInLink(context, body.email)
    return done
  }),
  route(signInByLink, async (context, { body }) =>
    toSignedIn(context, await recovery.signInByLink(context, body.token)),
  ),
]
