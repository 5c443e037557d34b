/** What the ad platforms do wrong while a person connects, and while a webhook is read back: every fault. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ProviderError, type Session } from '../src/connectors/connector.ts'
import type { SandboxFault } from '../src/connectors/sandbox/sandbox.ts'
import { socialAds } from '../src/connectors/social-ads/connector.ts'
import { connectorCases } from './connector-cases.ts'
import {
  connect,
  consent,
  exchange,
  openSession,
  type RunningSandbox,
  startSandbox,
} from './sandbox-server.ts'

const tokenPath: Record<string, string> = {
  social_ads: '/v26.0/oauth/access_token',
  engine_ads: '/token',
  engine_search_console: '/token',
}
const cases = connectorCases.flatMap((spec) => {
  const path = tokenPath[spec.connector.provider]
  return path === undefined ? [] : [[spec.connector.provider, spec, path] as const]
})
const settled = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    (error: unknown) => error,
  )

const passing = ['server_error', 'html_error', 'reset'] as const
const lasting = [
  ['server_error', 4, 'unavailable'],
  ['html_error', 4, 'unavailable'],
  ['reset', 4, 'unavailable'],
  ['timeout', 4, 'unavailable'],
  ['truncated_json', 1, 'malformed'],
] as const

let at: RunningSandbox
afterEach(() => at.close())

describe.each(cases)('the exchange of %s', (_, spec, match) => {
  beforeEach(async () => {
    at = await startSandbox(spec)
  })

  async function exchangeWith(fault: Omit<SandboxFault, 'match'>) {
    const answered = await consent(spec, at, 'approve-one')
    at.sandbox.fault({ ...fault, match })
    const http = fault.kind === 'timeout' ? at.impatientHttp : at.http
    return settled(exchange(spec, { ...at, http }, answered))
  }

  test.each(passing)('gets over %s that passes', async (kind) => {
    expect(await exchangeWith({ kind, times: 2 })).toMatchObject({ accessToken: expect.any(String) })
    expect(at.pauses).toHaveLength(2)
  })

  test('waits as long as the provider asks', async () => {
    const fault = { kind: 'rate_limited', times: 1, retryAfterSeconds: 5 } as const
    expect(await exchangeWith(fault)).toMatchObject({ accessToken: expect.any(String) })
    expect(at.pauses[0]).toBeGreaterThanOrEqual(5000)
  })

  test.each(lasting)('tells of %s that stays, and a new consent works', async (kind, times, reason) => {
    const refusal = await exchangeWith({ kind, times })
    expect(refusal).toBeInstanceOf(ProviderError)
    expect(refusal).toMatchObject({ reason })
    const token = await connect(spec, at)
    expect(await spec.connector.listAccounts(at.http, at.app, token)).toHaveLength(1)
  })
})

describe('a lead that a webhook tells of', () => {
  const spec = connectorCases.find(({ connector }) => connector === socialAds)!
  let session: Session
  let leadgenId: string
  let resource: string
  beforeEach(async () => {
    at = await startSandbox(spec)
    session = await openSession(spec, at)
    const told = await at.sandbox.act('lead', {})
    leadgenId = String(told.leadgen_id)
    resource = `page/${told.page_id}/leadgen`
  })

  const readWith = (fault: Omit<SandboxFault, 'match'>) => {
    at.sandbox.fault({ ...fault, match: `/v26.0/${leadgenId}` })
    const http = fault.kind === 'timeout' ? at.impatientHttp : at.http
    return settled(socialAds.readBack!({ ...session, http }, resource, leadgenId))
  }

  test.each(passing)('is read back after %s that passes', async (kind) => {
    expect(await readWith({ kind, times: 2 })).toMatchObject([{ type: 'lead', leadgenId }])
  })

  test.each(lasting)('is there for the next try after %s that stays', async (kind, times, reason) => {
    expect(await readWith({ kind, times })).toMatchObject({ reason })
    expect(await socialAds.readBack!(session, resource, leadgenId)).toMatchObject([{ leadgenId }])
  })
})
