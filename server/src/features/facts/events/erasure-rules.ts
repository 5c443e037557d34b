/** The anonymous version of an event after an erasure: name, time and money remain. Pure. */
import { hashOf } from './rules.ts'
import { type EventBody, noTraces, type StoredEvent, type StoredTouch } from './stored.ts'

/** Fields of the anonymous event that later versions do not change. */
export type AnonymousPart = Pick<EventBody, 'touch' | 'subject_ref' | 'order_ref'> & { erasedAs: string }

/** The source fields of a touch that match a channel override of the profile. */
export type KeptSource = Partial<Pick<StoredTouch, 'utm_source' | 'referrer_host'>>

/**
 * `subjectOf` replaces subject references by random ones, so that a subject keeps its own first payment but is not
 * identifiable. `keptSourceOf` returns the source fields that may remain.
 */
export function toAnonymous(
  body: EventBody,
  erasedAs: string,
  {
    subjectOf,
    keptSourceOf,
  }: { subjectOf: (subjectRef: string) => string; keptSourceOf: (touch: StoredTouch) => KeptSource },
): AnonymousPart {
  return {
    erasedAs,
    ...(body.touch === undefined ? {} : { touch: withoutTraces(body.touch, keptSourceOf(body.touch)) }),
    ...(body.order_ref === undefined ? {} : { order_ref: body.order_ref }),
    ...(body.subject_ref === undefined ? {} : { subject_ref: subjectOf(body.subject_ref) }),
  }
}

type PersonalFields = Pick<StoredEvent, 'anonymousId' | 'sessionId' | 'externalId' | 'body'>

export function withoutPerson<T extends PersonalFields>(
  event: T,
  { erasedAs, ...anonymousFields }: AnonymousPart,
): T {
  const { connection_id, money, payment_status, refund_of, retracted, settled } = event.body
  return {
    ...event,
    anonymousId: null,
    sessionId: null,
    externalId: null,
    body: {
      identifiers: [],
      erased_as: erasedAs,
      ...anonymousFields,
      ...(connection_id === undefined ? {} : { connection_id }),
      ...(money === undefined ? {} : { money }),
      ...(refund_of === undefined ? {} : { refund_of }),
      ...(payment_status === undefined ? {} : { payment_status }),
      ...(retracted === undefined ? {} : { retracted }),
      ...(settled === undefined ? {} : { settled }),
    },
  }
}

/** Keeps the ad; removes click id, page and UTM parameters. */
function withoutTraces(touch: StoredTouch, keptSource: KeptSource): StoredTouch {
  return { ...touch, ...noTraces, ...keptSource }
}

/** Hash of the remaining fields only: sending an equal event again changes nothing, and no hash of personal data is stored. */
export function anonymousHash(event: Pick<StoredEvent, 'name' | 'occurredAt' | 'body'>): Buffer {
  const { money, payment_status, retracted } = event.body
  return hashOf([event.name, event.occurredAt.toISOString(), money, payment_status, retracted])
}
