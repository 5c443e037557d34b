/** What stays of an event when its person is erased: what happened and how much money it brought. Pure. */
import { hashOf } from './rules.ts'
import { type EventBody, noTraces, type StoredEvent, type StoredTouch } from './stored.ts'

/** What a later version of the event leaves as it is. */
export type Anonymous = Pick<EventBody, 'touch' | 'subject_ref' | 'order_ref'> & { erasedAs: string }

/** The words of a touch that the profile's own channel rules are about. */
export type KeptSource = Partial<Pick<StoredTouch, 'utm_source' | 'referrer_host'>>

/**
 * `subjectOf` gives subjects new names: a subject with a first payment of its own keeps it, and the new name identifies
 * no one. `keptSourceOf` returns the words of a touch that may stay.
 */
export function toAnonymous(
  body: EventBody,
  erasedAs: string,
  {
    subjectOf,
    keptSourceOf,
  }: { subjectOf: (subjectRef: string) => string; keptSourceOf: (touch: StoredTouch) => KeptSource },
): Anonymous {
  return {
    erasedAs,
    ...(body.touch === undefined ? {} : { touch: withoutTraces(body.touch, keptSourceOf(body.touch)) }),
    ...(body.order_ref === undefined ? {} : { order_ref: body.order_ref }),
    ...(body.subject_ref === undefined ? {} : { subject_ref: subjectOf(body.subject_ref) }),
  }
}

type Words = Pick<StoredEvent, 'anonymousId' | 'sessionId' | 'externalId' | 'body'>

export function withoutPerson<T extends Words>(event: T, { erasedAs, ...kept }: Anonymous): T {
  const { connection_id, money, payment_status, retracted, settled } = event.body
  return {
    ...event,
    anonymousId: null,
    sessionId: null,
    externalId: null,
    body: {
      identifiers: [],
      erased_as: erasedAs,
      ...kept,
      ...(connection_id === undefined ? {} : { connection_id }),
      ...(money === undefined ? {} : { money }),
      ...(payment_status === undefined ? {} : { payment_status }),
      ...(retracted === undefined ? {} : { retracted }),
      ...(settled === undefined ? {} : { settled }),
    },
  }
}

/** Which ad it was stays; by which click, page and link does not. */
function withoutTraces(touch: StoredTouch, kept: KeptSource): StoredTouch {
  return { ...touch, ...noTraces, ...kept }
}

/** Over what is kept, so that an equal re-send changes nothing and the sender's words about the person leave no print. */
export function anonymousHash(event: Pick<StoredEvent, 'name' | 'occurredAt' | 'body'>): Buffer {
  const { money, payment_status, retracted } = event.body
  return hashOf([event.name, event.occurredAt.toISOString(), money, payment_status, retracted])
}
