/** Plaid's public API: a hosted link for the person, and a public token that is exchanged for an item's access token. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type Account, type ProviderApp, ProviderError, type TokenSet } from '../connector.ts'
import { callJson } from '../provider-http.ts'
import { refusalMessages } from '../provider-messages.ts'
import { apiVersions } from '../versions.ts'

const LINK_LIFE_SECONDS = 30 * 60

const ErrorBody = z.looseObject({ error_code: z.string(), error_message: z.string() })
const Link = z.looseObject({
  link_token: z.string().min(1),
  hosted_link_url: z.url(),
  expiration: z.string(),
})
const Exchanged = z.looseObject({ access_token: z.string().min(1), item_id: z.string().min(1) })
const Accounts = z.looseObject({
  accounts: z.array(
    z.looseObject({
      name: z.string(),
      official_name: z.string().nullish(),
      balances: z.looseObject({ iso_currency_code: z.string().nullish() }).nullish(),
    }),
  ),
})

/** A used, foreign or invalid public token is an invalid grant. */
function refusal({ status, body }: { status: number; body: unknown }): ProviderError | null {
  const parsed = ErrorBody.safeParse(body)
  if (!parsed.success || status >= 500 || status === 429) return null
  const { error_code: code } = parsed.data
  const isGrant =
    code === 'INVALID_PUBLIC_TOKEN' || code === 'INVALID_ACCESS_TOKEN' || code === 'INVALID_LINK_TOKEN'
  const reason = isGrant ? 'invalid_grant' : 'rejected'
  return new ProviderError(reason, refusalMessages[reason], { providerCode: code })
}

export function call<T>(
  http: Outbound,
  app: ProviderApp,
  path: string,
  json: object,
  schema: z.ZodType<T>,
): Promise<T> {
  return callJson(http, {
    url: `${app.apiBaseUrl}${path}`,
    headers: { 'plaid-version': apiVersions.banklink.version },
    json: { client_id: app.clientId, secret: app.clientSecret, ...json },
    schema,
    refusal,
  })
}

export async function startLink(
  http: Outbound,
  app: ProviderApp,
  person: { clientName: string; userId: string; countryCodes: readonly string[]; webhook: string },
): Promise<{ linkToken: string; url: string; expiresAt: string }> {
  const link = await call(
    http,
    app,
    '/link/token/create',
    {
      client_name: person.clientName.slice(0, 30),
      language: 'en',
      country_codes: person.countryCodes,
      user: { client_user_id: person.userId },
      products: ['transactions'],
      webhook: person.webhook,
      hosted_link: { url_lifetime_seconds: LINK_LIFE_SECONDS },
    },
    Link,
  )
  const expiresAt = new Date(link.expiration).toISOString()
  return { linkToken: link.link_token, url: link.hosted_link_url, expiresAt }
}

/** The result of a link (`/link/token/get`; fields from the official client plaid 47.0.0, read 2026-11-16). */
const LinkState = z.looseObject({
  link_sessions: z
    .array(
      z.looseObject({
        finished_at: z.string().nullish(),
        on_success: z.looseObject({ public_token: z.string().min(1) }).nullish(),
        results: z
          .looseObject({ item_add_results: z.array(z.looseObject({ public_token: z.string().min(1) })) })
          .nullish(),
      }),
    )
    .nullish(),
})

/** The public token of the bank that was linked last; null until the person has finished. */
export async function readLinkedToken(
  http: Outbound,
  app: ProviderApp,
  linkToken: string,
): Promise<string | null> {
  const { link_sessions: sessions } = await call(
    http,
    app,
    '/link/token/get',
    { link_token: linkToken },
    LinkState,
  )
  const publicTokens = (sessions ?? []).flatMap((session) => [
    ...(session.on_success ? [session.on_success.public_token] : []),
    ...(session.results?.item_add_results ?? []).map(({ public_token: token }) => token),
  ])
  return publicTokens.at(-1) ?? null
}

export const readAccounts = (http: Outbound, app: ProviderApp, accessToken: string) =>
  call(http, app, '/accounts/get', { access_token: accessToken }, Accounts)

export async function finishLink(
  http: Outbound,
  app: ProviderApp,
  publicToken: string,
): Promise<{ token: TokenSet; account: Account }> {
  const exchanged = await call(
    http,
    app,
    '/item/public_token/exchange',
    { public_token: publicToken },
    Exchanged,
  )
  const { accounts } = await readAccounts(http, app, exchanged.access_token)
  const [first] = accounts
  return {
    token: {
      accessToken: exchanged.access_token,
      refreshToken: null,
      expiresAt: null,
      scopes: ['transactions'],
      extra: {},
    },
    account: {
      id: exchanged.item_id,
      name: first?.official_name ?? first?.name ?? 'Bank account',
      kind: 'account',
      currency: first?.balances?.iso_currency_code ?? null,
      timezone: null,
    },
  }
}
