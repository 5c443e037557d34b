import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { authorizePartner } from '../../../../test/consent-browser.ts'
import {
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  provision,
  refusalOf,
} from '../../../../test/make.ts'
import { makeVisitor, walkConsent } from '../../../../test/visitor.ts'
import { mailboxVendors } from '../../../connectors/mailbox.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { listConnections } from '../connections/contract.ts'
import { startMailboxLink } from '../mailboxes/contract.ts'
import { getHandoff, Handoff, mintHandoff } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function makeShop(): Promise<{
  call: Client
  profileId: string
  workspaceId: string
  ownerCall: Client
  owner: Person
}> {
  const owner = await makePerson(app, 'Owner')
  const workspaceId = await makeWorkspace(owner)
  const profileId = await makeProfile(owner, workspaceId)
  const call = app.as(await makeKey(app, profileId, ['connections:read', 'connections:write']))
  return { call, profileId, workspaceId, ownerCall: owner.call, owner }
}

const mint = async (call: Client, body = {}) =>
  Handoff.parse((await call(mintHandoff, { params: { provider: 'cardpay' }, body })).data)
const poll = async (call: Client, id: string) =>
  Handoff.parse((await call(getHandoff, { params: { id } })).data)

describe('a hand-off', () => {
  it('is created pending, with links valid for 45 minutes', async () => {
    const { call, profileId } = await makeShop()
    const { data, meta } = await call(mintHandoff, { params: { provider: 'cardpay' }, body: {} })
    const handoff = Handoff.parse(data)
    expect(meta.profile_id).toBe(profileId)
    expect(handoff).toMatchObject({ kind: 'connect', status: 'pending', completed_at: null, result: null })
    expect(handoff.start_url).toBe(`${handoff.url}/start`)
    expect(Date.parse(handoff.expires_at) - Date.parse(handoff.created_at)).toBe(45 * 60_000)
    expect(await poll(call, handoff.id)).toEqual(handoff)
    const polled = await call(getHandoff, { params: { id: handoff.id } })
    expect(polled.meta).toEqual({ profile_id: profileId })
  })

  it('ends connected after one person agreed for one account', async () => {
    const { call } = await makeShop()
    const handoff = await mint(call)
    const visitor = makeVisitor()
    const lastPage = await walkConsent(visitor, handoff.start_url, 'approve-one')
    expect([lastPage.status, lastPage.location]).toEqual([303, handoff.url])
    expect((await visitor.open(lastPage.location!)).text).toContain('Stripe is connected')
    const settled = await poll(call, handoff.id)
    expect(settled.status).toBe('completed')
    expect(settled.result).toMatchObject({ provider: 'cardpay', connection_id: expect.any(String) })
  })

  it.each(mailboxVendors)('of %s requires more than the grant of an authorized app', async (provider) => {
    const { call, profileId, workspaceId, owner } = await makeShop()
    const link = async (client: Client) => (await client(startMailboxLink, { body: { provider } })).data
    const stranger = await makeApp(app, await makeWorkspace(await makePerson(app, 'Stranger')))
    const { access_token: key } = await authorizePartner(app, stranger, owner, {
      scope: 'connections',
      profileId,
    })
    expect(await refusalOf(link(app.as(key)))).toMatchObject({
      status: 403,
      code: 'forbidden',
      reason: 'owner_decision_required',
    })
    expect((await mint(app.as(key))).status).toBe('pending')
    const maker = await provision(app, profileId, await makeApp(app, workspaceId), ['connections'])
    for (const client of [call, app.as(maker.apiKey)]) expect((await link(client)).status).toBe('pending')
  })

  it.each(['10.0.0.5', '192.168.1.10/store', '172.16.0.1:8443', '169.254.169.254', '3232235786'])(
    'of a shop at %s is refused: the address is private',
    async (shop) => {
      const { call } = await makeShop()
      const refusal = await refusalOf(
        call(mintHandoff, { params: { provider: 'woocommerce' }, body: { shop } }),
      )
      expect(refusal).toMatchObject({ status: 400, code: 'invalid_parameter', field: 'shop' })
    },
  )

  it('connects a mailbox again by the channel of its connection, once its vendor is known', async () => {
    const { call } = await makeShop()
    const start = async (provider: 'mailbox' | 'gmail' | 'microsoft_mail') =>
      Handoff.parse((await call(mintHandoff, { params: { provider }, body: {} })).data)
    const refused = { status: 400, code: 'invalid_parameter', field: 'provider' }
    expect(await refusalOf(start('mailbox'))).toMatchObject(refused)
    await walkConsent(makeVisitor(), (await start('gmail')).start_url, 'approve-one')
    const [mailbox] = (await call(listConnections, { query: { channel: 'gmail' } })).data
    expect(mailbox).toMatchObject({ channel: 'mailbox', provider_subtype: 'gmail', status: 'connected' })
    expect((await call(listConnections, { query: { channel: 'microsoft_mail' } })).data).toEqual([])
    expect((await call(listConnections, { query: { channel: 'mailbox' } })).data).toEqual([mailbox])
    const again = await start(mailbox!.channel as 'mailbox')
    await walkConsent(makeVisitor(), again.start_url, 'approve-one')
    expect(await poll(call, again.id)).toMatchObject({
      status: 'completed',
      result: { connection_id: mailbox!.id },
    })
    await walkConsent(makeVisitor(), (await start('microsoft_mail')).start_url, 'approve-one')
    expect(await refusalOf(start('mailbox'))).toMatchObject({
      ...refused,
      message: expect.stringContaining('gmail or microsoft_mail'),
    })
  })

  it('cannot be read by another app, because its link grants access', async () => {
    const { call, profileId, workspaceId } = await makeShop()
    const keyOf = async () => {
      const partner = await makeApp(app, workspaceId)
      return app.as((await provision(app, profileId, partner, ['connections'])).apiKey)
    }
    const [first, second] = [await keyOf(), await keyOf()]
    const handoff = await mint(first)
    expect((await poll(first, handoff.id)).url).toBe(handoff.url)
    expect((await poll(call, handoff.id)).url).toBe(handoff.url)
    const refusal = await refusalOf(second(getHandoff, { params: { id: handoff.id } }))
    const unknown = await refusalOf(second(getHandoff, { params: { id: crypto.randomUUID() } }))
    expect([refusal.status, refusal.code, refusal.message]).toEqual([404, unknown.code, unknown.message])
    const directHandoff = await mint(call)
    expect(await refusalOf(second(getHandoff, { params: { id: directHandoff.id } }))).toMatchObject({
      status: 404,
    })
  })

  it('responds to another profile’s key like to an unknown id', async () => {
    const { call } = await makeShop()
    const stranger = await makeShop()
    const handoff = await mint(call)
    const foreignRefusal = await refusalOf(stranger.call(getHandoff, { params: { id: handoff.id } }))
    const unknown = await refusalOf(
      stranger.call(getHandoff, { params: { id: '01890000-0000-7000-8000-000000000000' } }),
    )
    expect({ ...foreignRefusal, request_id: '' }).toEqual({ ...unknown, request_id: '' })
  })

  it('reports a failing database as an error, not as an unknown hand-off', async () => {
    const { call } = await makeShop()
    const { ownerCall: stranger } = await makeShop()
    const { id } = await mint(call)
    const read = () => refusalOf(stranger(getHandoff, { params: { id } }))
    expect((await read()).code).toBe('not_found')
    await app.pool.query('alter table profile_members rename to profile_members_gone')
    try {
      expect((await read()).code).toBe('internal_error')
    } finally {
      await app.pool.query('alter table profile_members_gone rename to profile_members')
    }
  })
})
