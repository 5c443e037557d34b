/** Conformance tests of every connector against its sandbox over real HTTP. */
import { afterEach, describe, expect, test } from 'vitest'
import { ProviderError, providers, type Session, type SyncRecord } from '../src/connectors/connector.ts'
import { connectorCases } from './connector-cases.ts'
import {
  type ConnectorCase,
  connect,
  consent,
  exchange,
  lastDays,
  openSession,
  type RunningSandbox,
  startSandbox,
} from './sandbox-server.ts'

async function refusalOf(promise: Promise<unknown>): Promise<ProviderError> {
  const outcome = await promise.then(
    (value) => value,
    (error: unknown) => error,
  )
  expect(outcome).toBeInstanceOf(ProviderError)
  return outcome as ProviderError
}

async function syncFrom(spec: ConnectorCase, session: Session, cursor: string | null) {
  const records: SyncRecord[] = []
  const cursors: string[] = []
  let at = cursor
  do {
    const page = await spec.connector.sync!.page(session, lastDays, at)
    records.push(...page.records)
    if (page.progress.total !== null) expect(page.progress.done).toBeLessThanOrEqual(page.progress.total)
    at = page.cursor
    if (at !== null) cursors.push(at)
    expect(cursors.length).toBeLessThan(500)
  } while (at !== null)
  return { records, cursors }
}

/** The identity of a record in storage. */
function identityOf(record: SyncRecord): string {
  switch (record.type) {
    case 'ad_entity':
      return `${record.type} ${record.level} ${record.externalId}`
    case 'ad_detail':
      return `${record.type} ${record.kind} ${record.externalId} ${'day' in record ? record.day : ''}`
    case 'delivery':
      return `${record.type} ${record.level} ${record.externalId} ${record.day}`
    case 'search_query':
      return `${record.type} ${record.day} ${record.query} ${record.page}`
    case 'lead':
      return `${record.type} ${record.leadgenId}`
    case 'outcome':
      return `${record.type} ${record.outcomeType} ${record.externalId}`
    case 'meeting':
      return `${record.type} ${record.calendarId} ${record.externalId}`
    case 'calendar_list':
    case 'calendar_read':
    case 'payment':
    case 'refund':
    case 'ad_click':
    case 'message':
    case 'message_status':
    case 'contact':
    case 'visit':
    case 'order_status':
    case 'product_change':
      return `${record.type} ${record.externalId}`
  }
}

test('no provider is left out', () => {
  expect(connectorCases.map(({ connector }) => connector.provider)).toEqual([...providers])
})

describe.each(connectorCases.map((spec) => [spec.connector.provider, spec] as const))('%s', (_, spec) => {
  const { connector } = spec
  let running: RunningSandbox | undefined
  const start = async () => {
    running = await startSandbox(spec)
    return running
  }
  afterEach(async () => {
    await running?.close()
    running = undefined
  })

  describe('connecting', () => {
    test('approving one account issues a token that lists it', async () => {
      const at = await start()
      const token = await connect(spec, at)
      const accounts = await connector.listAccounts(at.http, at.app, token)
      expect(accounts).toHaveLength(1)
      expect(accounts[0]).toMatchObject({ kind: connector.accountKind })
      expect(accounts[0]!.name).not.toBe('')
      if (token.expiresAt !== null)
        expect(Date.parse(token.expiresAt)).toBeGreaterThan(at.clock.now.getTime())
    })

    test('approving several accounts lists each once', async () => {
      const at = await start()
      const accounts = await connector.listAccounts(
        at.http,
        at.app,
        await connect(spec, at, 'approve-several'),
      )
      expect(new Set(accounts.map(({ id }) => id)).size).toBe(spec.severalCount)
      expect(accounts).toHaveLength(spec.severalCount)
    })

    test.runIf(spec.canBeEmpty)('a person without accounts gets an empty list', async () => {
      const at = await start()
      expect(await connector.listAccounts(at.http, at.app, await connect(spec, at, 'nothing'))).toEqual([])
    })

    test.each([
      ['decline', 'cancelled'],
      ['deny-app', 'denied'],
      ['provider-error', 'error'],
      ['no-code', 'error'],
    ] as const)('%s is understood as %s', async (choice, meaning) => {
      if (spec.isKeyPair && (choice === 'deny-app' || choice === 'provider-error')) return
      const at = await start()
      expect((await consent(spec, at, choice)).meaning.type).toBe(meaning)
    })

    test('a bad code is refused at the exchange', async () => {
      const at = await start()
      const refusal = await refusalOf(connect(spec, at, 'bad-code'))
      expect(['rejected', 'invalid_grant']).toContain(refusal.reason)
    })

    test.runIf(!spec.isKeyPair)('a code works once', async () => {
      const at = await start()
      const answered = await consent(spec, at, 'approve-one')
      await exchange(spec, at, answered)
      await refusalOf(exchange(spec, at, answered))
    })

    test.runIf(spec.hasPkce)('a code is refused without its verifier', async () => {
      const at = await start()
      const answered = await consent(spec, at, 'approve-one')
      await refusalOf(exchange(spec, at, { ...answered, codeVerifier: 'another'.repeat(7) }))
    })
  })

  describe('the token', () => {
    test.runIf(connector.oauth.refresh !== undefined)(
      'is renewed, and a spent refresh token is dead',
      async () => {
        const at = await start()
        const first = await connect(spec, at)
        const second = await connector.oauth.refresh!(at.http, at.app, first, at.clock.now)
        expect(second.accessToken).not.toBe(first.accessToken)
        expect(await connector.listAccounts(at.http, at.app, second)).toHaveLength(1)
        if (first.refreshToken !== null) expect(second.refreshToken).not.toBeNull()
        if (second.refreshToken === first.refreshToken) return
        const refusal = await refusalOf(connector.oauth.refresh!(at.http, at.app, first, at.clock.now))
        expect(refusal.reason).toBe('invalid_grant')
      },
    )

    test.runIf(!spec.isKeyPair && !spec.cannotRevoke)(
      'revoked by us is refused by the provider, and revoking again is no error',
      async () => {
        const at = await start()
        const token = await connect(spec, at)
        await connector.oauth.revoke(at.http, at.app, token)
        expect((await refusalOf(connector.listAccounts(at.http, at.app, token))).reason).toBe('invalid_grant')
        await connector.oauth.revoke(at.http, at.app, token)
      },
    )

    test('revoked at the provider fails reads and the refresh with invalid_grant', async () => {
      const at = await start()
      const session = await openSession(spec, at)
      await at.sandbox.act('revoke', {})
      const refusal = await refusalOf(connector.sync!.page(session, lastDays, null))
      expect(refusal.reason).toBe('invalid_grant')
      if (connector.oauth.refresh === undefined) return
      const renewal = await refusalOf(connector.oauth.refresh(at.http, at.app, session.token, at.clock.now))
      expect(renewal.reason).toBe('invalid_grant')
    })
  })

  describe('the sync', () => {
    test('returns the same records from any page on, each once', async () => {
      const at = await start()
      const session = await openSession(spec, at)
      const fullSync = await syncFrom(spec, session, null)
      expect(fullSync.records.length).toBeGreaterThan(0)
      const identities = fullSync.records.map(identityOf)
      expect(new Set(identities).size).toBe(identities.length)
      for (const at of [0, Math.floor(fullSync.cursors.length / 2), fullSync.cursors.length - 1]) {
        const cursor = fullSync.cursors[at]
        if (cursor === undefined) continue
        const resumedSync = await syncFrom(spec, session, cursor)
        expect(resumedSync.records).toEqual(
          fullSync.records.slice(fullSync.records.length - resumedSync.records.length),
        )
        expect(resumedSync.cursors).toEqual(fullSync.cursors.slice(at + 1))
      }
    })

    test('waits for Retry-After and continues', async () => {
      const at = await start()
      const session = await openSession(spec, at)
      at.sandbox.fault({ kind: 'rate_limited', match: spec.syncPath, times: 1, retryAfterSeconds: 7 })
      await connector.sync!.page(session, lastDays, null)
      expect(at.pauses).toHaveLength(1)
      expect(at.pauses[0]).toBeGreaterThanOrEqual(7000)
    })

    test('reports a Retry-After that exceeds the call’s time limit', async () => {
      const at = await start()
      const session = await openSession(spec, at)
      at.sandbox.fault({ kind: 'rate_limited', match: spec.syncPath, times: 1, retryAfterSeconds: 3600 })
      const refusal = await refusalOf(connector.sync!.page(session, lastDays, null))
      expect(refusal).toMatchObject({ reason: 'rate_limited', retryAfterSeconds: 3600 })
    })

    test.each(['server_error', 'reset', 'html_error'] as const)('retries after %s', async (kind) => {
      const at = await start()
      const session = await openSession(spec, at)
      at.sandbox.fault({ kind, match: spec.syncPath, times: 2 })
      await connector.sync!.page(session, lastDays, null)
      expect(at.pauses).toHaveLength(2)
    })

    test.each(['server_error', 'html_error'] as const)(
      'gives up after four attempts with %s',
      async (kind) => {
        const at = await start()
        const session = await openSession(spec, at)
        at.sandbox.fault({ kind, match: spec.syncPath, times: 4 })
        expect((await refusalOf(connector.sync!.page(session, lastDays, null))).reason).toBe('unavailable')
      },
    )

    test('gives up on a provider that never answers', async () => {
      const at = await start()
      const session = { ...(await openSession(spec, at)), http: at.impatientHttp }
      at.sandbox.fault({ kind: 'timeout', match: spec.syncPath, times: 4 })
      const refusal = await refusalOf(connector.sync!.page(session, lastDays, null))
      expect(refusal).toMatchObject({ reason: 'unavailable', providerCode: 'timeout' })
    })

    test('reports a truncated response as malformed', async () => {
      const at = await start()
      const session = await openSession(spec, at)
      at.sandbox.fault({ kind: 'truncated_json', match: spec.syncPath, times: 1 })
      expect((await refusalOf(connector.sync!.page(session, lastDays, null))).reason).toBe('malformed')
    })

    test('stores unknown fields in aside and leaves missing ones null', async () => {
      const at = await start()
      const { records } = await syncFrom(spec, await openSession(spec, at), null)
      expect(records.some(({ aside }) => aside !== undefined && Object.keys(aside).length > 0)).toBe(true)
      expect(records.some(spec.leftOut)).toBe(true)
    })

    test.runIf(spec.restates)('reads a restated day again, under the same identity', async () => {
      const at = await start()
      const session = await openSession(spec, at)
      const day = '2026-02-25'
      const spendOf = (records: SyncRecord[]) =>
        new Map(
          records.flatMap((record) =>
            record.type === 'delivery' && record.day === day ? [[identityOf(record), record.spendMinor]] : [],
          ),
        )
      const before = spendOf((await syncFrom(spec, session, null)).records)
      await at.sandbox.act('restate', { day, percent: 80 })
      const after = spendOf((await syncFrom(spec, session, null)).records)
      expect([...after.keys()]).toEqual([...before.keys()])
      const sum = (spend: Map<unknown, number>) =>
        [...spend.values()].reduce((total, amount) => total + amount, 0)
      expect(sum(after) / sum(before)).toBeCloseTo(0.8, 2)
    })
  })

  test('one bad record is set aside with its reason, and the rest of the page is returned', async () => {
    const at = await start()
    const session = await openSession(spec, at)
    const goodPage = await connector.sync!.page(session, lastDays, null)
    at.sandbox.fault({ kind: 'bad_record', match: spec.syncPath, times: 1 })
    const page = await connector.sync!.page({ ...session, currency: 'USD' }, lastDays, null)
    expect(page.setAside).toHaveLength(1)
    expect(page.setAside![0]!.reason).not.toBe('')
    const remainingIdentities = new Set(page.records.map(identityOf))
    const lost = goodPage.records.map(identityOf).filter((identity) => !remainingIdentities.has(identity))
    expect(remainingIdentities.size).toBeGreaterThan(0)
    expect(lost.length).toBeGreaterThan(0)
    // The maximum number of records of one object: an order with two visits, its outcome, payment and status.
    expect(lost.length).toBeLessThanOrEqual(5)
  })

  describe.runIf(spec.webhookAction !== null)('webhooks', () => {
    /** Some accounts only send webhooks that the first sync has subscribed to. */
    const prepare = async (at: RunningSandbox) => {
      await connector.sync!.page(await openSession(spec, at), lastDays, null)
      at.webhooks.length = 0
    }

    test('are accepted only with a signature over their exact bytes', async () => {
      const at = await start()
      await prepare(at)
      await at.sandbox.act(spec.webhookAction!, {})
      const [webhook] = at.webhooks
      const verify = connector.webhooks!.verify
      expect(verify(at.app, webhook!, at.clock.now)).toBe(true)
      const changed = Uint8Array.from(webhook!.rawBody)
      changed[changed.length - 2]! ^= 1
      expect(verify(at.app, { ...webhook!, rawBody: changed }, at.clock.now)).toBe(false)
      expect(verify(at.app, { ...webhook!, headers: {} }, at.clock.now)).toBe(false)
      const otherSecrets = Object.fromEntries(Object.keys(at.app.extra).map((name) => [name, 'another']))
      const otherApp = { ...at.app, clientSecret: 'another', extra: otherSecrets }
      expect(verify(otherApp, webhook!, at.clock.now)).toBe(false)
    })

    test('are idempotent', async () => {
      const at = await start()
      await prepare(at)
      await at.sandbox.act(spec.webhookAction!, {})
      const [webhook] = at.webhooks
      const meanings = connector.webhooks!.map(webhook!)
      expect(meanings).not.toEqual([{ type: 'ignored' }])
      expect(connector.webhooks!.map(webhook!)).toEqual(meanings)
      const session = await openSession(spec, at)
      for (const meaning of meanings) {
        if (meaning.type !== 'read_back') continue
        const read = () => connector.webhooks!.readBack!(session, meaning.resource, meaning.id)
        const first = await read()
        expect(first.length).toBeGreaterThan(0)
        expect((await read()).map(identityOf)).toEqual(first.map(identityOf))
      }
    })

    test('with unknown content are ignored', () => {
      for (const body of ['', 'nonsense', '{}', '[]', 'null', '{"object":"page","entry":[{}]}']) {
        const rawBody = new TextEncoder().encode(body)
        expect(connector.webhooks!.map({ rawBody, headers: {}, query: {} })).toEqual([{ type: 'ignored' }])
      }
    })
  })
})
