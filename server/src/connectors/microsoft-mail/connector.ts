/**
 * Microsoft 365 and Outlook.com: consent and sending as MIME. Formats from Microsoft's references, read on
 * 2026-11-17: OAuth 2.0 authorization code flow of the identity platform, `user: sendMail` and "Send emails with MIME content".
 */
import { z } from 'zod'
import type { Connector } from '../connector.ts'
import { microsoftOAuth } from '../microsoft-oauth.ts'
import { callJson } from '../provider-http.ts'
import { id, text } from '../reply-fields.ts'
import { composeWithin, redactMail } from '../sent-mail.ts'
import { versionedBase } from '../versions.ts'
import { graphRefusal, refusalOf, tokenRefusal } from './refusals.ts'

const graph = (scope: string) => `https://graph.microsoft.com/${scope}`
const scopes = ['offline_access', graph('Mail.Send'), graph('User.Read')]
const oauth = microsoftOAuth(scopes, 'Mail.Send', tokenRefusal)

/** A request is limited to 4 MB, and the mail is base64-encoded. */
const MAX_BYTES = 3_000_000

const Me = z.looseObject({ id, displayName: text, mail: text, userPrincipalName: text })

export const microsoftMail: Connector = {
  provider: 'microsoft_mail',
  accountKind: 'account',
  exclusiveAccount: false,
  oauth,
  async listAccounts(http, app, token) {
    const me = await callJson(http, {
      url: `${versionedBase(app.apiBaseUrl, 'microsoft_mail')}/me`,
      query: { $select: 'id,displayName,mail,userPrincipalName' },
      bearer: token.accessToken,
      schema: Me,
      refusal: graphRefusal,
    })
    const address = me.mail ?? me.userPrincipalName
    if (address === null) return []
    const account = { id: me.id, name: address, kind: 'account', currency: null, timezone: null } as const
    return [{ ...account, tokenExtra: { address, senderName: me.displayName ?? '' } }]
  },
  mail: {
    async send({ http, app, token }, mail) {
      const from = { name: token.extra.senderName ?? '', address: token.extra.address ?? '' }
      const mime = await composeWithin(mail, from, MAX_BYTES)
      await redactMail(
        callJson(http, {
          method: 'POST',
          url: `${versionedBase(app.apiBaseUrl, 'microsoft_mail')}/me/sendMail`,
          bearer: token.accessToken,
          raw: { contentType: 'text/plain', bytes: Buffer.from(mime.toString('base64')) },
          schema: z.unknown(),
          refusal: graphRefusal,
          once: true,
        }),
        mail,
      )
      return null
    },
    refusalOf,
  },
}
