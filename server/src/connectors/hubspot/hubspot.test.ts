/** One test per trap of HubSpot: a lagging search, 10,000 results, archived deals, merges, a wrong 401. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { depth, shortIt as test } from '../../../test/length.ts'
import {
  connect,
  lastDays,
  openSession,
  type RunningSandbox,
  startSandbox,
  syncAllPages,
} from '../../../test/sandbox-server.ts'
import type { Session, SyncPage, SyncRecord } from '../connector.ts'
import { hubspot } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === hubspot)!
/** Maximum of search results; HubSpot's own limit in the long run. */
const LIMIT = depth(200, 10_000)
let at: RunningSandbox
let session: Session
beforeEach(async () => {
  at = await startSandbox(spec)
  session = await openSession(spec, at)
})
afterEach(() => at.close())

type Outcome = Extract<SyncRecord, { type: 'outcome' }>
const outcomes = (records: readonly SyncRecord[], externalId: string): Outcome[] =>
  records.flatMap((record) =>
    record.type === 'outcome' && record.externalId.split(':')[0] === externalId ? [record] : [],
  )
const act = async (action: string, args: Record<string, unknown> = {}) => at.sandbox.act(action, args)
const sync = () => syncAllPages(hubspot, session)
const allPages = async () => {
  const pages: SyncPage[] = []
  await syncAllPages(
    {
      sync: {
        async page(...args) {
          const page = await hubspot.sync!.page(...args)
          pages.push(page)
          return page
        },
      },
    },
    session,
  )
  return pages
}
const meaningsOf = () => at.webhooks.splice(0).flatMap((webhook) => hubspot.webhooks!.map(webhook))
const readAnnounced = async () => {
  const records: SyncRecord[] = []
  for (const meaning of meaningsOf())
    if (meaning.type === 'read_back')
      records.push(...(await hubspot.webhooks!.readBack!(session, meaning.resource, meaning.id)))
  return records
}

describe('connecting', () => {
  test('the consent URL has required and optional permissions and the challenge', () => {
    const app = { ...at.app, authorizeBaseUrl: 'https://app.hubspot.com', clientId: 'c' }
    const request = { redirectUri: 'https://w.example/cb', state: 's', codeChallenge: 'x', shop: null }
    const url = new URL(hubspot.oauth.authorizeUrl(app, request))
    expect(url.origin + url.pathname).toBe('https://app.hubspot.com/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'c',
      redirect_uri: 'https://w.example/cb',
      scope: 'oauth crm.objects.contacts.read crm.objects.deals.read',
      optional_scope: 'forms',
      state: 's',
      code_challenge: 'x',
      code_challenge_method: 'S256',
    })
  })

  test('the account comes from the introspection, with name, zone and currency', async () => {
    const token = await connect(spec, at)
    expect(token).toMatchObject({ expiresAt: '2026-03-02T16:00:00.000Z', extra: { hubId: '48151623' } })
    expect(await hubspot.listAccounts(at.http, at.app, token)).toEqual([
      {
        id: '48151623',
        name: 'Harbor & Pine',
        kind: 'account',
        currency: 'USD',
        timezone: 'America/New_York',
      },
    ])
  })

  test('a refresh keeps the refresh token and the account', async () => {
    const fresh = await hubspot.oauth.refresh!(at.http, at.app, session.token, at.clock.now)
    expect(fresh.refreshToken).toBe(session.token.refreshToken)
    expect(fresh.accessToken).not.toBe(session.token.accessToken)
    expect(fresh.scopes).toContain('forms')
  })

  test('without the permission for forms everything else is read', async () => {
    const scopes = session.token.scopes.filter((scope) => scope !== 'forms')
    session = { ...session, token: { ...session.token, scopes } }
    const types = new Set(
      (await sync()).map((record) => (record.type === 'outcome' ? record.outcomeType : '')),
    )
    expect(types.has('form_submitted')).toBe(false)
    expect(types.has('lead_created')).toBe(true)
  })

  test.each([
    ['comes back to the same page', () => 'again', 2],
    ['never ends', (page: number) => String(page), 500],
  ])('a list of forms that %s is refused', async (_, afterOf, read) => {
    let pages = 0
    const { http } = session
    session = {
      ...session,
      http: {
        ...http,
        async send(request) {
          if (!request.url.includes('/marketing/v3/forms')) return http.send(request)
          if (pages > 1000) throw new Error('Asked without end')
          const body = { results: [{ id: 'f' }], paging: { next: { after: afterOf(++pages) } } }
          return { status: 200, headers: {}, bytes: Buffer.from(JSON.stringify(body)) }
        },
      },
    }
    await expect(sync()).rejects.toMatchObject({ reason: 'malformed' })
    expect(pages).toBe(read)
  })

  const answering = (part: string, status: number): Session => {
    const { http } = session
    const bytes = Buffer.from('{"status":"error","message":"No such resource"}')
    const send: Session['http']['send'] = async (request) =>
      request.url.includes(part) ? { status, headers: {}, bytes } : http.send(request)
    return { ...session, http: { ...http, send } }
  }

  test.each([404, 403])('forms that answer %d are an ability that the account lacks', async (status) => {
    session = answering('/marketing/v3/forms', status)
    const pages = await allPages()
    expect(pages.flatMap((page) => page.setAside ?? [])).toEqual([
      {
        kind: 'missing_ability',
        externalId: 'form_submissions',
        reason: expect.stringContaining('no forms'),
      },
    ])
    expect(pages.flatMap(({ records }) => records).length).toBeGreaterThan(100)
  })

  test('a form that was deleted after it was listed is set aside, and cleared when it is read', async () => {
    const readable = session
    session = answering('/form-integrations/', 404)
    const [notice] = (await allPages()).flatMap((page) => page.setAside ?? [])
    expect(notice).toMatchObject({ kind: 'form', reason: 'No such resource' })
    session = readable
    expect((await allPages()).flatMap((page) => page.cleared ?? [])).toEqual([notice!.externalId])
  })

  test('the stages of the pipelines have names', async () => {
    const [pipeline] = await hubspot.pipelines!.list(session)
    expect(pipeline).toMatchObject({ id: 'default', name: 'Sales Pipeline' })
    expect(pipeline!.stages[5]).toEqual({ id: 'closedwon', name: 'Closed Won', position: 5 })
  })
})

describe('a refusal', () => {
  test('a 401 for a valid token is retried later and does not require reconnecting', async () => {
    await act('wrong_401')
    await expect(hubspot.sync!.page(session, lastDays, null)).rejects.toMatchObject({ reason: 'unavailable' })
    await expect(hubspot.sync!.page(session, lastDays, null)).resolves.toMatchObject({ setAside: [] })
  })

  test('a 401 for an expired token requires reconnecting', async () => {
    await act('expire_tokens')
    await expect(hubspot.sync!.page(session, lastDays, null)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })

  test('an exhausted daily limit is not retried within seconds', async () => {
    await act('daily_limit')
    await expect(hubspot.sync!.page(session, lastDays, null)).rejects.toMatchObject({
      reason: 'rate_limited',
      providerCode: 'DAILY',
      retryAfterSeconds: 3600,
    })
    expect(at.pauses).toEqual([])
  })
})

describe('the sync', () => {
  test('a complete account: people, leads, deals with their contact, submissions, each once', async () => {
    const records = await sync()
    const keyOf = (record: SyncRecord) =>
      `${record.type} ${record.type === 'outcome' ? record.outcomeType : ''} ${'externalId' in record ? record.externalId : ''}`
    expect(new Set(records.map(keyOf)).size).toBe(records.length)
    const ofType = (type: string) =>
      records.filter((record): record is Outcome => record.type === 'outcome' && record.outcomeType === type)
    for (const type of ['lead_created', 'opportunity_stage', 'closed_won', 'form_submitted'])
      expect(ofType(type).length, type).toBeGreaterThan(5)
    expect(ofType('opportunity_stage').every(({ person }) => person.contactId !== null && person.email)).toBe(
      true,
    )
    expect(ofType('lead_created').some(({ person }) => person.clickIds.gclid !== undefined)).toBe(true)
    expect(ofType('lead_created').some(({ person }) => person.clickIds.fbclid !== undefined)).toBe(true)
    const won = ofType('closed_won').filter(({ retracted }) => !retracted)
    expect(won.length).toBeGreaterThan(0)
    expect(won.every(({ value }) => value?.currency === 'USD')).toBe(true)
  })

  test('continues from any page', async () => {
    const pages: SyncRecord[][] = []
    const cursors: (string | null)[] = [null]
    while (cursors.length === 1 || cursors.at(-1) !== null) {
      const page = await hubspot.sync!.page(session, lastDays, cursors.at(-1)!)
      pages.push(page.records)
      cursors.push(page.cursor)
    }
    expect(pages.length).toBeGreaterThan(4)
    for (const [index, cursor] of cursors.slice(0, -1).entries())
      expect((await hubspot.sync!.page(session, lastDays, cursor)).records).toEqual(pages[index])
  })

  it('more contacts than a search gives, all changed at one instant, are read', {
    timeout: 240_000,
  }, async () => {
    const count = LIMIT + 1
    await act('search_limit', { results: LIMIT })
    await act('bulk_contacts', { first_id: 500_000, count })
    const readIds = new Set<string>()
    let cursor: string | null = null
    do {
      const page = await hubspot.sync!.page(session, lastDays, cursor)
      for (const record of page.records) if (record.type === 'contact') readIds.add(record.externalId)
      cursor = page.cursor
    } while (cursor !== null && JSON.parse(cursor).phase === 'changed')
    const ids = Array.from({ length: count }, (_, index) => String(500_000 + index))
    expect(ids.filter((id) => !readIds.has(id))).toEqual([])
  })

  test('a contact that the search indexes late is read by the next sync, whose days overlap', async () => {
    const { contact_id: id } = await act('new_contact', { lag_seconds: 600 })
    expect(outcomes(await sync(), String(id))).toEqual([])
    at.clock.now = new Date(at.clock.now.getTime() + 601_000)
    expect(outcomes(await sync(), String(id))).toHaveLength(1)
  })

  test('an archived deal retracts its sale, although its times do not change', async () => {
    const { deal_id: id } = await act('new_deal', { properties: { amount: '10' } })
    await act('move_deal', { deal_id: id })
    expect(outcomes(await sync(), String(id)).map(({ retracted }) => retracted)).toEqual([false, false])
    await act('archive_deal', { deal_id: id })
    expect(outcomes(await sync(), String(id)).map(({ retracted }) => retracted)).toEqual([true, true])
    await act('restore_deal', { deal_id: id })
    expect(outcomes(await sync(), String(id)).map(({ retracted }) => retracted)).toEqual([false, false])
  })

  test('an archived contact retracts its lead', async () => {
    const { contact_id: id } = await act('new_contact')
    await act('archive_contact', { contact_id: id })
    expect(outcomes(await sync(), String(id))).toMatchObject([
      { outcomeType: 'lead_created', retracted: true },
    ])
  })

  test('a deal that is lost after it was won retracts its sale under the same id', async () => {
    const { deal_id: id } = await act('new_deal')
    await act('move_deal', { deal_id: id })
    await act('move_deal', { deal_id: id, stage: 'closedlost' })
    expect(outcomes(await sync(), String(id))).toMatchObject([
      { externalId: `${id}:closedlost`, retracted: false },
      { outcomeType: 'closed_won', externalId: id, retracted: true },
    ])
  })

  test('after a merge, people, deals and leads of both belong to the remaining contact', async () => {
    const first = await act('new_contact', { id: '600001', properties: { email: 'a@example.com' } })
    const second = await act('new_contact', { id: '600002', properties: { email: 'b@example.com' } })
    // The deal was last changed before the days that are read.
    const now = at.clock.now
    at.clock.now = new Date(now.getTime() - 300 * 86_400_000)
    const { deal_id: dealId } = await act('new_deal', { id: '700001', contact_ids: [second.contact_id] })
    at.clock.now = now
    const { contact_id: remainingId } = await act('merge_contacts', {
      primary_id: first.contact_id,
      merged_id: second.contact_id,
    })
    const records = await sync()
    expect(outcomes(records, '600001')).toMatchObject([
      { retracted: true, person: { contactId: remainingId } },
    ])
    expect(outcomes(records, '600002')).toMatchObject([
      { retracted: true, person: { contactId: remainingId } },
    ])
    expect(outcomes(records, String(remainingId))).toMatchObject([{ retracted: false }])
    expect(outcomes(records, String(dealId)).map(({ person }) => person.contactId)).toEqual([
      remainingId,
      remainingId,
    ])
    at.webhooks.splice(0, at.webhooks.length - 1)
    expect((await readAnnounced()).map((record) => 'externalId' in record && record.externalId)).toContain(
      `${dealId}:qualifiedtobuy`,
    )
  })

  test('a deal of several contacts belongs to the oldest one', async () => {
    await act('new_contact', { id: '90', properties: { email: 'first@example.com' } })
    await act('new_contact', { id: '1000', properties: { email: 'second@example.com' } })
    const { deal_id: id } = await act('new_deal', { contact_ids: ['1000', '90'] })
    const records = await hubspot.webhooks!.readBack!(session, 'deal', String(id))
    expect(outcomes(records, String(id))[0]).toMatchObject({
      person: { contactId: '90', email: 'first@example.com' },
    })
  })

  test('one bad object does not affect others, and the next page is read', async () => {
    at.sandbox.fault({ kind: 'bad_record', match: '/crm/objects/2026-09/contacts/search', times: 1 })
    const page = await hubspot.sync!.page(session, lastDays, null)
    expect(page.setAside).toMatchObject([{ kind: 'contact', reason: expect.stringContaining('properties') }])
    expect(page.records.length).toBeGreaterThan(100)
    at.sandbox.fault({ kind: 'bad_record', match: '/form-integrations', times: 1 })
    expect((await sync()).length).toBeGreaterThan(100)
  })
})

describe('webhooks', () => {
  test('that arrive out of order return the current state', async () => {
    const { deal_id: id } = await act('new_deal')
    await act('move_deal', { deal_id: id })
    await act('move_deal', { deal_id: id, stage: 'contractsent' })
    at.webhooks.reverse()
    const records = outcomes(await readAnnounced(), String(id)).filter(
      ({ outcomeType }) => outcomeType === 'closed_won',
    )
    expect(records.length).toBe(3)
    expect(records.every(({ retracted }) => retracted)).toBe(true)
  })

  test('of an archived object retract, of a permanently deleted one return nothing', async () => {
    const { contact_id: id } = await act('new_contact')
    at.webhooks.length = 0
    await act('archive_contact', { contact_id: id })
    expect(await readAnnounced()).toMatchObject([{ outcomeType: 'lead_created', retracted: true }])
    expect(await hubspot.webhooks!.readBack!(session, 'contact', '1')).toEqual([])
  })
})
