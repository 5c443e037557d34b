import { sandboxWebhookPublicKey } from '@whence/sandbox/crmsuite/keys.ts'
import { createCrmsuiteSandbox } from '@whence/sandbox/crmsuite/sandbox.ts'
import { sandboxPeople } from '@whence/sandbox/world.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { connectInSandbox, readEverything } from '../../../test/connect-in-sandbox.ts'
import { inbound, sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { OutcomeRecord, Session, SyncRecord } from '../connector.ts'
import { crmsuite } from './connector.ts'
import { suggestOutcome } from './stages.ts'

const now = new Date('2026-03-10T12:00:00Z')
const window = { sinceDay: '2025-11-01', untilDay: '2026-03-10' }
const webhookPublicKey = sandboxWebhookPublicKey({ seed: 'whence', clientSecret: 'secret-1' })
const app = sandboxApp('crmsuite', { webhookPublicKey })

function start() {
  const { options, sent } = sandboxOptions(() => now)
  const sandbox = createCrmsuiteSandbox(options)
  return { sandbox, sent, http: sandboxOutbound(sandbox) }
}

const outcomesOf = (records: SyncRecord[], type: string) =>
  new Map(
    records.flatMap((record): [string, OutcomeRecord][] =>
      record.type === 'outcome' && record.outcomeType === type && !record.retracted
        ? [[record.externalId, record]]
        : [],
    ),
  )

describe('crmsuite against its sandbox', () => {
  let world: ReturnType<typeof start>
  let session: Session
  beforeEach(async () => {
    world = start()
    const { token } = await connectInSandbox(crmsuite, world.http, app, { now })
    const [account] = await crmsuite.listAccounts(world.http, app, token)
    expect(account).toMatchObject({ name: 'Harbor & Pine', kind: 'location', currency: null })
    session = { http: world.http, app, token, accountId: account!.id, profileCurrency: 'USD' }
  })

  const processed = async () => {
    const records: SyncRecord[] = []
    for (const webhook of world.sent.splice(0)) {
      expect(crmsuite.webhooks!.verify(app, inbound(webhook), now)).toBe(true)
      for (const meaning of crmsuite.webhooks!.map(inbound(webhook))) {
        if (meaning.type === 'records') records.push(...meaning.records)
        if (meaning.type === 'read_back') {
          records.push(...(await crmsuite.webhooks!.readBack!(session, meaning.resource, meaning.id)))
        }
      }
    }
    return records
  }

  test('a contact without name and origin in the search is read individually', async () => {
    const { records } = await readEverything(crmsuite, session, window)
    const leads = outcomesOf(records, 'lead_created')
    const clicked = sandboxPeople('whence', now).find(({ kind, click }) => kind === 'consultation' && click)!
    expect(leads.get(clicked.id)!.person).toMatchObject({
      firstName: clicked.firstName,
      clickIds: { [clicked.click!.name]: clicked.click!.value },
      ad: {
        adId: clicked.click!.adId,
        adSetId: clicked.click!.adSetId,
        campaignId: clicked.click!.campaignId,
      },
      utm: { medium: 'paid', source: clicked.source },
    })
    const read = world.http.calls.filter((call) => /^GET \/contacts\//.test(call))
    expect(read).toHaveLength(leads.size)
  })

  test('the currency of deals is configured, or else the profile’s; without either they have no value', async () => {
    const currencyOf = async (at: Session) => {
      const { records } = await readEverything(crmsuite, at, window)
      return new Set([...outcomesOf(records, 'closed_won').values()].map(({ value }) => value?.currency))
    }
    const configured = { ...app, extra: { ...app.extra, defaultCurrency: 'eur' } }
    expect(await currencyOf({ ...session, app: configured })).toEqual(new Set(['EUR']))
    expect(await currencyOf(session)).toEqual(new Set(['USD']))
    expect(await currencyOf({ ...session, profileCurrency: null })).toEqual(new Set([undefined]))
  })

  test.each([
    ['/calendars/', '2021-07-28', 401],
    ['/calendars/', '2021-04-15', 200],
    ['/opportunities/pipelines', '2021-04-15', 401],
    ['/opportunities/pipelines', undefined, 401],
    ['/opportunities/search?limit=101', '2021-07-28', 422],
  ])('the sandbox responds to %s in version %s with %i', async (path, version, status) => {
    const { origin } = new URL(app.apiBaseUrl)
    const url = new URL(`${origin}/sandbox/crmsuite${path}`)
    url.searchParams.set(path.includes('search') ? 'location_id' : 'locationId', session.accountId)
    const headers = {
      authorization: `Bearer ${session.token.accessToken}`,
      ...(version === undefined ? {} : { version }),
    }
    const reply = await world.http.send({ method: 'GET', url: url.toString(), headers })
    expect(reply.status).toBe(status)
  })

  test('a sync returns leads, stages, appointments and sales of the sandbox page by page', async () => {
    const { records, pages } = await readEverything(crmsuite, session, window)
    const people = sandboxPeople('whence', now).filter(({ kind }) => kind === 'consultation')
    const having = (stage: string) =>
      people.filter(({ stages }) => stages.some((entry) => entry.stage === stage))
    expect(pages).toBeGreaterThan(4)
    const leads = outcomesOf(records, 'lead_created')
    expect(leads.size).toBe(having('lead_created').length)
    const clicked = people.find(({ click, stages }) => click !== null && stages.length > 0)!
    expect(leads.get(clicked.id)!.person).toMatchObject({
      email: clicked.email,
      clickIds: { [clicked.click!.name]: clicked.click!.value },
      ad: {
        adId: clicked.click!.adId,
        adSetId: clicked.click!.adSetId,
        campaignId: clicked.click!.campaignId,
      },
    })
    expect(outcomesOf(records, 'appointment_booked').size).toBe(having('appointment_booked').length)
    expect(outcomesOf(records, 'appointment_attended').size).toBe(having('appointment_attended').length)
    const sales = outcomesOf(records, 'closed_won')
    expect(sales.size).toBe(having('closed_won').length)
    const total = [...sales.values()].reduce((sum, { value }) => sum + value!.amountMinor, 0)
    expect(total).toBe(having('closed_won').reduce((sum, { dealValueMinor }) => sum + dealValueMinor!, 0))
    expect(outcomesOf(records, 'opportunity_stage').size).toBe(having('lead_created').length)
  })

  test('pipelines are listed with stages whose names suggest outcomes', async () => {
    const [pipeline] = await crmsuite.pipelines!.list(session)
    expect(pipeline!.stages.map(({ name, position }) => [position, suggestOutcome(name)])).toEqual([
      [0, 'lead_created'],
      [1, 'appointment_booked'],
      [2, 'appointment_attended'],
      [3, null],
      [4, 'quote_presented'],
      [5, 'closed_won'],
      [6, null],
    ])
  })

  test('an agency’s approval offers its locations, and each is read with its own token', async () => {
    const { token } = await connectInSandbox(crmsuite, world.http, app, { now, choice: 'approve-several' })
    const accounts = await crmsuite.listAccounts(world.http, app, token)
    expect(accounts.map(({ name }) => name)).toEqual([
      'Harbor & Pine',
      'Harbor & Pine Showroom',
      'Harbor & Pine Outlet',
    ])
    const page = await crmsuite.sync!.page({ ...session, token, accountId: accounts[1]!.id }, window, null)
    expect(page.records.length).toBeGreaterThan(0)
    expect(world.http.calls).toContain('POST /oauth/locationToken')
  })

  test('a location’s token gives no access to another location', async () => {
    const { token } = await connectInSandbox(crmsuite, world.http, app, { now, choice: 'approve-several' })
    const [, other] = await crmsuite.listAccounts(world.http, app, token)
    await expect(
      crmsuite.sync!.page({ ...session, accountId: other!.id }, window, null),
    ).rejects.toMatchObject({
      reason: 'permission_missing',
    })
  })

  test('a new contact, a moved deal, a sale, its reopening and deletions arrive by signed webhook', async () => {
    const { contact_id } = await world.sandbox.act('new_contact', { fbclid: 'f-77', ad_id: '9' })
    expect(await processed()).toMatchObject([
      { type: 'contact', externalId: contact_id },
      { outcomeType: 'lead_created', person: { clickIds: { fbclid: 'f-77' }, ad: { adId: '9' } } },
    ])
    const { opportunity_id, stage_id } = await world.sandbox.act('move_stage', {
      stage: 'Quote presented',
      value: 900,
    })
    expect((await processed())[0]).toMatchObject({
      externalId: `${opportunity_id}:${stage_id}`,
      stageId: stage_id,
      value: { amountMinor: 90000, currency: 'USD' },
    })
    await world.sandbox.act('set_status', { opportunity_id, status: 'won' })
    expect(await processed()).toContainEqual(
      expect.objectContaining({ externalId: opportunity_id, outcomeType: 'closed_won', retracted: false }),
    )
    await world.sandbox.act('set_status', { opportunity_id, status: 'open' })
    expect(await processed()).toContainEqual(
      expect.objectContaining({ externalId: opportunity_id, outcomeType: 'closed_won', retracted: true }),
    )
    await world.sandbox.act('set_appointment', { status: 'showed' })
    expect(await processed()).toContainEqual(
      expect.objectContaining({ outcomeType: 'appointment_attended', retracted: false }),
    )
    await world.sandbox.act('delete_contact', { contact_id })
    expect(await processed()).toMatchObject([
      { externalId: contact_id, outcomeType: 'lead_created', retracted: true },
    ])
    expect(await crmsuite.webhooks!.readBack!(session, 'contact', String(contact_id))).toEqual([])
  })

  test('tokens rotate, and a used refresh token is refused', async () => {
    await world.sandbox.act('expire_tokens', {})
    await expect(crmsuite.sync!.page(session, window, null)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
    const token = await crmsuite.oauth.refresh!(world.http, app, session.token, now)
    expect(token.extra).toEqual(session.token.extra)
    await expect(crmsuite.sync!.page({ ...session, token }, window, null)).resolves.toBeDefined()
    await expect(crmsuite.oauth.refresh!(world.http, app, session.token, now)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })

  test('an uninstall is reported and ends the access', async () => {
    await world.sandbox.act('uninstall', {})
    expect(crmsuite.webhooks!.map(inbound(world.sent[0]!))).toEqual([
      { type: 'uninstalled', accountId: session.accountId },
    ])
    await expect(crmsuite.sync!.page(session, window, null)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })

  test('revoking uninstalls the app from the location', async () => {
    await crmsuite.oauth.revoke(world.http, app, session.token)
    await expect(crmsuite.sync!.page(session, window, null)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })

  test('an agency without locations offers no account', async () => {
    const { token } = await connectInSandbox(crmsuite, world.http, app, { now, choice: 'nothing' })
    expect(await crmsuite.listAccounts(world.http, app, token)).toEqual([])
  })
})
