import { toReply } from '../../contract/to-reply.ts'
import { readCookie } from '../../http/credentials.ts'
import { bind, type Route, route } from '../../http/route.ts'
import { accountDeviceName } from '../known-devices.ts'
import { endOtherSessions, endSession, listSessions } from '../sessions.ts'
import { toSignedIn } from '../signed-in.ts'
import { challengeCookieName, type Minted } from './challenges.ts'
import * as contract from './contract.ts'
import * as enrol from './enrol.ts'
import { offerReauthentication, reauthenticate } from './reauthenticate.ts'
import { finishSignIn, offerPasskeySignIn, signInByPasskey } from './sign-in.ts'

const withCookie = (minted: Minted) =>
  minted.cookie === null ? {} : { headers: { 'set-cookie': minted.cookie } }

export const factorRoutes: readonly Route[] = [
  route(contract.finishSignIn, async (context, { body, headers }) =>
    toSignedIn(
      context,
      await finishSignIn(context, body, {
        challenge: readCookie(headers.cookie, challengeCookieName(context.service)),
        device: readCookie(headers.cookie, accountDeviceName(context.service)),
      }),
    ),
  ),
  route(contract.offerPasskey, async (context) => {
    const offered = await offerPasskeySignIn(context)
    const { token, expiresAt, options } = offered
    return {
      data: { challenge: token, options: { ...options }, expires_at: expiresAt },
      ...withCookie(offered),
    }
  }),
  route(contract.signInByPasskey, async (context, { body, headers }) =>
    toSignedIn(
      context,
      await signInByPasskey(context, body, {
        challenge: readCookie(headers.cookie, challengeCookieName(context.service)),
      }),
    ),
  ),
  route(contract.getFactors, async (context) => {
    const found = await enrol.getFactors(context)
    const factors = found.factors.map((factor) =>
      toReply(contract.getFactors.reply.shape.factors.element, factor, {}),
    )
    return { data: { ...found, factors } }
  }),
  route(contract.addFactor, async (context, { body }) => {
    const added = await enrol.addFactor(context, body)
    return { data: { ...added, options: added.options === null ? null : { ...added.options } } }
  }),
  ...bind(contract, {
    confirmFactor: enrol.confirmFactor,
    renameFactor: enrol.renameFactor,
    deleteFactor: enrol.deleteFactor,
    createRecoveryCodes: enrol.createRecoveryCodes,
    removePassword: enrol.removePassword,
    forgetDevices: enrol.forgetRememberedDevices,
  }),
  route(contract.offerReauthentication, async (context) => {
    const offered = await offerReauthentication(context)
    const { token, kinds, passkey, expiresAt } = offered
    return {
      data: { challenge: token, kinds, passkey: passkey && { ...passkey }, expires_at: expiresAt },
      ...withCookie(offered),
    }
  }),
  route(contract.reauthenticate, async (context, { body, headers }) => {
    await reauthenticate(context, body, readCookie(headers.cookie, challengeCookieName(context.service)))
    return { data: null }
  }),
  ...bind(contract, { listSessions, endSession, endOtherSessions }),
]
