import type { Service } from '../../context.ts'
import { clearedSessionCookie, readCookie } from '../http/credentials.ts'
import { bind, type Route, route } from '../http/route.ts'
import * as accounts from './accounts.ts'
import * as contract from './contract.ts'
import { rememberedCookieName } from './factors/remembered.ts'
import { factorRoutes } from './factors/routes.ts'
import { accountDeviceCookie, accountDeviceName } from './known-devices.ts'
import { isOperator } from './operators.ts'
import * as recovery from './recovery.ts'
import { toSignedIn, toSignedInOrPending, toUser } from './signed-in.ts'

const browserOf = (service: Service, cookie: string | undefined) => ({
  device: readCookie(cookie, accountDeviceName(service)),
  remembered: readCookie(cookie, rememberedCookieName(service)),
})

export const accessRoutes: readonly Route[] = [
  route(contract.signUp, async (context, { body }) =>
    toSignedIn(context, await accounts.signUp(context, body)),
  ),
  route(contract.signIn, async (context, { body, headers }) =>
    toSignedInOrPending(
      context,
      await accounts.signIn(context, body, browserOf(context.service, headers.cookie)),
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
  route(contract.signInByLink, async (context, { body, headers }) =>
    toSignedInOrPending(
      context,
      await recovery.signInByLink(context, body.token, browserOf(context.service, headers.cookie)),
    ),
  ),
  ...factorRoutes,
]
