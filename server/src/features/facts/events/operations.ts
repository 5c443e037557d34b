import type { ProfileContext } from '../../../context.ts'
import type { ErrorCode } from '../../../platform/contract/error-catalogue.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { parseAs } from '../../../platform/contract/parse.ts'
import { accepted, Refusal, toError, toRefusal } from '../../../platform/contract/refusal.ts'
import { keyOwner } from '../../../platform/http/idempotency.ts'
import { Unreadable } from '../../../platform/http/json.ts'
import type { IngestStatus } from '../../../platform/ports.ts'
import { EventInput } from './contract.ts'
import { type EventNames, loadEventNames } from './event-names.ts'
import { identityWarnings, warningsOf } from './name-rules.ts'
import { inKeyedBatch, inRequestOrder, toNewEvent } from './rules.ts'
import type { NewEvent } from './stored.ts'

export async function sendEvent(context: ProfileContext, body: EventInput, headerKey: string | null) {
  spend(context, 1)
  const names = await loadEventNames(context)
  const event = accepted(toNewEvent({ ...body, ...keyOf(body, headerKey) }, settingOf(context, names)))
  const [status] = await context.service.ingest.add(context.profile.id, [event])
  if (status === 'retracted') throw retracted()
  return {
    event_id: event.id,
    status: status as Exclude<IngestStatus, 'retracted'>,
    ...evaluateName(event, names),
  }
}

/** The goals that count the event's name, and warnings. */
function evaluateName(event: NewEvent, { goals }: EventNames) {
  return {
    counts_as: [...(goals.get(event.name) ?? [])],
    warnings: [
      ...warningsOf({ name: event.name, hasMoney: event.body.money !== undefined }, goals),
      ...identityWarnings(
        {
          name: event.name,
          hasIdentity: event.body.identifiers.length > 0,
          phone: event.body.traits?.phone ?? null,
        },
        goals,
      ),
    ],
  }
}

const NO_PROFILE = '00000000-0000-0000-0000-000000000000'
/** The currency with the most decimals, for events without a currency: that of the profile is not known here. */
const ANY_CURRENCY = 'CLF'

/** Validates an event without a profile: throws what every profile would reject. */
export function validateEvent(
  body: EventInput,
  headerKey: string | null,
  { service, now }: Pick<ProfileContext, 'service' | 'now'>,
): void {
  const setting = {
    profileId: NO_PROFILE,
    currency: ANY_CURRENCY,
    country: null,
    pepper: service.identityPepper,
    now,
  }
  accepted(toNewEvent({ ...body, ...keyOf(body, headerKey) }, setting))
}

/** Applies the rate limit of the profile. In memory: the limit costs no database write. */
function spend(context: ProfileContext, events: number): void {
  const wait = context.service.ingestLimit.spend(context.profile.id, events)
  if (wait > 0)
    throw new ApiError('rate_limit_exceeded', 'Too many events per second for this profile.', {
      retryAfter: wait,
    })
}

function keyOf(body: EventInput, headerKey: string | null): { idempotency_key?: string } {
  const key = body.idempotency_key ?? headerKey
  if (key === headerKey && key !== null && !/^[\x20-\x7e]{1,255}$/.test(key))
    throw new ApiError('invalid_parameter', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
  return key === null || key === undefined ? {} : { idempotency_key: key }
}

function settingOf(context: ProfileContext, names: EventNames) {
  return {
    exportedNames: names.exported,
    profileId: context.profile.id,
    currency: context.profile.currency,
    pepper: context.service.identityPepper,
    country: context.profile.country,
    now: context.now,
  }
}

function retracted(): ApiError {
  return new ApiError(
    'invalid_state',
    'The event with this idempotency_key was retracted. Send the outcome with a new key.',
    {
      reason: 'event_retracted',
    },
  )
}

type Result = ReturnType<typeof evaluateName> & {
  index: number
  event_id: string | null
  status: 'accepted' | 'updated' | 'unchanged' | 'refused'
  error: { code: ErrorCode; message: string; status: number; reason?: string } | null
}

/** With an Idempotency-Key, a repeated request finds the events that have no key of their own. */
export async function sendEvents(
  context: ProfileContext,
  events: readonly unknown[],
  headerKey: string | null,
) {
  spend(context, events.length)
  const names = await loadEventNames(context)
  const setting = settingOf(context, names)
  const owner = keyOwner(context.caller)
  const results: Result[] = []
  const good: { index: number; event: NewEvent }[] = []
  for (const [index, raw] of events.entries()) {
    const input = parseEvent(raw)
    const event = input instanceof Refusal ? input : toNewEvent(input, setting)
    if (event instanceof Refusal) results[index] = refusedResult(index, toError(event))
    else if (headerKey === null || event.externalId !== null) good.push({ index, event })
    else good.push({ index, event: inKeyedBatch(event, { owner, headerKey, index, ...setting }) })
  }
  const statuses = await context.service.ingest.add(
    context.profile.id,
    inRequestOrder(good.map((entry) => entry.event)),
  )
  for (const [at, { index, event }] of good.entries()) {
    const status = statuses[at]!
    results[index] =
      status === 'retracted'
        ? refusedResult(index, retracted())
        : { index, event_id: event.id, status, ...evaluateName(event, names), error: null }
  }
  for (const { index, error } of results)
    if (error !== null)
      context.service.refusals.add({
        profileId: context.profile.id,
        requestId: context.requestId,
        ...error,
        event: events[index],
      })
  const count = (status: Result['status']) => results.filter((result) => result.status === status).length
  return {
    results,
    accepted: count('accepted'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    refused: count('refused'),
  }
}

function parseEvent(raw: unknown): EventInput | Refusal {
  if (raw instanceof Unreadable) return new Refusal('invalid_request', raw.message)
  const parsed = parseAs(EventInput, raw, 'The event')
  return parsed.ok ? parsed.value : toRefusal('validation_error', parsed)
}

function refusedResult(index: number, error: ApiError): Result {
  const { reason } = error.extras
  return {
    index,
    event_id: null,
    status: 'refused',
    counts_as: [],
    warnings: [],
    error: {
      code: error.code,
      message: error.message,
      status: error.status,
      ...(reason === undefined ? {} : { reason }),
    },
  }
}
