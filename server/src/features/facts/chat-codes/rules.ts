/** Events of chat codes. Pure. */
import { identifierKinds } from '@whence/engine'
import { findChatCode, readChatCode } from '../../../platform/contract/chat-codes.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { hashOf } from '../events/rules.ts'
import type { NewEvent, StoredTouch } from '../events/stored.ts'
import { toTouch } from '../events/touch.ts'
import type { IdentifierRef } from '../identity/identifiers.ts'

/** The code that a chat link carries, in its prefilled text or its `ref`. */
export function codeOfLink(href: string): string | null {
  const query = URL.parse(href)?.searchParams
  const text = query?.get('text')
  return readChatCode(query?.get('ref') ?? '') ?? (text ? findChatCode(text) : null)
}

const byStrength = (a: IdentifierRef, b: IdentifierRef) =>
  identifierKinds.indexOf(a.kind) - identifierKinds.indexOf(b.kind)

export type CodeUse = {
  profileId: string
  codeHash: string
  identifiers: readonly IdentifierRef[]
  provider: string | null
  conversationId: string | null
  connectionId: string | null
  occurredAt: Date
  now: Date
}

/** Links the visitor with the writer, or gives the writer the touch of a short link. */
export function toCodeEvent(use: CodeUse, found: { visitor?: string; touch?: StoredTouch }): NewEvent {
  const visitor: IdentifierRef[] =
    found.visitor === undefined ? [] : [{ kind: 'anonymous_id', id: found.visitor }]
  return {
    id: uuidv5(use.profileId, `chat_code:${use.codeHash}`),
    occurredAt: use.occurredAt,
    receivedAt: use.now,
    source: 'integration',
    provider: use.provider,
    externalId: use.conversationId,
    name: 'chat_code_used',
    anonymousId: null,
    sessionId: null,
    isBot: false,
    contentHash: hashOf(['chat_code_used', use.codeHash, found.visitor ?? null]),
    body: {
      identifiers: [...use.identifiers, ...visitor].sort(byStrength),
      ...(use.connectionId === null ? {} : { connection_id: use.connectionId }),
      ...(found.visitor === undefined ? {} : { evidence: 'chat_code' as const }),
      ...(found.touch === undefined ? {} : { touch: found.touch }),
    },
  }
}

/** The click on a short link, at its time; it counts as an arrival although no page of the business was seen. */
export function touchOfLink(code: {
  effective_source: string | null
  effective_medium: string | null
  effective_campaign: string | null
  ad: Record<string, string> | null
  created_at: Date
}): StoredTouch | undefined {
  const touch = toTouch({
    utm: {
      source: code.effective_source ?? '',
      medium: code.effective_medium ?? '',
      campaign: code.effective_campaign ?? '',
    },
    clickIds: {},
    ad: code.ad ?? {},
    referrer: null,
    url: null,
    sessionStart: true,
    origin: 'conversation_referral',
  })
  return touch === null ? undefined : { ...touch, at: code.created_at.toISOString() }
}
