/** Conversations of the sandbox's people with the business after a click on an ad, with replies. Pure. */

import type { SandboxPerson } from '@whence/sandbox/world.ts'
import type { MessageRecord } from '../../../connectors/connector.ts'
import { seededDigits, seededRandom } from '../../../platform/seeded-random.ts'

const MINUTE_MS = 60_000
const ACCOUNT_ID = seededDigits(15, 'demo chat account')
/** Share of the people from the social platform's ads who write before booking a consultation. */
const MESSAGE_SHARE = 0.35
const REPLY_SHARE = 0.8

export function buildConversations(people: readonly SandboxPerson[], now: Date): MessageRecord[] {
  return people
    .filter((person) => person.source === 'social' && person.kind === 'consultation')
    .flatMap((person) => buildConversation(person, now))
}

function buildConversation(person: SandboxPerson, now: Date): MessageRecord[] {
  const random = seededRandom('demo conversation', person.id)
  if (person.click === null || !random.chance(MESSAGE_SHARE)) return []
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
  return random.chance(REPLY_SHARE) && answeredAt <= now ? [first, reply] : [first]
}
