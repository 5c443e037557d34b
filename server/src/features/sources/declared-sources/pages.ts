/** The question as a page linked from mails, for an order or for a customer identified by a link token. */
import type { ProfileRef, Service } from '../../../context.ts'
import { authenticateTrackingKey } from '../../../platform/access/authenticate.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { Refusal } from '../../../platform/contract/refusal.ts'
import {
  type PageReply,
  type PageRequest,
  type PageRoute,
  readForm,
} from '../../../platform/http/page-route.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { orderOf } from '../../facts/identity/identifiers.ts'
import { LINK_PARAMETER } from '../../facts/link-tokens/contract.ts'
import { findLinkedCustomer } from '../../facts/link-tokens/operations.ts'
import { loadVocabulary } from './operations.ts'
import { languageOf, pageHeaders, questionPage, thanksPage, unknownPage } from './page.ts'
import { saveAnswer } from './queries.ts'
import { readAnswer } from './rules.ts'

const path = '/ask/{key}'

export const declaredSourcePages: readonly PageRoute[] = [
  { method: 'GET', path, handle: handleQuestion },
  { method: 'POST', path, bodyLimit: 8192, handle: handleQuestion },
]

async function handleQuestion(service: Service, request: PageRequest): Promise<PageReply> {
  const form = request.method === 'POST' ? (readForm(request) ?? {}) : undefined
  const fields = form ?? request.query
  const language = languageOf(fields, request.headers['accept-language'])
  const page = (status: number, body: PageReply['body']) => ({ status, headers: pageHeaders, body })
  const profile = await profileOf(service, request.params.key ?? '')
  const subject = profile && (await subjectOf(service, profile, fields))
  if (!profile || !subject || service.ingestLimit.spend(profile.id, 1) > 0)
    return page(404, unknownPage(language))
  const { db } = await service.nodes.of(profile.id)
  const vocabulary = await loadVocabulary(db, profile.id)
  const hidden = { ...subject.hidden, lang: language }
  if (form === undefined) return page(200, questionPage(language, vocabulary, hidden, false))
  const now = service.clock.now()
  const submitted = { answerKey: form.answer_key ?? '', answerText: (form.answer_text ?? '').slice(0, 200) }
  const answer = readAnswer({ ...submitted, askedAt: now }, vocabulary, now)
  if (answer instanceof Refusal) return page(422, questionPage(language, vocabulary, hidden, true))
  const { identifierId, orderRef } = subject
  await saveAnswer(db, {
    ...answer,
    profileId: profile.id,
    // One answer per order or customer; a later one replaces it.
    id: uuidv5(profile.id, `asked:${orderRef ?? identifierId}`),
    identifierId,
    orderRef,
    source: 'hosted',
    now,
  })
  return page(200, thanksPage(language))
}

async function profileOf(service: Service, key: string): Promise<ProfileRef | undefined> {
  const profileId = await authenticateTrackingKey(service, key)
  return profileId === undefined ? undefined : findProfileRef(service.db, { profileId })
}

type Subject = { identifierId: string | null; orderRef: string | null; hidden: Record<string, string> }

async function subjectOf(
  service: Service,
  profile: ProfileRef,
  fields: Record<string, string>,
): Promise<Subject | undefined> {
  const orderId = fields.order_id
  const order = orderId ? orderOf(orderId, profile.id, service.identityPepper) : {}
  if (order.order_ref !== undefined)
    return { identifierId: null, orderRef: order.order_ref, hidden: { order_id: order.order_id! } }
  const token = fields[LINK_PARAMETER]
  const customer = token && (await findLinkedCustomer(service, profile.id, token, service.clock.now()))
  if (!token || !customer) return undefined
  return { identifierId: customer.id, orderRef: null, hidden: { [LINK_PARAMETER]: token } }
}
