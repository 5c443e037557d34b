/**
 * An imitation of HubSpot's API 2026-09: consent for one account, token and introspection with parameters in the body,
 * search, lists, batches and associations of the CRM, forms, webhooks signed in version 3. Written from HubSpot's API
 * reference and changelog, read 2026-11-17.
 */
import { actInCommon, redirectOrigins, webhookSender } from '../actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../consent.ts'
import { createFaults } from '../faults.ts'
import { hmacSha256 } from '../hmac.ts'
import { bearerOf, readFields, readJson, routedSandbox, type SandboxRoute } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { type IssuedTokens, type TokenRefusal, TokenServer } from '../tokens.ts'
import { actOnRecords, type HubEvent } from './actions.ts'
import { failure } from './failures.ts'
import { objectJson, portalId } from './object-json.ts'
import { dealStages, type ObjectType, Records } from './records.ts'
import { MAX_RESULTS, search } from './search.ts'

type Json = Record<string, unknown>

const accessTtlSeconds = 1800
const account = { id: String(portalId), name: 'Harbor & Pine' }
const scopes = ['oauth', 'crm.objects.contacts.read', 'crm.objects.deals.read', 'forms']

export function createHubspotSandbox(options: SandboxOptions): Sandbox {
  const tokens = new TokenServer({ ...options, accessTtlSeconds, rotates: false })
  const faults = createFaults()
  const records = new Records(options.seed, options.now)
  let eventSerial = 0
  /** Number of calls to refuse although the token is valid. */
  let wrong401s = 0
  let isDailyLimit = false
  let maxResults = MAX_RESULTS
  const webhooks = webhookSender(options)

  const screen: ConsentScreen = {
    providerName: 'HubSpot',
    oneAccount: true,
    accounts: [account],
    scopes,
    refusal: {
      decline: { error: 'access_denied', error_description: 'The user cancelled' },
      'deny-app': { error: 'invalid_scope', error_description: 'The account lacks a product' },
      'provider-error': { error: 'server_error', error_description: 'Something went wrong' },
    },
    issueCode: (request) => tokens.issueCode(request),
    redirectOrigins: redirectOrigins(options.extra),
  }

  /** `scope` must contain the scopes of the app's manifest; `optional_scope` is granted if the account has it. */
  function authorize(request: SandboxRequest): SandboxReply {
    const requestedScopes = (request.query.get('scope') ?? '').split(' ')
    return requestedScopes.includes('oauth')
      ? consentPage(screen, request, options.clientId)
      : failure(400, 'VALIDATION_ERROR', 'The scopes do not match the ones of the app')
  }

  const oauthRefusal = (status: string, error: string, message: string): SandboxReply => ({
    status: 400,
    body: { status, error, error_description: message, message },
  })

  const behindClient =
    (answer: (form: Record<string, string>) => SandboxReply): SandboxRoute['answer'] =>
    (request) => {
      const form = readFields(request)
      return tokens.knowsClient(form.client_id ?? null, form.client_secret ?? null)
        ? answer(form)
        : oauthRefusal('BAD_CLIENT_ID', 'invalid_client', 'missing or unknown client id')
    }

  function tokenReply(issued: IssuedTokens | TokenRefusal, status: string): SandboxReply {
    if ('error' in issued) return oauthRefusal(status, issued.error, issued.description)
    return {
      status: 200,
      delayMs: issued.delayMs,
      body: {
        token_type: 'bearer',
        access_token: issued.accessToken,
        refresh_token: issued.refreshToken,
        expires_in: issued.expiresInSeconds,
        hub_id: portalId,
        user_id: 100_200,
        scopes: issued.grant.scopes,
      },
    }
  }

  const token = behindClient((form) =>
    form.grant_type === 'refresh_token'
      ? tokenReply(tokens.refresh(form.refresh_token ?? ''), 'BAD_REFRESH_TOKEN')
      : tokenReply(
          tokens.redeemCode({
            code: form.code ?? '',
            redirectUri: form.redirect_uri ?? null,
            codeVerifier: form.code_verifier ?? null,
          }),
          'BAD_AUTH_CODE',
        ),
  )

  const introspect = behindClient((form) => {
    const grant = tokens.authenticate(form.token ?? '')
    const details = { token_use: 'access_token', hub_id: portalId, user_id: 100_200, scopes: grant?.scopes }
    return { status: 200, body: grant === null ? { active: false } : { active: true, ...details } }
  })

  const behindToken =
    (answer: SandboxRoute['answer']): SandboxRoute['answer'] =>
    (request, params) => {
      const isKnown = tokens.authenticate(bearerOf(request)) !== null
      if (!isKnown || wrong401s > 0) {
        if (isKnown) wrong401s -= 1
        return failure(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.')
      }
      if (isDailyLimit)
        return failure(429, 'RATE_LIMITS', 'You have reached your daily limit.', { policyName: 'DAILY' })
      return answer(request, params)
    }

  const typeOf = (name: string | undefined): ObjectType | null =>
    name === 'contacts' || name === 'deals' ? name : null
  const ofType = (answer: (type: ObjectType, request: SandboxRequest, id: string) => SandboxReply) =>
    behindToken((request, params) => {
      const type = typeOf(params.type)
      return type === null
        ? failure(400, 'VALIDATION_ERROR', `Unable to infer object type from: ${params.type}`)
        : answer(type, request, params.id ?? '')
    })

  function listObjects(type: ObjectType, { query }: SandboxRequest): SandboxReply {
    const limit = Number(query.get('limit') ?? 10)
    if (limit > 100) return failure(400, 'VALIDATION_ERROR', 'limit must be at most 100')
    const isArchived = query.get('archived') === 'true'
    const after = BigInt(query.get('after') ?? 0)
    const matchingObjects = records
      .list(type)
      .filter((object) => (object.archivedAt !== null) === isArchived && BigInt(object.id) > after)
    const page = matchingObjects.slice(0, limit)
    const next = matchingObjects.length > limit ? { paging: { next: { after: page.at(-1)!.id } } } : {}
    const propertyNames = (query.get('properties') ?? '').split(',')
    return {
      status: 200,
      body: { results: page.map((object) => objectJson(type, object, propertyNames)), ...next },
    }
  }

  function readObject(type: ObjectType, { query }: SandboxRequest, id: string): SandboxReply {
    const object = records.find(type, id)
    const isArchived = query.get('archived') === 'true'
    return object === undefined || (object.archivedAt !== null) !== isArchived
      ? failure(404, 'OBJECT_NOT_FOUND', 'Object not found')
      : { status: 200, body: objectJson(type, object, (query.get('properties') ?? '').split(',')) }
  }

  const idsOf = (request: SandboxRequest): string[] => {
    const { inputs } = readJson(request)
    return Array.isArray(inputs) ? inputs.map((input: Json) => String(input.id)) : []
  }

  function readBatch(type: ObjectType, request: SandboxRequest): SandboxReply {
    const ids = idsOf(request)
    if (ids.length === 0 || ids.length > 100)
      return failure(400, 'VALIDATION_ERROR', 'A batch has between 1 and 100 inputs')
    const { properties } = readJson(request)
    const objects = ids
      .flatMap((id) => records.find(type, id) ?? [])
      .filter((object) => object.archivedAt === null)
    const results = objects.map((object) => objectJson(type, object, properties as string[]))
    const missing = ids.length - objects.length
    const errors = missing === 0 ? {} : { numErrors: missing, errors: [{ category: 'OBJECT_NOT_FOUND' }] }
    return { status: missing === 0 ? 200 : 207, body: { status: 'COMPLETE', results, ...errors } }
  }

  function readLinks(request: SandboxRequest, from: ObjectType, to: ObjectType): SandboxReply {
    const results = idsOf(request).flatMap((id) => {
      const links = (records.find(from, id)?.links ?? []).filter(
        (link) => records.find(to, link)?.archivedAt === null,
      )
      const types = [{ category: 'HUBSPOT_DEFINED', typeId: from === 'deals' ? 3 : 4, label: null }]
      const ends = links.map((toObjectId) => ({ toObjectId, associationTypes: types }))
      return ends.length === 0 ? [] : [{ from: { id }, to: ends }]
    })
    return { status: 200, body: { status: 'COMPLETE', results } }
  }

  function listSubmissions({ query }: SandboxRequest, form: string): SandboxReply {
    if (form !== records.formId) return failure(404, 'OBJECT_NOT_FOUND', 'No such form')
    const limit = Math.min(50, Number(query.get('limit') ?? 20))
    const start = Number(query.get('after') ?? 0)
    const all = records.submissions()
    const next = all.length > start + limit ? { paging: { next: { after: String(start + limit) } } } : {}
    return { status: 200, body: { results: all.slice(start, start + limit), ...next } }
  }

  const crm = '/crm/objects/2026-09/{type}'
  const routes: SandboxRoute[] = [
    { on: 'GET /oauth/authorize', answer: authorize },
    {
      on: 'GET /consent/{choice}',
      answer: (request, { choice }) => consentAnswer(screen, request, options.clientId, choice!),
    },
    { on: 'POST /oauth/2026-09/token', answer: token },
    { on: 'POST /oauth/2026-09/token/introspect', answer: introspect },
    {
      on: 'POST /oauth/2026-09/token/revoke',
      answer: behindClient((form) => {
        tokens.revoke(form.token ?? '')
        return { status: 200, body: '' }
      }),
    },
    {
      on: 'GET /account-info/2026-09/details',
      answer: behindToken(() => ({
        status: 200,
        body: {
          portalId,
          portalName: account.name,
          accountType: 'STANDARD',
          timeZone: 'America/New_York',
          companyCurrency: 'USD',
          additionalCurrencies: ['EUR'],
          uiDomain: 'app.hubspot.com',
          dataHostingLocation: 'na1',
          utcOffset: '-05:00',
          utcOffsetMilliseconds: -18_000_000,
        },
      })),
    },
    {
      on: `POST ${crm}/search`,
      answer: ofType((type, request) =>
        search(records.list(type), type, request, { now: options.now(), maxResults }),
      ),
    },
    { on: `POST ${crm}/batch/read`, answer: ofType(readBatch) },
    { on: `GET ${crm}`, answer: ofType(listObjects) },
    { on: `GET ${crm}/{id}`, answer: ofType(readObject) },
    {
      on: 'POST /crm/associations/2026-09/deals/contacts/batch/read',
      answer: behindToken((request) => readLinks(request, 'deals', 'contacts')),
    },
    {
      on: 'POST /crm/associations/2026-09/contacts/deals/batch/read',
      answer: behindToken((request) => readLinks(request, 'contacts', 'deals')),
    },
    {
      on: 'GET /crm/pipelines/2026-09/deals',
      answer: behindToken(() => ({
        status: 200,
        body: {
          results: [
            {
              id: 'default',
              label: 'Sales Pipeline',
              displayOrder: 0,
              archived: false,
              stages: dealStages.map(([id, label, probability], displayOrder) => ({
                id,
                label,
                displayOrder,
                archived: false,
                metadata: { probability, isClosed: String(id.startsWith('closed')) },
              })),
            },
          ],
        },
      })),
    },
    {
      on: 'GET /marketing/v3/forms',
      answer: behindToken(() => ({
        status: 200,
        body: {
          results: [{ id: records.formId, name: 'Consultation', formType: 'hubspot', archived: false }],
        },
      })),
    },
    {
      on: 'GET /form-integrations/v1/submissions/forms/{form}',
      answer: behindToken((request, { form }) => listSubmissions(request, form!)),
    },
  ]

  async function deliver(events: readonly HubEvent[]): Promise<void> {
    if (events.length === 0) return
    const at = options.now().getTime()
    const body = JSON.stringify(
      events.map((event) => ({
        eventId: ++eventSerial,
        subscriptionId: 25,
        portalId,
        appId: 1_160_452,
        occurredAt: at,
        attemptNumber: 0,
        changeSource: 'CRM_UI',
        ...event,
      })),
    )
    const signed = hmacSha256(options.clientSecret, 'POST', options.extra.webhookUrl ?? '', body, String(at))
    await webhooks.send({
      provider: 'hubspot',
      headers: {
        'content-type': 'application/json',
        'x-hubspot-signature-version': 'v1',
        'x-hubspot-request-timestamp': String(at),
        'x-hubspot-signature-v3': signed.toString('base64'),
      },
      body,
    })
  }

  async function act(action: string, args: Json): Promise<Json> {
    const done = actInCommon({ tokens, faults }, action, args)
    if (done !== null) return done
    switch (action) {
      case 'wrong_401':
        wrong401s = Number(args.times ?? 1)
        return {}
      case 'search_limit':
        maxResults = Number(args.results)
        return {}
      case 'daily_limit':
        isDailyLimit = args.on !== false
        return {}
      case 'resend_webhook':
        return webhooks.resend()
      default: {
        const { events, result } = actOnRecords(records, action, args, options.now())
        await deliver(events)
        return { ...result, account_id: account.id }
      }
    }
  }

  return routedSandbox({
    name: 'hubspot',
    routes,
    faults,
    otherwise: failure(404, 'NOT_FOUND', 'Resource not found'),
    act,
  })
}
