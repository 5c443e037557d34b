/** Pure: why the events of a batch change the credit of closed days. */
import type { QueuedEvent } from '../../facts/events/queue.ts'
import type { Cause } from '../../facts/restatements/causes.ts'
import type { ReasonOf } from '../crediting/incremental/difference.ts'

/** The event's own conversion changes for the event's cause; another one of its customer for it too. */
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
    const again = entries.find((entry) => entry.isUpdate)
    return { byEvent, byCustomer, other: again === undefined ? ('late_event' as const) : causeOf(again) }
  }
  return ({ conversionId, eventId, customerId }) => {
    causes ??= read()
    const cause =
      batch.cause ??
      causes.byEvent.get(eventId ?? '') ??
      causes.byCustomer.get(customerId ?? '') ??
      causes.other
    // What is left of an erased person is not named.
    return { cause, fact: cause === 'erasure' ? null : { type: 'conversion', id: conversionId } }
  }
}

/** Of what an event of the batch itself made. */
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
