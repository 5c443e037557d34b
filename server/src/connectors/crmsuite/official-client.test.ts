/** The official client against the sandbox, which serves its requests and refuses everything unknown to it. */
import { createPublicKey } from 'node:crypto'
import { HighLevel, type HighLevelConfig } from '@gohighlevel/api-client'
import { sandboxWebhookPublicKey } from '@whence/sandbox/crmsuite/keys.ts'
import { queryParameters } from '@whence/sandbox/crmsuite/parameters.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import {
  clientId,
  clientSecret,
  consent,
  openSession,
  type RunningSandbox,
  startSandbox,
} from '../../../test/sandbox-server.ts'
import type { Session } from '../connector.ts'
import { crmsuite } from './connector.ts'

type Answer<Call extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Call>>
type Contact = NonNullable<Answer<HighLevel['contacts']['getContact']>['contact']>
type Attribution = NonNullable<Contact['attributionSource']>
type Opportunity = NonNullable<
  Answer<HighLevel['opportunities']['searchOpportunity']>['opportunities']
>[number]
type Event = NonNullable<Answer<HighLevel['calendars']['getCalendarEvents']>['events']>[number]
type Installed = NonNullable<Answer<HighLevel['oauth']['getInstalledLocation']>['locations']>[number]

const spec = connectorCases.find(({ connector }) => connector === crmsuite)!
let running: RunningSandbox
let session: Session
let client: HighLevel

/** Its URL is a constant that can be overridden. */
function clientWith(config: Partial<HighLevelConfig>): HighLevel {
  Object.defineProperty(HighLevel, 'BASE_URL', { value: running.app.apiBaseUrl, configurable: true })
  return new HighLevel({ logLevel: 'none', apiVersion: '2021-07-28', clientId, clientSecret, ...config })
}
const withToken = (locationAccessToken: string, apiVersion = '2021-07-28') =>
  clientWith({ locationAccessToken, apiVersion })

beforeAll(async () => {
  running = await startSandbox(spec)
  session = await openSession(spec, running)
  client = withToken(session.token.accessToken)
})
afterAll(() => running.close())

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => ({ answered: true }),
    ({ statusCode, message }: { statusCode?: number; message: string }) => ({ statusCode, message }),
  )
/** Members of a response that the client's types lack. */
const beyond = (answered: object, members: readonly PropertyKey[]) =>
  Object.keys(answered).filter((name) => !members.includes(name))

test('the client exchanges a code, lists an agency’s locations and opens one of them', async () => {
  const answered = await consent(spec, running, 'approve-several')
  if (answered.meaning.type !== 'code') throw new Error('no code')
  const issued = await clientWith({}).oauth.getAccessToken({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'authorization_code',
    code: answered.meaning.code,
    user_type: 'Company',
    redirect_uri: running.redirectUri,
  })
  expect(issued).toMatchObject({ userType: 'Company', token_type: 'Bearer' })
  const agency = clientWith({ agencyAccessToken: issued.access_token! })
  const companyId = issued.companyId!
  const { locations } = await agency.oauth.getInstalledLocation({
    companyId,
    appId: clientId.split('-')[0]!,
    isInstalled: true,
  })
  expect(locations).toHaveLength(spec.severalCount)
  const members = ['_id', 'name', 'address', 'isInstalled', 'versionId', 'installedAt'] as const
  expect(beyond(locations![0]!, members satisfies readonly (keyof Installed)[])).toEqual([])
  const locationId = locations![1]!._id
  const opened = await agency.oauth.getLocationAccessToken({ companyId, locationId })
  const { location } = await withToken(opened.access_token!).locations.getLocation({ locationId })
  expect(location).toMatchObject({ id: locationId, timezone: expect.any(String) })
})

describe('of one location the client reads', () => {
  test('contacts, by search and individually, without members that its types lack except those of live responses', async () => {
    const page = await client.contacts.searchContactsAdvanced({
      locationId: session.accountId,
      pageLimit: 100,
    } as object)
    expect(page.contacts.length).toBeGreaterThan(20)
    const all = await Promise.all(
      page.contacts
        .slice(0, 20)
        .map(({ id }: { id: string }) => client.contacts.getContact({ contactId: id })),
    )
    const contact = all.find(({ contact }) => contact?.attributionSource?.campaignId)!.contact!
    const members = [
      'id',
      'locationId',
      'firstName',
      'lastName',
      'email',
      'phone',
      'country',
      'source',
      'type',
      'tags',
      'dateAdded',
      'dateUpdated',
      'attributionSource',
    ] as const satisfies readonly (keyof Contact)[]
    expect(beyond(contact, members)).toEqual(['contactName', 'attributions'])
    const attribution = [
      'url',
      'fbclid',
      'gclid',
      'campaignId',
      'utmSource',
      'medium',
    ] as const satisfies readonly (keyof Attribution)[]
    expect(beyond(contact.attributionSource!, attribution)).toEqual(['sessionSource'])
  })

  test('pipelines and opportunities, page by page', async () => {
    const { pipelines } = await client.opportunities.getPipelines({ locationId: session.accountId })
    expect(pipelines!.length).toBeGreaterThan(0)
    const first = await client.opportunities.searchOpportunity({ locationId: session.accountId, limit: 5 })
    const second = await client.opportunities.searchOpportunity({
      locationId: session.accountId,
      limit: 5,
      startAfter: String(first.meta!.startAfter),
      startAfterId: first.meta!.startAfterId!,
    })
    const ids = [...first.opportunities!, ...second.opportunities!].map(({ id }) => id)
    expect(new Set(ids).size).toBe(10)
    const members = [
      'id',
      'name',
      'locationId',
      'contactId',
      'pipelineId',
      'pipelineStageId',
      'status',
      'monetaryValue',
      'createdAt',
      'updatedAt',
      'lastStageChangeAt',
      'lastStatusChangeAt',
      'contact',
    ] as const satisfies readonly (keyof Opportunity)[]
    expect(beyond(first.opportunities![0]!, members)).toEqual([])
    const { opportunity } = await client.opportunities.getOpportunity({ id: ids[0]! })
    expect(opportunity!.id).toBe(ids[0])
  })

  test('calendars and their events, under the version of calendars', async () => {
    const calendar = withToken(session.token.accessToken, '2021-04-15').calendars
    const { calendars } = await calendar.getCalendars({ locationId: session.accountId })
    const now = running.clock.now.getTime()
    const { events } = await calendar.getCalendarEvents({
      locationId: session.accountId,
      calendarId: calendars![0]!.id!,
      startTime: String(now - 90 * 86_400_000),
      endTime: String(now + 90 * 86_400_000),
    })
    const members = [
      'id',
      'title',
      'locationId',
      'calendarId',
      'contactId',
      'appointmentStatus',
      'startTime',
      'endTime',
      'dateAdded',
      'dateUpdated',
    ] as const satisfies readonly (keyof Event)[]
    expect(beyond(events![0]!, members)).toEqual([])
    // The client's types have `event`; live responses contain `appointment`.
    expect(await calendar.getAppointment({ eventId: events![0]!.id })).toMatchObject({
      appointment: { id: events![0]!.id },
    })
  })
})

describe('the sandbox refuses what the client does not know:', () => {
  const callOf = {
    searchOpportunity: () => client.opportunities.searchOpportunity,
    getPipelines: () => client.opportunities.getPipelines,
    getCalendars: () => client.calendars.getCalendars,
    getCalendarEvents: () => client.calendars.getCalendarEvents,
    getInstalledLocation: () => client.oauth.getInstalledLocation,
  }

  test.each(Object.keys(callOf) as (keyof typeof callOf)[])(
    'the sandbox takes exactly the parameters of %s that the client sends',
    (name) => {
      // The client's code contains the parameter names.
      const source = /paramDefs = (\[.*?\]);/.exec(callOf[name]().toString())![1]!
      const sent = [...source.matchAll(/name: '(\w+)', in: 'query'/g)].map((match) => match[1])
      expect(sent.length).toBeGreaterThan(0)
      expect([...queryParameters[name]].sort()).toEqual(sent.sort())
    },
  )

  test.each([
    ['an unknown parameter', { colour: 'red' }, 422],
    ['more than 100 at once', { limit: 101 }, 422],
  ])('%s', async (_, extraParams, statusCode) => {
    const params = { location_id: session.accountId, ...extraParams }
    const call = client.opportunities.searchOpportunity({ locationId: session.accountId }, { params })
    expect(await refusalOf(call)).toMatchObject({ statusCode })
  })

  test('a contact search with an unknown member or more than 500 at once', async () => {
    const search = (extraMembers: object) =>
      refusalOf(
        client.contacts.searchContactsAdvanced({ locationId: session.accountId, ...extraMembers } as object),
      )
    expect(await search({ colour: 'red' })).toMatchObject({ statusCode: 422 })
    expect(await search({ pageLimit: 501 })).toMatchObject({ statusCode: 422 })
  })

  test('an unknown version, but not the client’s default', async () => {
    const read = (version?: string) =>
      refusalOf(
        withToken(session.token.accessToken, version).opportunities.getPipelines({
          locationId: session.accountId,
        }),
      )
    expect(await read('2021-13-01')).toMatchObject({ statusCode: 401 })
    expect(await read('2023-02-21')).toEqual({ answered: true })
    expect(String(HighLevel)).toContain("'2023-02-21'")
  })

  test('an invalid token', async () => {
    const call = withToken('none').opportunities.getPipelines({ locationId: session.accountId })
    expect(await refusalOf(call)).toMatchObject({ statusCode: 401 })
  })
})

test('the client and the connector verify the sandbox’s webhooks, with the key in each form', async () => {
  running.webhooks.splice(0)
  await running.sandbox.act('new_contact', {})
  const [webhook] = running.webhooks
  const signature = webhook!.headers['x-ghl-signature']!
  const spki = sandboxWebhookPublicKey({ seed: 'conformance', clientSecret })
  const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' })
  const pem = key.export({ type: 'spki', format: 'pem' }).toString()
  const raw = Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url').toString('base64')
  const body = Buffer.from(webhook!.rawBody)
  for (const form of [pem, raw]) {
    expect(client.webhooks.verifyEd25519Signature(body, signature, form)).toBe(true)
    expect(client.webhooks.verifyEd25519Signature(`${body} `, signature, form)).toBe(false)
  }
  for (const form of [pem, raw, spki]) {
    const app = { ...running.app, extra: { webhookPublicKey: form } }
    expect(crmsuite.webhooks!.verify(app, webhook!, running.clock.now)).toBe(true)
    const other = { ...webhook!, rawBody: Buffer.concat([body, Buffer.from(' ')]) }
    expect(crmsuite.webhooks!.verify(app, other, running.clock.now)).toBe(false)
  }
})

test('the client uninstalls the app from the location, and the token is revoked', async () => {
  const other = await openSession(spec, running)
  const taken = await withToken(other.token.accessToken).marketplace.uninstallApplication(
    { appId: clientId.split('-')[0]! },
    { locationId: other.accountId },
    { preferredTokenType: 'location' },
  )
  expect(taken).toMatchObject({ success: true })
  await expect(crmsuite.listAccounts(running.http, running.app, other.token)).rejects.toMatchObject({
    reason: 'invalid_grant',
  })
})
