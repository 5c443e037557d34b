/** TikTok Ads: consent for several ad accounts, tokens without expiry, structure, reports, GMV Max. */
import { z } from 'zod'
import type { Account, Connector } from '../connector.ts'
import { readOauthCallback } from '../oauth-callback.ts'
import { id, text } from '../reply-fields.ts'
import { endGrant } from '../revocation.ts'
import { callTiktok } from './calls.ts'
import { toAccount } from './mapping.ts'
import { readStatus, setBudget, setStatus } from './status.ts'
import { readAdvertisers, syncPage } from './sync.ts'

const Token = z.looseObject({
  access_token: z.string().min(1),
  scope: z.array(z.union([z.string(), z.number()]).transform(String)).nullish(),
})
const Advertisers = z.looseObject({
  list: z.array(z.looseObject({ advertiser_id: id, advertiser_name: text })).nullish(),
})

const ACCOUNTS_PER_CALL = 100
/** For the call that requests the token. */
const noToken = { accessToken: '' }

export const tiktokAds: Connector = {
  provider: 'tiktok_ads',
  accountKind: 'ad_account',
  exclusiveAccount: true,
  oauth: {
    /** Permissions belong to the app, and there is no PKCE. */
    authorizeUrl(app, request) {
      const query = new URLSearchParams({
        app_id: app.clientId,
        state: request.state,
        redirect_uri: request.redirectUri,
      })
      return `${app.authorizeBaseUrl}/portal/auth?${query}`
    },
    readCallback: (_app, query) =>
      query.auth_code ? { type: 'code', code: query.auth_code } : readOauthCallback({ ...query, code: '' }),
    async exchange(http, app, { code }) {
      const token = await callTiktok({ http, app, token: noToken }, '/oauth2/access_token/', {
        json: { app_id: app.clientId, secret: app.clientSecret, auth_code: code },
        schema: Token,
      })
      return {
        accessToken: token.access_token,
        // Advertiser tokens do not expire; tokens of one day with a refresh token belong to TikTok accounts.
        refreshToken: null,
        expiresAt: null,
        scopes: token.scope ?? [],
        extra: {},
      }
    },
    revoke: (http, app, token) =>
      endGrant(
        callTiktok({ http, app, token }, '/oauth2/revoke_token/', {
          json: { app_id: app.clientId, secret: app.clientSecret, access_token: token.accessToken },
          schema: z.unknown(),
        }),
      ),
  },
  async listAccounts(http, app, token) {
    const caller = { http, app, token }
    const { list } = await callTiktok(caller, '/oauth2/advertiser/get/', {
      query: { app_id: app.clientId, secret: app.clientSecret },
      schema: Advertisers,
    })
    const granted = list ?? []
    const accounts: Account[] = []
    for (let start = 0; start < granted.length; start += ACCOUNTS_PER_CALL) {
      const part = granted.slice(start, start + ACCOUNTS_PER_CALL)
      const details = await readAdvertisers(
        caller,
        part.map(({ advertiser_id: advertiser }) => advertiser),
      )
      accounts.push(...details.map(toAccount))
    }
    return accounts
  },
  sync: { page: syncPage },
  ads: { readStatus, setStatus, readBudget: readStatus, setBudget },
}
