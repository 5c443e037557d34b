/** Completes the consent of a sandbox like a browser and the service, and reads all its records. */
import { createHash } from 'node:crypto'
import type {
  CallbackResult,
  Connector,
  ProviderApp,
  Session,
  SyncRecord,
  SyncWindow,
  TokenSet,
} from '../src/connectors/connector.ts'
import type { Outbound } from '../src/platform/outbound/outbound.ts'

const redirectUri = 'https://whence.test/connect/callback'
const codeVerifier = 'v'.repeat(43)

/** Follows a link of the consent page and returns the query of the callback. */
export async function answerConsent(
  connector: Connector,
  http: Outbound,
  app: ProviderApp,
  choice: string,
  shop: string | null = null,
): Promise<Record<string, string>> {
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const url = connector.oauth.authorizeUrl(app, { redirectUri, state: 'state-1', codeChallenge, shop })
  const page = await http.send({ method: 'GET', url })
  const html = Buffer.from(page.bytes).toString()
  const link = new RegExp(`data-choice="${choice}" href="([^"]+)"`).exec(html)?.[1]?.replaceAll('&amp;', '&')
  if (page.status !== 200 || link === undefined)
    throw new Error(`No choice ${choice}: ${page.status} ${html}`)
  const back = await http.send({ method: 'GET', url: link })
  return Object.fromEntries(new URL(back.headers.location!).searchParams)
}

export async function connectInSandbox(
  connector: Connector,
  http: Outbound,
  app: ProviderApp,
  args: { now: Date; choice?: string; shop?: string },
): Promise<{ meaning: CallbackResult; token: TokenSet }> {
  const query = await answerConsent(connector, http, app, args.choice ?? 'approve-one', args.shop ?? null)
  const meaning = connector.oauth.readCallback(app, query)
  if (meaning.type !== 'code') throw new Error(`Consent ended as ${meaning.type}`)
  const token = await connector.oauth.exchange(http, app, {
    code: meaning.code,
    redirectUri,
    codeVerifier,
    query,
    now: args.now,
  })
  return { meaning, token }
}

export async function readEverything(
  connector: Connector,
  session: Session,
  window: SyncWindow,
): Promise<{ records: SyncRecord[]; pages: number }> {
  const records: SyncRecord[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const page = await connector.sync!.page(session, window, cursor)
    records.push(...page.records)
    cursor = page.cursor
    pages += 1
  } while (cursor !== null)
  return { records, pages }
}
