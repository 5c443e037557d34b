import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { refusalOf } from '../../../../test/make.ts'
import {
  eventsOf,
  makeGovernedShop,
  makeShop,
  moveClock,
  type Shop,
  storedFor,
  triggerSandbox,
} from '../../../../test/make-shop.ts'
import { consent, makeVisitor, walkConsent } from '../../../../test/visitor.ts'
import { mailboxVendors } from '../../../connectors/mailbox.ts'
import { startBankLink } from '../bank-links/contract.ts'
import { calendarProviders, startCalendarLink } from '../calendars/contract.ts'
import type { Reason } from '../handoffs/rules.ts'
import { startMailboxLink } from '../mailboxes/contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const returnUrl = 'https://partner.example/done?from=whence'
const nothingStored = { connections: [], accounts: [], selections: [] }

/** Completes one consent of an app's hand-off and returns the address that the person was redirected to. */
async function bounceOf(shop: Shop, choice: string, body = {}) {
  const handoff = await shop.mint({ return_url: returnUrl, ...body })
  const page = await walkConsent(makeVisitor(), handoff.start_url, choice)
  return { page, bounce: new URL(page.location ?? 'about:blank'), handoff: await shop.poll(handoff.id) }
}

describe('the way back to the app', () => {
  it('reports success with ids and keeps the query of the return address', async () => {
    const { shop } = await makeGovernedShop(app)
    const { bounce, handoff } = await bounceOf(shop, 'approve-one')
    expect(`${bounce.origin}${bounce.pathname}`).toBe('https://partner.example/done')
    expect(Object.fromEntries(bounce.searchParams)).toEqual({
      from: 'whence',
      connect: 'cardpay',
      provider: 'cardpay',
      status: 'success',
      profile_id: shop.profileId,
      handoff_id: handoff.id,
    })
    expect(await eventsOf(app, shop.profileId)).toEqual(['connection.connected', 'handoff.completed'])
  })

  it('reports how many accounts wait for a choice, without their names', async () => {
    const { shop } = await makeGovernedShop(app)
    const handoff = await shop.mint({ return_url: returnUrl }, 'social_ads')
    const page = await walkConsent(makeVisitor(), handoff.start_url, 'approve-several')
    const bounce = new URL(page.location!)
    const settled = await shop.poll(handoff.id)
    expect(settled.status).toBe('completed')
    expect(settled.result).toEqual({
      provider: 'social_ads',
      pending_selection: { candidate_count: 3, expires_at: expect.any(String) },
    })
    expect(bounce.searchParams.get('connect')).toBe('social')
    expect(bounce.searchParams.get('status')).toBe('pending_selection')
    expect(bounce.searchParams.get('candidate_count')).toBe('3')
    expect([...bounce.searchParams.keys()].sort()).toEqual(
      ['candidate_count', 'connect', 'from', 'handoff_id', 'profile_id', 'provider', 'status'].sort(),
    )
  })
})

describe('a failed consent stores nothing and reports the reason', () => {
  const settling: [string, Reason, 'failed' | 'cancelled'][] = [
    ['decline', 'user_cancelled', 'cancelled'],
    ['deny-app', 'provider_denied', 'failed'],
    ['provider-error', 'provider_error', 'failed'],
    ['no-code', 'provider_error', 'failed'],
    ['bad-code', 'token_exchange_failed', 'failed'],
  ]
  it.each(settling)('%s → %s', async (choice, reason, status) => {
    const { shop } = await makeGovernedShop(app)
    const { bounce, handoff } = await bounceOf(shop, choice)
    expect(handoff).toMatchObject({ status, result: { provider: 'cardpay', reason } })
    expect(bounce.searchParams.get('status')).toBe(status)
    expect(bounce.searchParams.get('reason')).toBe(reason)
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
    expect(await eventsOf(app, shop.profileId)).toEqual([])
  })

  it('no_candidates if the person has no account there', async () => {
    const shop = await makeShop(app)
    const { handoff } = await shop.connect('nothing', 'social_ads')
    expect(handoff).toMatchObject({ status: 'failed', result: { reason: 'no_candidates' } })
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
  })

  it('account_connected_elsewhere if another profile of the workspace has it; another workspace may', async () => {
    const first = await makeShop(app)
    const second = await makeShop(app, first)
    const otherShop = await makeShop(app)
    await first.connected()
    const { page, handoff } = await second.connect('taken')
    expect(handoff).toMatchObject({ status: 'failed', result: { reason: 'account_connected_elsewhere' } })
    expect(page.text).toContain('Disconnect it there first')
    expect(await storedFor(app, second.profileId)).toEqual(nothingStored)
    expect((await otherShop.connect('taken')).handoff.status).toBe('completed')
    expect((await first.connected()).status).toBe('connected')
  })

  it('provider_denied if the person unticked the required permission', async () => {
    const shop = await makeShop(app)
    const decline = { action: 'decline_permission', args: { permission: 'ads_read' } }
    await triggerSandbox(app, 'social_ads', 'act', decline)
    const { handoff } = await shop.connect('approve-one', 'social_ads')
    await triggerSandbox(app, 'social_ads', 'act', { action: 'reset' })
    expect(handoff).toMatchObject({ status: 'failed', result: { reason: 'provider_denied' } })
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
    expect((await shop.connect('approve-one', 'social_ads')).handoff.status).toBe('completed')
  })

  it('connect_failed if the connection cannot be stored', async () => {
    const { shop } = await makeGovernedShop(app)
    const { pool } = app
    await pool.query(
      `alter table connections add constraint refuse_one check (profile_id <> '${shop.profileId}')`,
    )
    const { bounce, handoff } = await bounceOf(shop, 'approve-one')
    await pool.query('alter table connections drop constraint refuse_one')
    expect(handoff).toMatchObject({ status: 'failed', result: { reason: 'connect_failed' } })
    expect(bounce.searchParams.get('reason')).toBe('connect_failed')
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
  })

  it('internal_error before anything was written leaves the hand-off pending, and the same link works', async () => {
    const { shop } = await makeGovernedShop(app)
    const handoff = await shop.mint({ return_url: returnUrl })
    await app.pool.query('alter table apps rename column redirect_uris to away')
    const visitor = makeVisitor()
    const page = await walkConsent(visitor, handoff.start_url, 'approve-one')
    await app.pool.query('alter table apps rename column away to redirect_uris')
    expect(page.status).toBe(503)
    expect(page.text).toContain('internal_error')
    expect(await shop.poll(handoff.id)).toMatchObject({ status: 'pending', result: null })
    const retry = await walkConsent(visitor, handoff.start_url, 'approve-one')
    expect(new URL(retry.location!).searchParams.get('status')).toBe('success')
  })

  it('state_expired after 15 minutes at the provider, in the browser that started: the poll reports it', async () => {
    const { shop } = await makeGovernedShop(app)
    const handoff = await shop.mint({ return_url: returnUrl })
    const visitor = makeVisitor()
    const callback = await consent(visitor, handoff.start_url, 'approve-one')
    await moveClock(app, 15 * 60 + 1)
    visitor.age(15 * 60 + 1)
    const stranger = await makeVisitor().open(callback)
    expect(new URL(stranger.location!).searchParams.get('reason')).toBe('state_expired')
    expect((await shop.poll(handoff.id)).status).toBe('pending')
    const pages = await Promise.all([visitor.open(callback), visitor.open(callback)])
    for (const page of [...pages, await visitor.open(callback)])
      expect(new URL(page.location!).searchParams.get('reason')).toBe('state_expired')
    expect(await shop.poll(handoff.id)).toMatchObject({
      status: 'failed',
      result: { provider: 'cardpay', reason: 'state_expired' },
    })
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
  })

  it.each(['approve-one', 'decline', 'bad-code', 'nothing'])(
    'a reload of the callback after %s, and two concurrent ones, show the actual outcome in bounce and page',
    async (choice) => {
      const { shop } = await makeGovernedShop(app)
      for (const return_url of [returnUrl, undefined]) {
        const handoff = await shop.mint(return_url === undefined ? {} : { return_url })
        const visitor = makeVisitor()
        const callback = await consent(visitor, handoff.start_url, choice)
        const [first, second] = await Promise.all([visitor.open(callback), visitor.open(callback)])
        const reload = await visitor.open(callback)
        const expected = { status: first!.status, location: first!.location, text: first!.text }
        for (const page of [second!, reload])
          expect({ status: page.status, location: page.location, text: page.text }).toEqual(expected)
        const settled = await shop.poll(handoff.id)
        expect(settled.status).not.toBe('pending')
        const reason = (settled.result as { reason?: string }).reason ?? null
        if (return_url !== undefined)
          expect(new URL(expected.location!).searchParams.get('reason')).toBe(reason)
        else if (reason === null) expect(expected.location).toBe(handoff.url)
        else expect(expected.text).toContain(reason)
      }
    },
  )

  it('state_invalid in another browser', async () => {
    const { shop } = await makeGovernedShop(app)
    const handoff = await shop.mint({ return_url: returnUrl })
    const callback = await consent(makeVisitor(), handoff.start_url, 'approve-one')
    const page = await makeVisitor().open(callback)
    expect(new URL(page.location!).searchParams.get('reason')).toBe('state_invalid')
    expect(handoff.last_attempt).toBeNull()
    expect(await shop.poll(handoff.id)).toMatchObject({
      status: 'pending',
      result: null,
      last_attempt: { at: expect.anything(), reason: 'state_invalid' },
    })
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
    await makeVisitor().open(await consent(makeVisitor(), handoff.start_url, 'approve-one'))
    const visitor = makeVisitor()
    await visitor.open(await consent(visitor, handoff.start_url, 'approve-one'))
    expect(await shop.poll(handoff.id)).toMatchObject({ status: 'completed', last_attempt: null })
  })

  it('handoff_expired after 45 minutes, at the start and at the finish', async () => {
    const { shop } = await makeGovernedShop(app)
    const handoff = await shop.mint({ return_url: returnUrl })
    await moveClock(app, 40 * 60)
    const visitor = makeVisitor()
    const callback = await consent(visitor, handoff.start_url, 'approve-one')
    await moveClock(app, 5 * 60 + 1)
    const finish = await visitor.open(callback)
    const start = await visitor.open(handoff.start_url)
    const reasons = [finish, start].map((page) => new URL(page.location!).searchParams.get('reason'))
    expect(reasons).toEqual(['handoff_expired', 'handoff_expired'])
    expect(await shop.poll(handoff.id)).toMatchObject({
      status: 'failed',
      completed_at: handoff.expires_at,
      result: { provider: 'cardpay', reason: 'handoff_expired' },
    })
    expect((await visitor.open(handoff.url)).text).toContain('45 minutes')
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
  })

  it('handoff_used on a second click after a failure; after a success the actual outcome', async () => {
    const { shop } = await makeGovernedShop(app)
    const failed = await bounceOf(shop, 'decline')
    const secondClick = await makeVisitor().open(failed.handoff.start_url)
    expect(new URL(secondClick.location!).searchParams.get('reason')).toBe('handoff_used')
    const done = await bounceOf(shop, 'approve-one')
    const second = await makeVisitor().open(done.handoff.start_url)
    expect(new URL(second.location!).searchParams.get('status')).toBe('success')
  })

  it('origin_not_allowed if the registration changed after the hand-off was created: reported by poll only', async () => {
    const { shop, partner } = await makeGovernedShop(app)
    const handoff = await shop.mint({ return_url: returnUrl })
    await app.service.db
      .updateTable('apps')
      .set({ redirect_uris: ['https://other.example/callback'] })
      .where('id', '=', partner.id)
      .execute()
    const page = await walkConsent(makeVisitor(), handoff.start_url, 'approve-one')
    expect([page.status, page.location]).toEqual([200, null])
    expect(page.text).toContain('no longer registered')
    expect(await shop.poll(handoff.id)).toMatchObject({
      status: 'failed',
      result: { provider: 'cardpay', reason: 'origin_not_allowed' },
    })
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
  })

  it('provider_error if the provider is down while the code is exchanged', async () => {
    const { shop } = await makeGovernedShop(app)
    await triggerSandbox(app, 'regionalpay', 'fault', { kind: 'html_error', match: '/oauth/token', times: 4 })
    const { handoff } = await shop.connect('approve-one', 'regionalpay')
    expect(handoff).toMatchObject({ status: 'failed', result: { reason: 'provider_error' } })
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
  })
})

it('provider_not_configured is reported on creation, on the page and at the start', async () => {
  const unconfiguredApp = await startTestApp({ SANDBOX: 'off' })
  try {
    const { shop } = await makeGovernedShop(unconfiguredApp)
    const handoff = await shop.mint({ return_url: returnUrl })
    expect(handoff).toMatchObject({
      status: 'failed',
      result: { provider: 'cardpay', reason: 'provider_not_configured' },
    })
    const start = await makeVisitor().open(handoff.start_url)
    expect(new URL(start.location!).searchParams.get('reason')).toBe('provider_not_configured')
    expect((await makeVisitor().open(handoff.url)).text).toContain('not set up on this service')
    const links = await Promise.all([
      refusalOf(shop.call(startBankLink)),
      refusalOf(shop.call(startMailboxLink, { body: { provider: 'gmail' } })),
      ...calendarProviders.map((provider) => refusalOf(shop.call(startCalendarLink, { body: { provider } }))),
    ])
    for (const link of links) expect(link).toMatchObject({ status: 501, code: 'provider_not_configured' })
    const clock = await fetch(`${unconfiguredApp.baseUrl}/sandbox/clock`, { method: 'POST', body: '{}' })
    expect(clock.status).toBe(404)
  } finally {
    await unconfiguredApp.close()
  }
})

describe.each([...mailboxVendors, ...calendarProviders])(
  '%s of two people who consent at the same time',
  (provider) => {
    it('is stored for the profile whose link each of them opened, and callbacks cannot be swapped', async () => {
      const people = await Promise.all(
        [1, 2].map(async () => {
          const shop = await makeShop(app)
          const handoff = await shop.mint({}, provider)
          const visitor = makeVisitor()
          return {
            shop,
            handoff,
            visitor,
            callback: await consent(visitor, handoff.start_url, 'approve-one'),
          }
        }),
      )
      const [ana, ben] = people as [(typeof people)[0], (typeof people)[0]]
      for (const [visitor, callback] of [
        [ana.visitor, ben.callback],
        [ben.visitor, ana.callback],
      ] as const)
        expect((await visitor.open(callback)).text).toContain('state_invalid')
      for (const { shop } of people) expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
      await Promise.all(people.map(({ visitor, callback }) => visitor.open(callback)))
      for (const { shop, handoff } of people) {
        const { result } = await shop.poll(handoff.id)
        const { connections } = await storedFor(app, shop.profileId)
        expect(connections.map(({ id }) => id)).toEqual([(result as { connection_id: string }).connection_id])
      }
    })
  },
)
