/** Completes the consent of a sandbox provider as a browser would: opens the page, follows the link and reads the callback. */
import { createHash } from 'node:crypto'
import type { Account, TokenSet } from '../../../connectors/connector.ts'
import type { ConfiguredProvider } from '../../../connectors/registry.ts'
import type { Service } from '../../../context.ts'
import { randomToken } from '../../../platform/secrets/tokens.ts'

export async function consentTo(
  service: Service,
  configured: ConfiguredProvider,
  args: { redirectUri: string; shop: string | null },
): Promise<{ token: TokenSet; account: Account }> {
  const { connector, app } = configured
  const verifier = randomToken(32)
  const url = connector.oauth.authorizeUrl(app, {
    redirectUri: args.redirectUri,
    state: randomToken(16),
    codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
    shop: args.shop,
  })
  const page = await service.providerHttp.send({ method: 'GET', url })
  const link = /data-choice="approve-one" href="([^"]+)"/.exec(Buffer.from(page.bytes).toString('utf8'))?.[1]
  if (link === undefined) throw new Error(`The consent page of ${connector.provider} has no account`)
  const redirect = await service.providerHttp.send({ method: 'GET', url: link.replaceAll('&amp;', '&') })
  const query = Object.fromEntries(new URL(redirect.headers.location ?? '').searchParams)
  const callback = connector.oauth.readCallback(app, query)
  if (callback.type !== 'code')
    throw new Error(`The consent of ${connector.provider} ended as ${callback.type}`)
  const token = await connector.oauth.exchange(configured.http, app, {
    code: callback.code,
    redirectUri: args.redirectUri,
    codeVerifier: verifier,
    query,
    now: service.clock.now(),
  })
  const [account] = await connector.listAccounts(configured.http, app, token)
  if (account === undefined) throw new Error(`The consent of ${connector.provider} shows no account`)
  return { token, account }
}
