import type { ProfileContext, ProfileRef, Service } from '../../../context.ts'
import { recordInProfile } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { accepted, Refusal } from '../../../platform/contract/refusal.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import type { NewEvent } from '../../facts/events/stored.ts'
import { orderOf, toIdentifiers } from '../../facts/identity/identifiers.ts'
import { findLiveCustomer } from '../../facts/identity/members.ts'
import { identityScope } from '../../facts/identity/scope.ts'
import type { VocabularyEntry } from './contract.ts'
import { listEntries, replaceEntries, saveAnswer } from './queries.ts'
import { fullVocabulary, question, readAnswer, refuseVocabulary } from './rules.ts'

export async function loadVocabulary(db: Db | Tx, profileId: string): Promise<VocabularyEntry[]> {
  return fullVocabulary(await listEntries(db, { profileId }))
}

export async function getDeclaredVocabulary({ db, profile }: ProfileContext) {
  return {
    question_en: question.en,
    question_es: question.es,
    entries: await loadVocabulary(db, profile.id),
  }
}

export async function saveDeclaredVocabulary(
  context: ProfileContext,
  { entries }: { entries: readonly Omit<VocabularyEntry, 'is_own'>[] },
) {
  const problem = refuseVocabulary(entries)
  if (problem !== null) accepted(problem)
  const profileId = context.profile.id
  await inTransaction(context.db, async (tx) => {
    await replaceEntries(tx, { profileId, entries })
    await recordInProfile(tx, context, {
      action: 'declared_vocabulary.changed',
      subject: profileId,
      detail: { after: { keys: entries.map((entry) => entry.key) } },
    })
  })
  return getDeclaredVocabulary(context)
}

type Customer = { external_ref?: string | undefined; email?: string | undefined; phone?: string | undefined }

export async function declareSource(
  context: ProfileContext,
  body: {
    answer_key: string
    answer_text?: string | undefined
    customer?: Customer | undefined
    order_id?: string | undefined
    asked_at: string
    idempotency_key: string
  },
): Promise<{ id: string }> {
  const { service, profile, now, db } = context
  const answer = accepted(
    readAnswer(
      {
        answerKey: body.answer_key,
        answerText: body.answer_text ?? null,
        askedAt: new Date(body.asked_at),
      },
      await loadVocabulary(db, profile.id),
      now,
    ),
  )
  const orderRef = orderOf(body.order_id, profile.id, service.identityPepper).order_ref ?? null
  if (body.order_id !== undefined && orderRef === null)
    throw new ApiError('validation_error', 'is not a usable order id.', { field: 'order_id' })
  const id = uuidv5(profile.id, `declared:${body.idempotency_key}`)
  await saveAnswer(db, {
    ...answer,
    profileId: profile.id,
    id,
    identifierId: body.customer === undefined ? null : await identifierOf(context, body.customer),
    orderRef,
    source: 'api',
    now,
  })
  return { id }
}

/** The external id if a customer has it; otherwise the email or phone, whether or not a customer has it. */
async function identifierOf(context: ProfileContext, customer: Customer): Promise<string> {
  const { service, profile } = context
  const identifiers = toIdentifiers(
    {
      externalId: customer.external_ref ?? null,
      email: customer.email ?? null,
      phone: customer.phone ?? null,
    },
    identityScope(service, profile),
  )
  const reference = identifiers.find(({ kind }) => kind === 'external_id')
  const contact = identifiers.find(({ kind }) => kind !== 'external_id')
  if (reference !== undefined && (await isKnown(context, reference.id))) return reference.id
  if (contact !== undefined) return contact.id
  if (reference !== undefined)
    throw new ApiError(
      'unknown_customer_ref',
      'no customer of this profile has it; also send customer.email or customer.phone.',
      { field: 'customer.external_ref' },
    )
  throw new ApiError('validation_error', 'must have an external_ref, a valid email or a valid phone.', {
    field: 'customer',
  })
}

async function isKnown({ db, service, profile }: ProfileContext, identifierId: string): Promise<boolean> {
  const find = () => findLiveCustomer(db, { profileId: profile.id, identifierId })
  if ((await find()) !== undefined) return true
  // The customer may come from recent events that are not processed yet.
  await service.processor.settled(profile.id)
  return (await find()) !== undefined
}

/** Name of the tracker event that reports an answer. */
export const DECLARED_EVENT = 'declared_source'

/** Stores an answer that the tracker reports, for the visitor and, if given, the order. */
export async function declareFromVisit(
  service: Service,
  profile: Pick<ProfileRef, 'id'>,
  event: NewEvent,
): Promise<Refusal | null> {
  const { answer_key: answerKey, answer_text: answerText } = event.body.properties ?? {}
  const { db } = await service.nodes.of(profile.id)
  const answer = readAnswer(
    {
      answerKey: typeof answerKey === 'string' ? answerKey : '',
      answerText: typeof answerText === 'string' ? answerText.slice(0, 200) : null,
      askedAt: event.occurredAt ?? event.receivedAt,
    },
    await loadVocabulary(db, profile.id),
    event.receivedAt,
  )
  if (answer instanceof Refusal) return answer
  if (event.isBot) return null
  await saveAnswer(db, {
    ...answer,
    profileId: profile.id,
    id: event.id,
    identifierId: event.body.identifiers[0]?.id ?? null,
    orderRef: event.body.order_ref ?? null,
    source: 'tracker',
    now: event.receivedAt,
  })
  return null
}
