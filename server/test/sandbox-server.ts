/** A loopback server with one sandbox, and helpers that follow the links of its consent page. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConsentChoice } from '@whence/sandbox/consent.ts'
import { mountSandboxes } from '@whence/sandbox/mount.ts'
import type { Sandbox, SandboxOptions } from '@whence/sandbox/sandbox.ts'
import type {
  CallbackQuery,
  CallbackResult,
  Connector,
  Deposit,
  InboundWebhook,
  ProviderApp,
  Session,
  SyncRecord,
  SyncWindow,
  TokenSet,
} from '../src/connectors/connector.ts'
import { createProviderHttp, type ProviderHttp } from '../src/connectors/provider-http.ts'
import { createOutbound } from '../src/platform/outbound/client.ts'

export type ConnectorCase = {
  connector: Connector
  createSandbox: (options: SandboxOptions) => Sandbox
  /** Further settings of the app, which the sandbox gets too. */
  extra: Record<string, string>
  /** Only for storefront. */
  shop: string | null
  /** Whether the exchange checks the PKCE verifier. */
  hasPkce: boolean
  /** Number of accounts of `approve-several`; 1 if a consent always covers one account. */
  severalCount: number
  /** Whether `nothing` leads to an empty list; not if every consent is for an account. */
  canBeEmpty: boolean
  /**
   * The consent issues keys instead of a code: they do not expire, cannot be revoked by a call, and a refusal on the
   * account's own page does not redirect back.
   */
  isKeyPair?: true
  /** The platform has no call to revoke a token. */
  cannotRevoke?: true
  /** The first path that the sync reads, where faults are injected. */
  syncPath: string
  /** An action of the sandbox that sends one webhook; null if the provider has no webhooks. */
  webhookAction: string | null
  /** Whether delivery of a past day can be restated. */
  restates: boolean
  /** True for at least one synced record with missing fields. */
  leftOut: (record: SyncRecord) => boolean
}

export type RunningSandbox = {
  app: ProviderApp
  sandbox: Sandbox
  clock: { now: Date }
  http: ProviderHttp
  /** With a timeout of a few milliseconds, for a provider that never responds. */
  impatientHttp: ProviderHttp
  /** Pauses before retries, which are recorded instead of waited for. */
  pauses: number[]
  webhooks: InboundWebhook[]
  /** Credentials that the account posted to the callback address. */
  deposits: unknown[]
  redirectUri: string
  close(): Promise<void>
}

export const clientId = 'client-of-the-sandbox'
export const clientSecret = 'secret-of-the-sandbox'
export const sandboxNow = new Date('2026-03-02T15:30:00Z')
export const lastDays: SyncWindow = { sinceDay: '2026-02-20', untilDay: '2026-03-02' }

export async function startSandbox({ createSandbox, extra }: ConnectorCase): Promise<RunningSandbox> {
  const clock = { now: sandboxNow }
  const webhooks: InboundWebhook[] = []
  const deposits: unknown[] = []
  const sandbox = createSandbox({
    seed: 'conformance',
    now: () => clock.now,
    async sendWebhook({ headers, body, query }) {
      webhooks.push({ rawBody: new TextEncoder().encode(body), headers, query: query ?? {} })
    },
    async postTo(_url, json) {
      deposits.push(JSON.parse(json))
      return 200
    },
    clientId,
    clientSecret,
    extra,
  })
  let origin = ''
  const mount = mountSandboxes({ sandboxes: [sandbox], origin: () => origin })
  const server = createServer((request, response) => {
    mount
      .answer(request)
      .then((reply) => mount.send(response, reply ?? { status: 404, body: 'No such sandbox' }))
      .catch((error: unknown) => {
        response.writeHead(599).end(String(error instanceof Error ? error.stack : error))
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pauses: number[] = []
  const sleep = async (ms: number) => {
    pauses.push(ms)
  }
  const outbound = createOutbound({ guard: 'none' })
  const baseUrl = `${origin}/sandbox/${sandbox.name}`
  return {
    app: { clientId, clientSecret, authorizeBaseUrl: baseUrl, apiBaseUrl: baseUrl, extra },
    sandbox,
    clock,
    http: createProviderHttp(outbound, { sleep }),
    impatientHttp: createProviderHttp(outbound, { sleep, tryTimeoutMs: 50 }),
    pauses,
    webhooks,
    deposits,
    redirectUri: `${origin}/connect/callback`,
    async close() {
      await outbound.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Consent = {
  meaning: CallbackResult
  query: CallbackQuery
  deposit: Deposit
  codeVerifier: string
}

/** Opens the consent page, follows one link, and returns the query of the redirect. */
export async function consent(
  { connector, shop }: ConnectorCase,
  { app, redirectUri, deposits }: RunningSandbox,
  choice: ConsentChoice,
): Promise<Consent> {
  const codeVerifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const page = await fetch(
    connector.oauth.authorizeUrl(app, { redirectUri, state: 'the state', codeChallenge, shop }),
  )
  const link = new RegExp(`data-choice="${choice}" href="([^"]+)"`).exec(await page.text())?.[1]
  if (!link) throw new Error(`The consent page (${page.status}) offers no ${choice}`)
  const answer = await fetch(link.replaceAll('&amp;', '&'), { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  const deposit = connector.oauth.readDeposit?.(deposits.pop()) ?? null
  const query = Object.fromEntries(back.searchParams)
  if (deposit !== null && deposit.state !== 'the state') throw new Error('The keys have another state')
  if (query.state !== 'the state') throw new Error('The redirect lacks the state')
  const fields = deposit?.fields ?? {}
  return { meaning: connector.oauth.readCallback(app, query, fields), query, deposit: fields, codeVerifier }
}

export async function exchange(
  { connector }: ConnectorCase,
  running: RunningSandbox,
  { meaning, query, deposit, codeVerifier }: Consent,
): Promise<TokenSet> {
  if (meaning.type !== 'code') throw new Error(`The consent ended as ${meaning.type}`)
  const { app, http, redirectUri, clock } = running
  return connector.oauth.exchange(http, app, {
    code: meaning.code,
    redirectUri,
    codeVerifier,
    query,
    deposit,
    now: clock.now,
  })
}

export async function connect(
  spec: ConnectorCase,
  running: RunningSandbox,
  choice: ConsentChoice = 'approve-one',
): Promise<TokenSet> {
  return exchange(spec, running, await consent(spec, running, choice))
}

export async function openSession(spec: ConnectorCase, running: RunningSandbox) {
  const token = await connect(spec, running)
  const [account] = await spec.connector.listAccounts(running.http, running.app, token)
  const extra = { ...token.extra, ...account!.tokenExtra }
  return { http: running.http, app: running.app, token: { ...token, extra }, accountId: account!.id }
}

/** All records of a sync, from all pages. */
export async function syncAllPages(
  connector: Pick<Connector, 'sync'>,
  session: Session,
  window: SyncWindow = lastDays,
): Promise<SyncRecord[]> {
  const records: SyncRecord[] = []
  let cursor: string | null = null
  do {
    const page = await connector.sync!.page(session, window, cursor)
    records.push(...page.records)
    cursor = page.cursor
  } while (cursor !== null)
  return records
}
