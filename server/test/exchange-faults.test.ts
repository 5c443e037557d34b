/** Provider faults while a person connects and while a webhook is read back: every fault with every provider. */

import type { SandboxFault } from '@whence/sandbox/sandbox.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Provider,
  ProviderError,
  providers,
  type Session,
  type SyncRecord,
} from '../src/connectors/connector.ts'
import { mailboxVendors } from '../src/connectors/mailbox.ts'
import { socialAds } from '../src/connectors/social-ads/connector.ts'
import { connectorCases, mailboxCases } from './connector-cases.ts'
import { shortIt, splitForRun } from './length.ts'
import {
  type ConnectorCase,
  connect,
  consent,
  exchange,
  openSession,
  type RunningSandbox,
  startSandbox,
} from './sandbox-server.ts'

const store = '/harbor-and-pine.myshopify.com/admin'
/** Paths of the code exchange and of the list of accounts, for a consent with one account or several. */
const paths: Record<Provider, { token: string; one: string; several?: string }> = {
  social_ads: { token: '/v26.0/oauth/access_token', one: '/v26.0/me', several: '/v26.0/me' },
  engine_ads: { token: '/token', one: '/v26/customers', several: '/v26/customers' },
  engine_search_console: { token: '/token', one: '/webmasters/v3/sites', several: '/webmasters/v3/sites' },
  engine_calendar: { token: '/token', one: '/calendar/v3/users/me/calendarList' },
  external_calendar: { token: '/common/oauth2/v2.0/token', one: '/v1.0/me' },
  microsoft_ads: {
    token: '/common/oauth2/v2.0/token',
    one: '/CustomerManagement/v13/User/Query',
    several: '/CustomerManagement/v13/Accounts/Search',
  },
  crmsuite: { token: '/oauth/token', one: '/locations/', several: '/oauth/installedLocations' },
  cardpay: { token: '/v1/oauth/token', one: '/v1/account' },
  regionalpay: { token: '/oauth/token', one: '/users/me' },
  storefront: { token: `${store}/oauth/access_token`, one: `${store}/api` },
  woocommerce: { token: '/harbor.example/wp-json/wc/v3/data', one: '/harbor.example/wp-json/' },
  hubspot: { token: '/oauth/2026-09/token', one: '/oauth/2026-09/token/introspect' },
  linkedin_ads: {
    token: '/oauth/v2/accessToken',
    one: '/rest/adAccounts',
    several: '/rest/adAccounts',
  },
  tiktok_ads: {
    token: '/open_api/v1.3/oauth2/access_token/',
    one: '/open_api/v1.3/oauth2/advertiser/get/',
    several: '/open_api/v1.3/advertiser/info/',
  },
  gmail: { token: '/token', one: '/v1/userinfo' },
  microsoft_mail: { token: '/common/oauth2/v2.0/token', one: '/v1.0/me' },
}
const cases = [...connectorCases, ...mailboxCases].map((spec) => [spec.connector.provider, spec] as const)
const caseOf = (provider: Provider) =>
  connectorCases.find(({ connector }) => connector.provider === provider)!
const settled = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    (error: unknown) => error,
  )

/** `npm test` tries the first transient fault and the first two permanent ones. */
const passing = splitForRun(['server_error', 'html_error', 'reset'] as const, 1)
const lasting = splitForRun(
  [
    ['server_error', 4, 'unavailable'],
    ['truncated_json', 1, 'malformed'],
    ['html_error', 4, 'unavailable'],
    ['reset', 4, 'unavailable'],
    ['timeout', 4, 'unavailable'],
  ] as const,
  2,
)

let at: RunningSandbox
afterEach(() => at.close())

const httpFor = (kind: SandboxFault['kind']) => (kind === 'timeout' ? at.impatientHttp : at.http)

describe.each(cases)('the exchange of %s', (provider, spec) => {
  const match = paths[provider].token
  beforeEach(async () => {
    at = await startSandbox(spec)
  })

  async function exchangeWith(fault: Omit<SandboxFault, 'match'>) {
    const answered = await consent(spec, at, 'approve-one')
    at.sandbox.fault({ ...fault, match })
    return settled(exchange(spec, { ...at, http: httpFor(fault.kind) }, answered))
  }

  test.each(passing)('succeeds after a transient %s', async (kind) => {
    expect(await exchangeWith({ kind, times: 2 })).toMatchObject({ accessToken: expect.any(String) })
    expect(at.pauses).toHaveLength(2)
  })

  shortIt('waits for Retry-After', async () => {
    const fault = { kind: 'rate_limited', times: 1, retryAfterSeconds: 5 } as const
    expect(await exchangeWith(fault)).toMatchObject({ accessToken: expect.any(String) })
    expect(at.pauses[0]).toBeGreaterThanOrEqual(5000)
  })

  shortIt('reports a Retry-After that is too long for a waiting person', async () => {
    const fault = { kind: 'rate_limited', times: 1, retryAfterSeconds: 3600 } as const
    expect(await exchangeWith(fault)).toMatchObject({ reason: 'rate_limited', retryAfterSeconds: 3600 })
  })

  const exchangeIt = spec.isKeyPair ? test.skip : shortIt
  exchangeIt('whose answer is lost spends the code: it is refused, and a new consent works', async () => {
    const refusal = await exchangeWith({ kind: 'lost_reply', times: 1 })
    expect(refusal).toBeInstanceOf(ProviderError)
    expect(['invalid_grant', 'rejected']).toContain((refusal as ProviderError).reason)
    expect(await spec.connector.listAccounts(at.http, at.app, await connect(spec, at))).toHaveLength(1)
  })

  test.each(lasting)('reports a permanent %s, and a new consent works', async (kind, times, reason) => {
    const refusal = await exchangeWith({ kind, times })
    expect(refusal).toBeInstanceOf(ProviderError)
    expect(refusal).toMatchObject({ reason })
    const token = await connect(spec, at)
    expect(await spec.connector.listAccounts(at.http, at.app, token)).toHaveLength(1)
  })
})

const lists = cases.flatMap(([provider, spec]) => {
  const { one, several } = paths[provider]
  const single = [provider, 'approve-one', one, 1, spec] as const
  return several === undefined
    ? [single]
    : [single, [provider, 'approve-several', several, spec.severalCount, spec] as const]
})

shortIt('every provider that supports several accounts is tested with several', () => {
  expect(Object.keys(paths)).toEqual([...providers, ...mailboxVendors])
  const several = cases.filter(([, spec]) => spec.severalCount > 1).map(([provider]) => provider)
  expect(several).toEqual(providers.filter((provider) => paths[provider].several !== undefined))
  at = { close: async () => {} } as RunningSandbox
})

describe.each(lists)('the accounts of %s after %s', (_provider, choice, match, count, spec) => {
  beforeEach(async () => {
    at = await startSandbox(spec)
  })
  const listWith = async (fault: Omit<SandboxFault, 'match'>) => {
    const token = await connect(spec, at, choice)
    const list = () => settled(spec.connector.listAccounts(httpFor(fault.kind), at.app, token))
    at.sandbox.fault({ ...fault, match })
    return { first: await list(), again: list }
  }

  test.each(passing)('are listed after a transient %s', async (kind) => {
    expect((await listWith({ kind, times: 2 })).first).toHaveLength(count)
  })

  test.each(lasting)('are listed by the next attempt after a permanent %s', async (kind, times, reason) => {
    const { first, again } = await listWith({ kind, times })
    expect(first).toMatchObject({ reason })
    at = { ...at, impatientHttp: at.http }
    expect(await again()).toHaveLength(count)
  })
})

/** Webhooks without content: the action that triggers them, and the path where the content is read. */
const webhookActions: [Provider, string, string, Record<string, unknown>?][] = [
  ['crmsuite', 'new_contact', '/contacts/'],
  ['crmsuite', 'move_stage', '/opportunities/'],
  ['crmsuite', 'set_appointment', '/calendars/events/appointments/'],
  ['cardpay', 'new_charge', '/v1/charges/'],
  ['cardpay', 'new_charge', '/v1/checkout/sessions', { anonymous_id: 'a visitor' }],
  ['cardpay', 'refund', '/v1/refunds'],
  ['cardpay', 'dispute', '/v1/disputes'],
  ['regionalpay', 'new_charge', '/v1/payments/'],
  ['regionalpay', 'new_order', '/v1/orders/'],
  ['regionalpay', 'new_order', '/v1/payments/'],
  ['regionalpay', 'refund', '/v1/payments/'],
  ['storefront', 'refund', `${store}/api`],
  ['hubspot', 'new_contact', '/crm/objects/2026-09/contacts/'],
  ['hubspot', 'move_deal', '/crm/objects/2026-09/deals/'],
  ['linkedin_ads', 'lead', '/rest/leadFormResponses/'],
]

describe.each(webhookActions)('%s: the webhook of %s, read at %s', (provider, action, match, args = {}) => {
  const spec: ConnectorCase = caseOf(provider)
  const { connector } = spec
  let session: Session
  let announced: { resource: string; id: string }[]
  beforeEach(async () => {
    at = await startSandbox(spec)
    session = await openSession(spec, at)
    await at.sandbox.act(action, args)
    const meanings = at.webhooks.flatMap((webhook) => connector.webhooks!.map(webhook))
    announced = meanings.flatMap((meaning) => (meaning.type === 'read_back' ? [meaning] : []))
    expect(announced.length).toBeGreaterThan(0)
  })

  const readEach = async (http: RunningSandbox['http']) => {
    const records: SyncRecord[] = []
    for (const { resource, id } of announced)
      records.push(...(await connector.webhooks!.readBack!({ ...session, http }, resource, id)))
    return records
  }
  const readAll = (http = at.http) => settled(readEach(http))

  test.each(passing)('is read back after a transient %s', async (kind) => {
    const allRecords = await readAll()
    at.sandbox.fault({ kind, times: 2, match })
    expect(await readAll()).toEqual(allRecords)
    expect(at.pauses.length).toBeGreaterThan(0)
  })

  test.each(lasting)('is read by the next attempt after a permanent %s', async (kind, times, reason) => {
    const allRecords = await readAll()
    expect((allRecords as unknown[]).length).toBeGreaterThan(0)
    at.sandbox.fault({ kind, times, match })
    expect(await readAll(httpFor(kind))).toMatchObject({ reason })
    await at.sandbox.act('reset', {})
    expect(await readAll()).toEqual(allRecords)
  })
})

describe('a lead that a webhook reports', () => {
  const spec = caseOf('social_ads')
  let session: Session
  let leadgenId: string
  let resource: string
  beforeEach(async () => {
    at = await startSandbox(spec)
    session = await openSession(spec, at)
    const lead = await at.sandbox.act('lead', {})
    leadgenId = String(lead.leadgen_id)
    resource = `page/${lead.page_id}/leadgen`
  })

  const readWith = (fault: Omit<SandboxFault, 'match'>) => {
    at.sandbox.fault({ ...fault, match: `/v26.0/${leadgenId}` })
    return settled(
      socialAds.webhooks!.readBack!({ ...session, http: httpFor(fault.kind) }, resource, leadgenId),
    )
  }

  test.each(passing)('is read back after a transient %s', async (kind) => {
    expect(await readWith({ kind, times: 2 })).toMatchObject([{ type: 'lead', leadgenId }])
  })

  test.each(lasting)('is read by the next attempt after a permanent %s', async (kind, times, reason) => {
    expect(await readWith({ kind, times })).toMatchObject({ reason })
    expect(await socialAds.webhooks!.readBack!(session, resource, leadgenId)).toMatchObject([{ leadgenId }])
  })
})
