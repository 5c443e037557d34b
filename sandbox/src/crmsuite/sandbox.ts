/** An imitation of crmsuite: installing on one location or an agency's several, search, calendars, signed webhooks. */
import { sign } from 'node:crypto'
import { actInCommon, redirectOrigins, webhookSender } from '../actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../consent.ts'
import { createFaults } from '../faults.ts'
import { bearerOf, readFields, readJson, routedSandbox, type SandboxRoute } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededHex } from '../seeded-random.ts'
import { type Grant, type IssuedTokens, type TokenRefusal, TokenServer } from '../tokens.ts'
import { actOnLocation } from './actions.ts'
import { sandboxSigningKey } from './keys.ts'
import { type Json, type Kind, LocationBook } from './location.ts'
import { failure, refusedParameters, refusedSearch, refusedVersion, unprocessable } from './parameters.ts'

const scopes = ['contacts.readonly', 'opportunities.readonly', 'calendars.readonly', 'locations.readonly']
const refreshTtlSeconds = 365 * 86_400
const accessTtlSeconds = 86_399
const names = ['Harbor & Pine', 'Harbor & Pine Showroom', 'Harbor & Pine Outlet']

export function createCrmsuiteSandbox(options: SandboxOptions): Sandbox {
  const accounts = names.map((name) => ({ id: seededHex(20, options.seed, 'location', name), name }))
  const companyId = seededHex(20, options.seed, 'company')
  const books = new Map(
    accounts.map(({ id }, index) => [
      id,
      new LocationBook(index === 0 ? options.seed : `${options.seed} ${id}`, id, options.now),
    ]),
  )
  const tokens = new TokenServer({ ...options, accessTtlSeconds, refreshTtlSeconds, rotates: true })
  const faults = createFaults()
  const key = sandboxSigningKey(options)
  const uninstalled = new Set<string>()
  let serial = 0
  const webhooks = webhookSender(options)

  const screen: ConsentScreen = {
    providerName: 'HighLevel',
    accounts,
    scopes,
    refusal: {
      decline: { error: 'access_denied', error_description: 'The person refused' },
      'deny-app': {
        error: 'unauthorized_client',
        error_description: 'The app is not listed for this agency',
      },
      'provider-error': { error: 'server_error', error_description: 'Something went wrong' },
    },
    issueCode: (request) => tokens.issueCode(request),
    redirectOrigins: redirectOrigins(options.extra),
  }

  async function deliver(type: string, locationId: string | null, fields: Json): Promise<void> {
    const at = options.now()
    const webhookId = seededHex(24, 'webhook', at.getTime(), ++serial)
    const body = JSON.stringify({
      ...fields,
      type,
      ...(locationId === null ? {} : { locationId }),
      timestamp: at.toISOString(),
      webhookId,
    })
    await webhooks.send({
      provider: 'crmsuite',
      headers: {
        'content-type': 'application/json',
        'x-ghl-signature': sign(null, Buffer.from(body), key).toString('base64'),
      },
      body,
    })
  }

  /** A consent for one location issues a location token; for several or none, an agency token. */
  function tokenReply(issued: IssuedTokens | TokenRefusal): SandboxReply {
    if ('error' in issued) return failure(400, issued.error, issued.description)
    const { accountIds } = issued.grant
    for (const id of accountIds) uninstalled.delete(id)
    const single = accountIds.length === 1
    return {
      status: 200,
      delayMs: issued.delayMs,
      body: {
        access_token: issued.accessToken,
        token_type: 'Bearer',
        expires_in: issued.expiresInSeconds,
        refresh_token: issued.refreshToken,
        scope: issued.grant.scopes.join(' '),
        userType: single ? 'Location' : 'Company',
        companyId,
        userId: seededHex(20, options.seed, 'user'),
        isBulkInstallation: !single,
        ...(single ? { locationId: accountIds[0] } : { approvedLocations: accountIds }),
      },
    }
  }

  function token(request: SandboxRequest): SandboxReply {
    const form = readFields(request)
    if (!tokens.knowsClient(form.client_id ?? null, form.client_secret ?? null)) {
      return failure(401, 'invalid_client', 'Invalid client credentials')
    }
    return tokenReply(
      form.grant_type === 'refresh_token'
        ? tokens.refresh(form.refresh_token ?? '')
        : tokens.redeemCode({
            code: form.code ?? '',
            redirectUri: form.redirect_uri ?? null,
            codeVerifier: null,
          }),
    )
  }

  const grantOf = (request: SandboxRequest): Grant | null => {
    const grant = tokens.authenticate(bearerOf(request))
    const live = grant?.accountIds.length === 0 || grant?.accountIds.some((id) => !uninstalled.has(id))
    return grant !== null && live ? grant : null
  }

  /** A route of one location; refuses agency tokens and tokens of other locations. */
  const inLocation = (
    locationIdOf: (request: SandboxRequest) => string | null,
    answer: (book: LocationBook, request: SandboxRequest, params: Record<string, string>) => SandboxReply,
  ): SandboxRoute['answer'] => {
    return (request, params) => {
      const refusal = refusedVersion(request) ?? refusedParameters(request)
      if (refusal !== null) return refusal
      const grant = grantOf(request)
      if (grant === null) return failure(401, 'Unauthorized', 'Invalid JWT')
      const [locationId, ...otherIds] = grant.accountIds
      if (
        locationId === undefined ||
        otherIds.length > 0 ||
        (locationIdOf(request) ?? locationId) !== locationId
      ) {
        return failure(403, 'Forbidden', 'The token does not have access to this location.')
      }
      return answer(books.get(locationId)!, request, params)
    }
  }
  const byQuery = (name: string) => (request: SandboxRequest) => request.query.get(name)

  const itemRoute = (kind: Kind, wrap: string) =>
    inLocation(
      () => null,
      (book, _request, params) => {
        const item = book.find(kind, params.id!)
        return item === null
          ? failure(404, 'Not Found', `No such ${wrap}`)
          : { status: 200, body: { [wrap]: item } }
      },
    )

  function locationToken(request: SandboxRequest): SandboxReply {
    const grant = grantOf(request)
    const form = readFields(request)
    const id = form.locationId ?? ''
    if (grant === null) return failure(401, 'Unauthorized', 'Invalid JWT')
    if (form.companyId !== companyId || !grant.accountIds.includes(id)) {
      return failure(400, 'Bad Request', 'The app is not installed on this location')
    }
    const narrowed = tokens.narrow(bearerOf(request)!, [id])
    if ('error' in narrowed) return failure(401, 'Unauthorized', narrowed.description)
    return {
      status: 201,
      body: {
        access_token: narrowed.accessToken,
        token_type: 'Bearer',
        expires_in: narrowed.expiresInSeconds,
        scope: scopes.join(' '),
        locationId: id,
        userId: seededHex(20, options.seed, 'user'),
      },
    }
  }

  function installed(request: SandboxRequest): SandboxReply {
    const grant = grantOf(request)
    if (grant === null) return failure(401, 'Unauthorized', 'Invalid JWT')
    const refusal = refusedParameters(request)
    if (refusal !== null) return refusal
    const skip = Number(request.query.get('skip') ?? 0)
    const limit = Number(request.query.get('limit') ?? 20)
    const locations = accounts
      .filter(({ id }) => grant.accountIds.includes(id))
      .map(({ id, name }) => ({ _id: id, name, address: '1 Harbor Street', isInstalled: true }))
    return { status: 200, body: { locations: locations.slice(skip, skip + limit), count: locations.length } }
  }

  const routes: SandboxRoute[] = [
    {
      on: 'GET /v2/oauth/chooselocation',
      answer: (request) => consentPage(screen, request, options.clientId),
    },
    {
      on: 'GET /consent/{choice}',
      answer: (request, { choice }) => consentAnswer(screen, request, options.clientId, choice!),
    },
    { on: 'POST /oauth/token', answer: token },
    { on: 'POST /oauth/locationToken', answer: locationToken },
    { on: 'GET /oauth/installedLocations', answer: installed },
    {
      on: 'DELETE /marketplace/app/{app}/installations',
      answer: (request) => {
        const wasRevoked = tokens.revoke(bearerOf(request) ?? '')
        return wasRevoked
          ? { status: 200, body: { success: true } }
          : failure(401, 'Unauthorized', 'Invalid JWT')
      },
    },
    {
      on: 'GET /locations/{id}',
      answer: inLocation(
        (request) => request.path.split('/')[2] ?? null,
        (book) => {
          const name = accounts.find(({ id }) => id === book.id)!.name
          const location = { id: book.id, companyId, name, country: 'US', timezone: 'America/New_York' }
          return { status: 200, body: { location } }
        },
      ),
    },
    {
      on: 'POST /contacts/search',
      answer: inLocation((request) => String(readJson(request).locationId ?? ''), searchContacts),
    },
    { on: 'GET /contacts/{id}', answer: itemRoute('contacts', 'contact') },
    {
      on: 'GET /opportunities/pipelines',
      answer: inLocation(byQuery('locationId'), (book) => ({
        status: 200,
        body: { pipelines: book.pipelines() },
      })),
    },
    { on: 'GET /opportunities/search', answer: inLocation(byQuery('location_id'), searchOpportunities) },
    { on: 'GET /opportunities/{id}', answer: itemRoute('opportunities', 'opportunity') },
    {
      on: 'GET /calendars/',
      answer: inLocation(byQuery('locationId'), (book) => ({
        status: 200,
        body: { calendars: [{ id: book.calendarId, locationId: book.id, name: 'Consultations' }] },
      })),
    },
    { on: 'GET /calendars/events', answer: inLocation(byQuery('locationId'), listEvents) },
    { on: 'GET /calendars/events/appointments/{id}', answer: itemRoute('appointments', 'appointment') },
  ]

  return routedSandbox({
    name: 'crmsuite',
    routes,
    faults,
    otherwise: failure(404, 'Not Found', 'Cannot find this path'),
    async act(action, args) {
      const done = actInCommon({ tokens, faults }, action, args)
      if (done !== null) return done
      const book = books.get(typeof args.account_id === 'string' ? args.account_id : accounts[0]!.id)
      if (book === undefined) throw new Error('No such location')
      if (action === 'uninstall') {
        uninstalled.add(book.id)
        await deliver('UNINSTALL', book.id, { appId: options.clientId.split('-')[0] })
        return { account_id: book.id }
      }
      if (action === 'uninstall_agency') {
        for (const { id } of accounts) uninstalled.add(id)
        await deliver('UNINSTALL', null, { appId: options.clientId.split('-')[0], companyId })
        return { company_id: companyId }
      }
      if (action === 'resend_webhook') return webhooks.resend()
      const { type, fields, result } = actOnLocation(book, action, args, options.now(), ++serial)
      await deliver(type, book.id, fields)
      return { ...result, account_id: book.id }
    },
  })
}

/** Search results have less than the contact itself: names in lower case only, and no attribution. */
function thin(contact: Record<string, unknown>): Record<string, unknown> {
  const { attributionSource: _, attributions: __, contactName: ___, firstName, lastName, ...rest } = contact
  return {
    ...rest,
    firstNameLowerCase: String(firstName ?? '').toLowerCase(),
    lastNameLowerCase: String(lastName ?? '').toLowerCase(),
  }
}

function searchContacts(book: LocationBook, request: SandboxRequest): SandboxReply {
  const body = readJson(request) as {
    pageLimit?: number
    searchAfter?: [number, string]
    filters?: { field: string; value: { gte?: string; lte?: string } }[]
  }
  const refusal = refusedSearch(body)
  if (refusal !== null) return refusal
  const range = body.filters?.find(({ field }) => field === 'dateUpdated')?.value
  const from = Date.parse(range?.gte ?? '1970-01-01T00:00:00Z')
  const until = Date.parse(range?.lte ?? '2999-01-01T00:00:00Z')
  const [afterAt, afterId] = body.searchAfter ?? [0, '']
  const matchingContacts = book
    .list('contacts')
    .map((contact) => ({ contact, at: Date.parse(String(contact.dateUpdated)) }))
    .filter(({ at }) => at >= from && at <= until)
    .sort((a, b) => a.at - b.at || (a.contact.id < b.contact.id ? -1 : 1))
  const contacts = matchingContacts
    .filter(({ at, contact }) => at > afterAt || (at === afterAt && contact.id > afterId))
    .slice(0, body.pageLimit ?? 20)
    .map(({ at, contact }) => ({ ...thin(contact), searchAfter: [at, contact.id] }))
  return { status: 201, body: { contacts, total: matchingContacts.length } }
}

/** Newest first by creation; the cursor is time and id of the last item. */
function searchOpportunities(book: LocationBook, request: SandboxRequest): SandboxReply {
  const limit = Number(request.query.get('limit') ?? 20)
  if (limit > 100) return unprocessable('limit must not be greater than 100')
  const startAfter = Number(request.query.get('startAfter') ?? Number.POSITIVE_INFINITY)
  const startAfterId = request.query.get('startAfterId') ?? '~'
  const all = book
    .list('opportunities')
    .map((opportunity) => ({ opportunity, at: Date.parse(String(opportunity.createdAt)) }))
    .sort((a, b) => b.at - a.at || (a.opportunity.id < b.opportunity.id ? 1 : -1))
  const page = all
    .filter(({ at, opportunity }) => at < startAfter || (at === startAfter && opportunity.id < startAfterId))
    .slice(0, limit)
  const last = page.at(-1)
  return {
    status: 200,
    body: {
      opportunities: page.map(({ opportunity }) => opportunity),
      meta: { total: all.length, startAfter: last?.at ?? null, startAfterId: last?.opportunity.id ?? null },
    },
  }
}

function listEvents(book: LocationBook, request: SandboxRequest): SandboxReply {
  const from = Number(request.query.get('startTime'))
  const until = Number(request.query.get('endTime'))
  if (!request.query.get('calendarId')) return unprocessable('calendarId is required')
  const events = book.list('appointments').filter((event) => {
    const at = Date.parse(String(event.startTime))
    return event.calendarId === request.query.get('calendarId') && at >= from && at <= until
  })
  return { status: 200, body: { events } }
}
