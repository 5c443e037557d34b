/** What the sandbox's people wrote to the business after a click on an ad, and when it was answered. Pure. */

import type { SandboxPerson } from '@whence/sandbox/world.ts'
import type { MessageRecord } from '../../../connectors/connector.ts'
import { seededDigits, seededRandom } from '../../../platform/seeded-random.ts'

const MINUTE_MS = 60_000
const ACCOUNT_ID = seededDigits(15, 'demo chat account')
/** So many of those who came by an ad of the social platform for a consultation ask a question first. */
const WRITES = 0.35
const ANSWERED = 0.8

export function conversationsOf(people: readonly SandboxPerson[], now: Date): MessageRecord[] {
  return people
    .filter((person) => person.source === 'social' && person.kind === 'consultation')
    .flatMap((person) => conversationOf(person, now))
}

function conversationOf(person: SandboxPerson, now: Date): MessageRecord[] {
  const random = seededRandom('demo conversation', person.id)
  if (person.click === null || !random.chance(WRITES)) return []
  const at = person.arrivedAt.getTime() + random.int(1, 9) * MINUTE_MS
  const message = {
    type: 'message',
    channel: 'chatapp',
    accountId: ACCOUNT_ID,
    personId: seededDigits(15, 'demo chat', person.id),
    phone: person.phone,
    name: `${person.firstName} ${person.lastName}`,
  } as const
  const first: MessageRecord = {
    ...message,
    kind: 'message',
    externalId: seededDigits(20, 'demo message', person.id),
    occurredAt: new Date(at).toISOString(),
    referral: { source: 'ad', adId: person.click.adId, clickId: null },
  }
  const answeredAt = new Date(at + random.int(2, 90) * MINUTE_MS)
  const reply: MessageRecord = {
    ...message,
    kind: 'reply',
    externalId: seededDigits(20, 'demo reply', person.id),
    occurredAt: answeredAt.toISOString(),
    referral: null,
  }
  if (at > now.getTime()) return []
  return random.chance(ANSWERED) && answeredAt <= now ? [first, reply] : [first]
}
