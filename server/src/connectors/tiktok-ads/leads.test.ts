/** Leads of instant forms: files that are late, expired, refused or too large. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { openSession, type RunningSandbox, startSandbox, syncAllPages } from '../../../test/sandbox-server.ts'
import { ProviderError, type Session, type SyncRecord } from '../connector.ts'
import { tiktokAds } from './connector.ts'
import { readLeads } from './leads.ts'

const spec = connectorCases.find(({ connector }) => connector === tiktokAds)!
let running: RunningSandbox
let session: Session
beforeEach(async () => {
  running = await startSandbox(spec)
  session = await openSession(spec, running)
})
afterEach(() => running.close())

const act = (action: string, args: Record<string, unknown> = {}) => running.sandbox.act(action, args)
const refusalOf = async (promise: Promise<unknown>) => {
  const outcome = await promise.catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(ProviderError)
  return outcome as ProviderError
}
const leadsOf = (records: readonly SyncRecord[]) =>
  records.flatMap((record) => (record.type === 'lead' ? [record] : []))
const step = { kind: 'leads', from: '2026-02-20T00:00:00.000Z' } as const
const answersOf = (lead: { fieldData: { name: string; values: string[] }[] }) =>
  Object.fromEntries(lead.fieldData.map(({ name, values }) => [name, values[0]]))

test('leads of every region are read with their answers and their ad, without test leads', async () => {
  const records = await syncAllPages(tiktokAds, session)
  const leads = leadsOf(records)
  expect(leads.map((lead) => answersOf(lead).full_name)).toEqual([
    'Ana Marsh',
    'Bo Lind',
    'Clara Voss',
    'Dan Reed',
  ])
  expect(answersOf(leads[0]!)).toEqual({
    full_name: 'Ana Marsh',
    email: 'ana.marsh@example.com',
    phone_number: 'p:+5491155550101',
    'When do you want to start?': 'Soon, I hope:\nin "spring"',
  })
  const ads = new Set(records.flatMap((record) => (record.type === 'ad_entity' ? [record.externalId] : [])))
  expect(leads.every(({ adId, campaignId }) => ads.has(adId!) && ads.has(campaignId!))).toBe(true)
})

test('leads from before the window are not read again', async () => {
  const window = { sinceDay: '2026-03-04', untilDay: '2026-03-05' }
  expect(leadsOf(await syncAllPages(tiktokAds, session, window))).toEqual([])
})

test('a pending file is polled, then the sync is rescheduled', async () => {
  const first = await readLeads(session, step, null)
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  await act('slow_leads', { polls: 2 })
  expect(leadsOf((await readLeads(session, step, first.after, wait)).records)).toHaveLength(2)
  expect(waits).toEqual([500, 1000])
  await act('slow_leads', { polls: 20 })
  const refusal = await refusalOf(readLeads(session, step, first.after, wait))
  expect(refusal).toMatchObject({ reason: 'rate_limited', retryAfterSeconds: 30 })
})

test('an expired file is requested again', async () => {
  const first = await readLeads(session, step, null)
  running.clock.now = new Date(running.clock.now.getTime() + 601_000)
  const expired = await readLeads(session, step, first.after)
  expect(expired.records).toEqual([])
  const again = await readLeads(session, step, expired.after)
  expect(leadsOf((await readLeads(session, step, again.after)).records)).toHaveLength(2)
})

test('a lead file that is too large is reported, and the sync continues', async () => {
  const http: Session['http'] = {
    ...running.http,
    send: (request) =>
      running.http.send(request.url.includes('/download/') ? { ...request, maxBytes: 10 } : request),
  }
  let page = await readLeads({ ...session, http }, step, null)
  for (let calls = 0; page.setAside === undefined && calls < 9; calls++)
    page = await readLeads({ ...session, http }, step, page.after)
  expect(page.setAside).toMatchObject([
    { reason: 'Leads of this form cannot be read: The lead file is too large' },
  ])
})

test('inaccessible leads are reported and do not affect the rest of the sync', async () => {
  await act('refuse', { path: '/page/lead/task/', code: 40001, times: 3 })
  const first = await readLeads(session, step, null)
  expect(first.setAside).toMatchObject([{ kind: 'lead_form', reason: expect.stringContaining('40001') }])
  expect(first.cleared ?? []).toEqual([])
  // Two more refusals, which leaves those of the third region.
  expect(leadsOf(await syncAllPages(tiktokAds, session))).toHaveLength(1)
})

test('a readable form clears its notice', async () => {
  let page = await readLeads(session, step, null)
  const cleared = [...(page.cleared ?? [])]
  while (page.after !== null) {
    page = await readLeads(session, step, page.after)
    cleared.push(...(page.cleared ?? []))
  }
  expect(cleared.length).toBeGreaterThan(0)
  expect(new Set(cleared).size).toBe(cleared.length)
})

test('an account without forms, or without the permission for them, has none', async () => {
  await act('refuse', { path: '/page/get/', code: 40001 })
  expect(await readLeads(session, step, null)).toEqual({ records: [], after: null })
})
