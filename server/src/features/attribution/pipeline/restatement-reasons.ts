/** Reasons why the events of a batch change the credit of closed days. Pure. */
import type { QueuedEvent } from '../../facts/events/queue.ts'
import type { Cause } from '../../facts/restatements/causes.ts'
import type { ReasonOf } from '../crediting/incremental/difference.ts'

/** The cause of an event applies to its own conversion and to other conversions of its customer. */
export function reasonsOf(
  entries: readonly QueuedEvent[],
  batch: { cause?: Cause | undefined; customerOf: (eventId: string) => string | undefined },
): ReasonOf {
  let causes: { byEvent: Map<string, Cause>; byCustomer: Map<string, Cause>; other: Cause } | undefined
  const read = () => {
    const byEvent = new Map(entries.map((entry) => [entry.eventId, causeOf(entry)]))
    const byCustomer = new Map<string, Cause>()
    for (const [eventId, cause] of byEvent) {
      const customer = batch.customerOf(eventId)
      if (customer !== undefined && !byCustomer.has(customer)) byCustomer.set(customer, cause)
    }
    const update = entries.find((entry) => entry.isUpdate)
    return { byEvent, byCustomer, other: update === undefined ? ('late_event' as const) : causeOf(update) }
  }
  return ({ conversionId, eventId, customerId }) => {
    causes ??= read()
    const cause =
      batch.cause ??
      causes.byEvent.get(eventId ?? '') ??
      causes.byCustomer.get(customerId ?? '') ??
      causes.other
    // Restatements of an erasure contain no ids of the person's data.
    return { cause, fact: cause === 'erasure' ? null : { type: 'conversion', id: conversionId } }
  }
}

/** The cause for rows derived from an event of the batch. */
export function causesOf(
  entries: readonly QueuedEvent[],
  cause: Cause | undefined,
): (eventId: string) => Cause {
  let byEvent: Map<string, Cause> | undefined
  return (eventId) => {
    byEvent ??= new Map(entries.map((entry) => [entry.eventId, causeOf(entry)]))
    return cause ?? byEvent.get(eventId) ?? 'late_event'
  }
}

function causeOf({ isUpdate, event, cause }: QueuedEvent): Cause {
  if (cause) return cause
  if (isUpdate) return event === null ? 'retraction' : 'updated_event'
  if (event?.name === 'identity_repaired') return 'repair'
  return event?.source === 'integration' ? 'connection_backfill' : 'late_event'
}
