import type { AnyContext } from '../../context.ts'
import { clearedSessionCookie, sessionCookie } from '../../http/credentials.ts'
import { type Route, route } from '../../http/route.ts'
import * as accounts from './accounts.ts'
import { changePassword, getMe, signIn, signOut, signUp } from './contract.ts'

const toUser = (user: accounts.UserRow) => ({ ...user, created_at: user.created_at.toISOString() })
const toSignedIn = (
  context: Pick<AnyContext, 'service' | 'wantsCookie'>,
  result: { user: accounts.UserRow; token: string; expiresAt: Date },
) => ({
  data: { user: toUser(result.user), token: result.token, expires_at: result.expiresAt.toISOString() },
  ...(context.wantsCookie && {
    headers: {
      'set-cookie': sessionCookie(result.token, result.expiresAt, context.service.clock.machineNow()),
    },
  }),
})

export const accessRoutes: readonly Route[] = [
  route(signUp, async (context, { body }) => toSignedIn(context, await accounts.signUp(context, body))),
  route(signIn, async (context, { body }) => toSignedIn(context, await accounts.signIn(context, body))),
  route(signOut, async (context) => {
    await accounts.signOut(context)
    return { data: null, headers: { 'set-cookie': clearedSessionCookie } }
  }),
  route(getMe, async (context) => ({
    data: toUser(await accounts.getUser(context.db, context.caller.userId)),
  })),
  route(changePassword, async (context, { body }) => {
    await accounts.changePassword(context, body)
    return { data: null }
  }),
]
