/**
 * Imitates the Data Manager API: one bad record refuses the request, a 200 only means accepted, and the results
 * are reported as counts half an hour later.
 */

import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { DAY_MS } from '../days.ts'
import { engineError } from '../engine-oauth.ts'
import { numberArg, readJson, textArg } from '../routes.ts'
import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import type { Grant } from '../tokens.ts'
import {
  type FieldViolation,
  IngestEvents,
  type IngestedEvent,
  IngestMembers,
  RemoveMembers,
  UserList,
  violationsOf,
} from './ingest-schema.ts'

export const dataManagerScope = 'https://www.googleapis.com/auth/datamanager'
const diagnosticsAfterMs = 30 * 60_000
const maxAgeDays = 90

type Parts = {
  /** The account if the grant covers it through this login account; `isEea`: its people are in the EEA. */
  account(grant: Grant, accountId: string, login: string | undefined): { isEea: boolean } | null
}

type Outcome = 'counted' | string
type Held = {
  kind: 'conversion'
  account_id: string
  conversion_action: string
  transactionId: string | null
  conversionValue: number | null
  currency: string | null
  eventTimestamp: string
  /** `counted`, or the reason why not. */
  outcome: Outcome
  /** Number of times it was sent; each time restates value and currency. */
  times: number
  event: IngestedEvent
}
type Request = { at: number; kind: 'events' | 'ingest' | 'remove'; outcomes: Outcome[]; destination: unknown }
type List = { id: string; name: string; members: Map<string, unknown> }

/** A person matches by any of the identifiers. */
function removeMatching({ members }: List, identifiers: readonly unknown[]): void {
  const identifierKeys = new Set(identifiers.map((identifier) => JSON.stringify(identifier)))
  for (const [key] of members)
    if ((JSON.parse(key) as unknown[]).some((identifier) => identifierKeys.has(JSON.stringify(identifier))))
      members.delete(key)
}

export function createDataManager(options: SandboxOptions, parts: Parts) {
  const received = new Map<string, Held>()
  const requests = new Map<string, Request>()
  const lists = new Map<string, List>()
  let terms: 'signed' | 'unsigned' = 'signed'
  /** Makes the next `left` records fail in processing. */
  let failing: { reason: string; left: number } | null = null

  function outcomeOf(event: IngestedEvent, consent: IngestedEvent['consent'], isEea: boolean): Outcome {
    if (failing !== null && failing.left > 0) {
      failing.left -= 1
      return failing.reason
    }
    const effectiveConsent = event.consent ?? consent
    if (effectiveConsent?.adUserData === 'CONSENT_DENIED') return 'PROCESSING_ERROR_REASON_DENIED_CONSENT'
    const isFullConsent =
      effectiveConsent?.adUserData === 'CONSENT_GRANTED' &&
      effectiveConsent.adPersonalization === 'CONSENT_GRANTED'
    if (isEea && !isFullConsent) return 'PROCESSING_ERROR_REASON_NO_CONSENT'
    if (Date.parse(event.eventTimestamp) < options.now().getTime() - maxAgeDays * DAY_MS)
      return 'PROCESSING_ERROR_REASON_EVENT_TOO_OLD'
    const { gclid } = event.adIdentifiers ?? {}
    if (gclid !== undefined && !/^[\w-]{5,}$/.test(gclid)) return 'PROCESSING_ERROR_REASON_INVALID_GCLID'
    return 'counted'
  }

  function recordEvent(event: IngestedEvent, action: string, accountId: string, outcome: Outcome): void {
    const key = `${action} ${event.transactionId ?? randomUUID()}`
    const before = received.get(key)
    received.set(key, {
      kind: 'conversion',
      account_id: accountId,
      conversion_action: action,
      transactionId: event.transactionId ?? null,
      conversionValue: event.conversionValue ?? before?.conversionValue ?? null,
      currency: event.currency ?? before?.currency ?? null,
      eventTimestamp: before?.eventTimestamp ?? event.eventTimestamp,
      outcome: before?.outcome === 'counted' ? 'counted' : outcome,
      times: (before?.times ?? 0) + 1,
      event,
    })
  }

  /** The parsed body with its account, or the refusal. */
  function open<
    T extends {
      destinations: {
        operatingAccount: { accountId: string }
        loginAccount?: { accountId: string } | undefined
        productDestinationId: string
      }[]
    },
  >(
    request: SandboxRequest,
    grant: Grant,
    schema: z.ZodType<T>,
  ): { body: T; accountId: string; productId: string; isEea: boolean } | SandboxReply {
    const json = readJson(request)
    const violations = violationsOf(schema, json)
    if (violations.length > 0) return badRequest(violations)
    const body = schema.parse(json)
    const [destination] = body.destinations
    const accountId = destination!.operatingAccount.accountId
    const account = parts.account(grant, accountId, destination!.loginAccount?.accountId)
    if (account === null)
      return engineError(
        403,
        'PERMISSION_DENIED',
        'The caller does not have permission for the operating account.',
      )
    return { body, accountId, productId: destination!.productDestinationId, ...account }
  }

  function accept(kind: Request['kind'], destination: unknown, outcomes: Outcome[]): SandboxReply {
    const requestId = `t-${randomUUID()}`
    requests.set(requestId, { at: options.now().getTime(), kind, outcomes, destination })
    return { status: 200, body: { requestId } }
  }

  function ingestEvents(request: SandboxRequest, grant: Grant): SandboxReply {
    const parsed = open(request, grant, IngestEvents)
    if ('status' in parsed) return parsed
    const { body, accountId, productId, isEea } = parsed
    const future = body.events.flatMap(({ eventTimestamp }, index): FieldViolation[] =>
      Date.parse(eventTimestamp) > options.now().getTime() + 60_000
        ? [
            {
              field: `events.events[${index}].event_timestamp`,
              reason: 'EVENT_TIME_INVALID',
              description: 'The event has not happened yet.',
            },
          ]
        : [],
    )
    if (future.length > 0) return badRequest(future)
    if (body.validateOnly) return { status: 200, body: {} }
    const outcomes = body.events.map((event) => {
      const outcome = outcomeOf(event, body.consent, isEea)
      recordEvent(event, productId, accountId, outcome)
      return outcome
    })
    return accept('events', body.destinations[0], outcomes)
  }

  function changeMembers(request: SandboxRequest, grant: Grant, verb: 'ingest' | 'remove'): SandboxReply {
    const parsed = open(request, grant, verb === 'ingest' ? IngestMembers : RemoveMembers)
    if ('status' in parsed) return parsed
    const { body, productId } = parsed
    const list = lists.get(productId)
    if (list === undefined) {
      return badRequest([
        {
          field: 'destinations.destinations[0].product_destination_id',
          reason: 'INVALID_USER_LIST_ID',
          description: 'User list is not valid.',
        },
      ])
    }
    const agreement = verb === 'ingest' ? IngestMembers.parse(readJson(request)).termsOfService : undefined
    const termsStatus = agreement?.customerMatchTermsOfServiceStatus
    if (
      verb === 'ingest' &&
      (termsStatus === 'REJECTED' || (termsStatus === undefined && terms === 'unsigned'))
    ) {
      return badRequest([
        {
          field: 'terms_of_service',
          reason: 'TERMS_AND_CONDITIONS_NOT_SIGNED',
          description: 'Required terms and conditions are not accepted.',
        },
      ])
    }
    for (const { userData } of body.audienceMembers) {
      const key = JSON.stringify(userData.userIdentifiers)
      if (verb === 'ingest') list.members.set(key, userData)
      else removeMatching(list, userData.userIdentifiers)
    }
    return accept(
      verb,
      body.destinations[0],
      body.audienceMembers.map(() => 'counted'),
    )
  }

  function createList(request: SandboxRequest, grant: Grant, accountId: string): SandboxReply {
    const login = /^accountTypes\/GOOGLE_ADS\/accounts\/(\d+)$/.exec(
      request.headers['login-account'] ?? '',
    )?.[1]
    if (parts.account(grant, accountId, login) === null)
      return engineError(403, 'PERMISSION_DENIED', 'The caller does not have permission.')
    const json = readJson(request)
    const violations = violationsOf(UserList, json)
    if (violations.length > 0) return badRequest(violations)
    const name = UserList.parse(json).displayName
    if ([...lists.values()].some((list) => list.name === name))
      return badRequest([
        {
          field: 'user_list.display_name',
          reason: 'ALREADY_EXISTS',
          description: 'The resource already exists.',
        },
      ])
    const id = String(7_000_000_001 + lists.size)
    lists.set(id, { id, name, members: new Map() })
    return {
      status: 200,
      body: { name: `accountTypes/GOOGLE_ADS/accounts/${accountId}/userLists/${id}`, id, displayName: name },
    }
  }

  function retrieve(request: SandboxRequest): SandboxReply {
    const ingestRequest = requests.get(request.query.get('requestId') ?? '')
    if (ingestRequest === undefined)
      return badRequest([
        { field: 'request_id', reason: 'INVALID_REQUEST_ID', description: 'The request id is not valid.' },
      ])
    const { destination } = ingestRequest
    if (options.now().getTime() - ingestRequest.at < diagnosticsAfterMs)
      return {
        status: 200,
        body: { requestStatusPerDestination: [{ destination, requestStatus: 'PROCESSING' }] },
      }
    const counts = new Map<string, number>()
    for (const outcome of ingestRequest.outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    const good = counts.get('counted') ?? 0
    counts.delete('counted')
    const requestStatus = counts.size === 0 ? 'SUCCESS' : good === 0 ? 'FAILED' : 'PARTIAL_SUCCESS'
    const errorCounts = [...counts].map(([reason, count]) => ({ recordCount: String(count), reason }))
    const total = { recordCount: String(ingestRequest.outcomes.length) }
    const status =
      ingestRequest.kind === 'events'
        ? { eventsIngestionStatus: total }
        : ingestRequest.kind === 'ingest'
          ? { audienceMembersIngestionStatus: { userDataIngestionStatus: total } }
          : { audienceMembersRemovalStatus: { userDataRemovalStatus: total } }
    const entry = {
      destination,
      requestStatus,
      ...status,
      ...(errorCounts.length === 0 ? {} : { errorInfo: { errorCounts } }),
    }
    return { status: 200, body: { requestStatusPerDestination: [entry] } }
  }

  return {
    /** Null if the path does not belong to this API. */
    route(request: SandboxRequest, grant: Grant): SandboxReply | null {
      if (!request.path.startsWith('/v1/')) return null
      if (!grant.scopes.includes(dataManagerScope)) return scopeMissing
      const list = /^\/v1\/accountTypes\/GOOGLE_ADS\/accounts\/(\d+)\/userLists$/.exec(request.path)?.[1]
      if (list !== undefined) return createList(request, grant, list)
      switch (`${request.method} ${request.path}`) {
        case 'POST /v1/events:ingest':
          return ingestEvents(request, grant)
        case 'POST /v1/audienceMembers:ingest':
          return changeMembers(request, grant, 'ingest')
        case 'POST /v1/audienceMembers:remove':
          return changeMembers(request, grant, 'remove')
        case 'GET /v1/requestStatus:retrieve':
          return retrieve(request)
        default:
          return engineError(404, 'NOT_FOUND', 'Not found')
      }
    },
    held: () => [...received.values()].map((entry) => ({ ...entry })),
    reset(): void {
      terms = 'signed'
      failing = null
    },
    /** Null if the action does not belong to this API. */
    act(action: string, args: Record<string, unknown>): Record<string, unknown> | null {
      switch (action) {
        case 'refuse_terms':
          terms = args.on === false ? 'signed' : 'unsigned'
          return { terms }
        case 'fail_processing':
          failing = {
            reason: textArg(args, 'reason') ?? 'PROCESSING_ERROR_REASON_INVALID_EVENT',
            left: numberArg(args, 'count') ?? 1,
          }
          return failing
        case 'customer_lists':
          return {
            lists: [...lists.values()].map(({ id, name, members }) => ({
              id,
              name,
              members: [...members.values()],
            })),
          }
        default:
          return null
      }
    },
  }
}

const scopeMissing = engineError(
  403,
  'PERMISSION_DENIED',
  'Request had insufficient authentication scopes.',
  {
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
        domain: 'googleapis.com',
        metadata: { service: 'datamanager.googleapis.com' },
      },
    ],
  },
)

function badRequest(fieldViolations: FieldViolation[]): SandboxReply {
  return engineError(400, 'INVALID_ARGUMENT', 'There was a problem with the request.', {
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'INVALID_ARGUMENT',
        domain: 'datamanager.googleapis.com',
      },
      { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations },
      { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: `t-${randomUUID()}` },
    ],
  })
}
