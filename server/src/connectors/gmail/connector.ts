/**
 * Gmail: consent and sending. The scope gives no access to the mailbox, so the address comes from OpenID Connect's userinfo.
 * Sources: users.messages.send and "Resolve errors" of the Gmail API, read on 2026-11-17.
 */
import { z } from 'zod'
import { type Connector, ProviderError } from '../connector.ts'
import { engineOAuth, engineRefusal } from '../engine-oauth.ts'
import { callJson } from '../provider-http.ts'
import { id } from '../reply-fields.ts'
import { composeWithin, redactMail } from '../sent-mail.ts'
import { apiVersions } from '../versions.ts'
import { isRestricted, refusalOf } from './refusals.ts'

const oauth = engineOAuth('https://www.googleapis.com/auth/gmail.send', ['openid', 'email'])

const UserInfo = z.looseObject({ sub: id, email: z.string().min(3) })
const Sent = z.looseObject({ id })

/** Limit of a mail that is sent as JSON, before base64; only the upload endpoint accepts more, up to 35 MB. */
const MAX_BYTES = 5_000_000

export const gmail: Connector = {
  provider: 'gmail',
  accountKind: 'account',
  exclusiveAccount: false,
  oauth: {
    ...oauth,
    async refresh(http, app, token, now) {
      try {
        return await oauth.refresh(http, app, token, now)
      } catch (error) {
        // A suspended account keeps its grant; a new consent would not help.
        if (!(error instanceof ProviderError) || !isRestricted(error)) throw error
        const { providerCode, providerMessage } = error
        throw new ProviderError('rejected', error.message, { providerCode, providerMessage, cause: error })
      }
    },
  },
  async listAccounts(http, app, token) {
    const base = app.extra.userinfoBaseUrl ?? app.apiBaseUrl
    const user = await callJson(http, {
      url: `${base}/v1/userinfo`,
      bearer: token.accessToken,
      schema: UserInfo,
      refusal: engineRefusal,
    })
    const { sub, email } = user
    const account = { id: sub, name: email, kind: 'account', currency: null, timezone: null } as const
    return [{ ...account, tokenExtra: { address: email } }]
  },
  mail: {
    async send({ http, app, token }, mail) {
      const mime = await composeWithin(mail, { name: '', address: token.extra.address ?? '' }, MAX_BYTES)
      const sent = await redactMail(
        callJson(http, {
          url: `${app.apiBaseUrl}/gmail/${apiVersions.gmail.version}/users/me/messages/send`,
          bearer: token.accessToken,
          json: { raw: mime.toString('base64url') },
          schema: Sent,
          refusal: engineRefusal,
          once: true,
        }),
        mail,
      )
      return sent.id
    },
    refusalOf,
  },
}
