/** Joins a visit with the conversation that its chat link started: once per code, and never two known people. */
import { identifierKinds } from '@whence/engine'
import type { z } from 'zod'
import type { ProfileContext, Service } from '../../../context.ts'
import { readChatCode } from '../../../platform/contract/chat-codes.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { writeEvents } from '../events/queries.ts'
import type { NewEvent } from '../events/stored.ts'
import { toIdentifiers } from '../identity/identifiers.ts'
import { identityScope } from '../identity/scope.ts'
import type { resolveChatCode as Resolve } from './contract.ts'
import * as queries from './queries.ts'
import { type CodeUse, codeOfLink, toCodeEvent, touchOfLink } from './rules.ts'

const ANONYMOUS = identifierKinds.indexOf('anonymous_id')
const MAX_CODES_PER_DAY = 50

export type CodeResult = { linked: boolean; reason: 'used' | 'expired' | 'unknown' | 'known_person' | null }
type Joined = CodeResult & { events: NewEvent[] }

/** The caller holds the profile's lock and writes the events. */
export async function joinCode(tx: Tx, use: CodeUse): Promise<Joined> {
  const { profileId, conversationId } = use
  const codeHash = Buffer.from(use.codeHash, 'hex')
  const refuse = (reason: CodeResult['reason']): Joined => ({ linked: false, reason, events: [] })
  const code = await queries.findCode(tx, { profileId, codeHash })
  if (code === undefined) {
    if (conversationId !== null)
      await queries.insertUnknownCode(tx, {
        profileId,
        codeHash,
        conversationId,
        usedAt: use.occurredAt,
        now: use.now,
      })
    return refuse('unknown')
  }
  if (code.used_at !== null) {
    if (code.conversation_id !== conversationId || conversationId === null)
      await queries.countRepeat(tx, { profileId, codeHash })
    return refuse('used')
  }
  if (code.created_at < queries.oldestUsable(use.now)) return refuse('expired')
  await queries.markUsed(tx, { profileId, codeHash, conversationId, usedAt: use.occurredAt })
  if (code.visitor_identifier_id === null) {
    const touch = touchOfLink(code)
    return { linked: true, reason: null, events: touch === undefined ? [] : [toCodeEvent(use, { touch })] }
  }
  if (await areTwoKnown(tx, use, code.visitor_identifier_id)) return refuse('known_person')
  return { linked: true, reason: null, events: [toCodeEvent(use, { visitor: code.visitor_identifier_id })] }
}

async function areTwoKnown(tx: Tx, use: CodeUse, visitorId: string): Promise<boolean> {
  const ids = [visitorId, ...use.identifiers.map(({ id }) => id)]
  const known = await queries.knownCustomersOf(tx, {
    profileId: use.profileId,
    ids,
    anonymousKind: ANONYMOUS,
  })
  const visitor = known.get(visitorId)
  return (
    visitor !== undefined &&
    use.identifiers.some(({ id }) => known.has(id)) &&
    use.identifiers.every(({ id }) => known.get(id) !== visitor)
  )
}

/** Stores the codes of chat links that visitors followed. A message may have arrived before its click. */
export async function rememberCodes(
  service: Service,
  profileId: string,
  events: readonly NewEvent[],
): Promise<void> {
  for (const event of events) {
    const { properties, identifiers, page } = event.body
    const href = event.name === 'chat_click' && !event.isBot ? properties?.href : undefined
    const code = typeof href === 'string' ? codeOfLink(href) : null
    const visitor = identifiers.find(({ kind }) => kind === 'anonymous_id')
    if (code === null || visitor === undefined) continue
    const { db } = await service.nodes.of(profileId)
    const now = event.receivedAt
    const since = new Date(now.getTime() - DAY_MS)
    const params = { profileId, visitorIdentifierId: visitor.id }
    if ((await queries.countCodesOfVisitor(db, { ...params, since })) >= MAX_CODES_PER_DAY) continue
    await inTransaction(db, async (tx) => {
      await lockProfile(tx, profileId)
      const waiting = await queries.insertCodes(tx, [
        {
          ...params,
          codeHash: queries.hashOfCode(code),
          eventId: event.id,
          shortLinkId: null,
          pagePath: URL.parse(page?.url ?? '')?.pathname.slice(0, 512) ?? null,
          now,
        },
      ])
      for (const { code_hash, conversation_id: conversationId, used_at: occurredAt } of waiting) {
        const writer = await queries.findWriter(tx, { profileId, conversationId })
        if (writer === undefined) continue
        const use: CodeUse = {
          profileId,
          codeHash: code_hash.toString('hex'),
          identifiers: [{ kind: identifierKinds[writer.kind]!, id: writer.id }],
          provider: writer.channel,
          conversationId,
          connectionId: null,
          occurredAt,
          now,
        }
        if (!(await areTwoKnown(tx, use, visitor.id)))
          await writeEvents(tx, { profileId, events: [toCodeEvent(use, { visitor: visitor.id })] })
      }
    })
  }
}

export async function resolveChatCode(
  context: ProfileContext,
  body: z.output<(typeof Resolve)['body'] & object>,
): Promise<CodeResult> {
  const { service, profile, now } = context
  const { customer } = body
  const identifiers = toIdentifiers(
    {
      externalId: customer.external_ref ?? null,
      email: customer.email ?? null,
      phone: customer.phone ?? null,
    },
    identityScope(service, profile),
  )
  if (identifiers.length === 0)
    throw new ApiError('validation_error', 'must have an external_ref, a valid email or a valid phone.', {
      field: 'customer',
    })
  const code = readChatCode(body.code)
  if (code === null) return { linked: false, reason: 'unknown' }
  // Recent events may have made the visitor or the person known.
  await service.processor.settled(profile.id)
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profile.id)
    const { events, ...result } = await joinCode(tx, {
      profileId: profile.id,
      codeHash: queries.hashOfCode(code).toString('hex'),
      identifiers,
      provider: null,
      conversationId: null,
      connectionId: null,
      occurredAt: new Date(body.occurred_at),
      now,
    })
    if (events.length > 0) await writeEvents(tx, { profileId: profile.id, events })
    return result
  })
}
