/**
 * Accepts messages of the business under the platform's conditions: the messaging window, approved features, a payment
 * method; and reports their delivery status later. Errors as listed under "Common Error Codes" of the
 * Messenger Platform (2026-03-18) and "Error codes" of the WhatsApp Business Platform (2026-05-15), read on 2026-11-17.
 */

import { z } from 'zod'
import { DAY_MS } from '../days.ts'
import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import { graphError, readJson } from './replies.ts'

const ThreadMessage = z.strictObject({
  recipient: z.strictObject({ id: z.string().min(1) }),
  messaging_type: z.enum(['RESPONSE', 'UPDATE', 'MESSAGE_TAG']),
  tag: z.enum(['HUMAN_AGENT', 'ACCOUNT_UPDATE', 'POST_PURCHASE_UPDATE', 'CONFIRMED_EVENT_UPDATE']).optional(),
  message: z.strictObject({ text: z.string().min(1).max(2000), metadata: z.string().max(1000).optional() }),
})

const media = z.strictObject({ id: z.string(), caption: z.string().optional() }).optional()
const ChatMessage = z.strictObject({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.literal('individual').optional(),
  to: z.string().optional(),
  recipient: z.string().optional(),
  type: z.enum(['text', 'template', 'image', 'video', 'audio', 'document']),
  text: z.strictObject({ body: z.string().min(1).max(4096), preview_url: z.boolean().optional() }).optional(),
  template: z
    .strictObject({
      name: z.string(),
      language: z.strictObject({ code: z.string() }),
      components: z.array(z.looseObject({ type: z.string() })).optional(),
    })
    .optional(),
  image: media,
  video: media,
  audio: media,
  document: media,
  biz_opaque_callback_data: z.string().max(512).optional(),
})

export type SentHere = {
  account: 'page' | 'chat'
  accountId: string
  person: string
  mid: string
  reference: string | null
  type: string
}

export function createSends(
  options: SandboxOptions,
  knowsTemplate: (name: string, language: string) => boolean,
) {
  const lastWrote = new Map<string, Date>()
  const sent: SentHere[] = []
  let isHumanAgentApproved = true
  let isPaid = true

  const ageOf = (accountId: string, person: string): number =>
    options.now().getTime() - (lastWrote.get(`${accountId} ${person}`)?.getTime() ?? Number.NEGATIVE_INFINITY)
  const recordSend = (entry: Omit<SentHere, 'mid'>): string => {
    const mid = `m_${seededDigits(24, options.seed, 'sent', sent.length)}`
    sent.push({ ...entry, mid })
    return mid
  }

  return {
    sent: () =>
      sent.map(({ mid, reference, type, person }) => ({ message_id: mid, reference, type, person })),
    last: () => sent.at(-1),
    wrote(accountId: string, people: readonly string[], at: Date) {
      for (const person of people) {
        const key = `${accountId} ${person}`
        const before = lastWrote.get(key)
        if (before === undefined || before < at) lastWrote.set(key, at)
      }
    },
    set(features: { human_agent?: unknown; payment_method?: unknown }) {
      if (features.human_agent !== undefined) isHumanAgentApproved = features.human_agent === true
      if (features.payment_method !== undefined) isPaid = features.payment_method === true
    },
    reset() {
      isHumanAgentApproved = true
      isPaid = true
    },
    /** `accountIds`: the page, and the photo account that the person wrote to. */
    thread(request: SandboxRequest, accountIds: readonly string[]): SandboxReply {
      const body = ThreadMessage.safeParse(readJson(request))
      if (!body.success)
        return graphError(
          400,
          100,
          `(#100) ${body.error.issues[0]!.path.join('.')}: ${body.error.issues[0]!.message}`,
        )
      const { recipient, messaging_type, tag, message } = body.data
      if ((messaging_type === 'MESSAGE_TAG') !== (tag !== undefined))
        return graphError(400, 100, '(#100) Param tag is required with messaging_type MESSAGE_TAG')
      const accountId = accountIds.find((id) => ageOf(id, recipient.id) !== Number.POSITIVE_INFINITY)
      if (accountId === undefined) return graphError(400, 100, '(#100) No matching user found', 2018001)
      if (tag === 'HUMAN_AGENT' && !isHumanAgentApproved)
        return graphError(403, 10, '(#10) The Human Agent feature is not approved for this app')
      const days = tag === 'HUMAN_AGENT' ? 7 : 1
      if (ageOf(accountId, recipient.id) >= days * DAY_MS)
        return graphError(400, 10, '(#10) This message is sent outside of allowed window.', 2018278)
      const mid = recordSend({
        account: 'page',
        accountId,
        person: recipient.id,
        reference: message.metadata ?? null,
        type: 'text',
      })
      return { status: 200, body: { recipient_id: recipient.id, message_id: mid } }
    },
    chat(request: SandboxRequest, accountId: string): SandboxReply {
      const body = ChatMessage.safeParse(readJson(request))
      if (!body.success)
        return graphError(
          400,
          100,
          `(#100) ${body.error.issues[0]!.path.join('.')}: ${body.error.issues[0]!.message}`,
        )
      const { to, recipient, type, template } = body.data
      const person = to ?? recipient
      if (person === undefined) return graphError(400, 131008, '(#131008) Required parameter is missing: to')
      if (body.data[type] === undefined)
        return graphError(400, 131009, `(#131009) Parameter ${type} is missing`)
      if (!isPaid) return graphError(400, 131042, '(#131042) Business eligibility payment issue')
      if (type === 'template' && !knowsTemplate(template!.name, template!.language.code))
        return graphError(404, 132001, '(#132001) Template name does not exist in the translation')
      if (type !== 'template' && ageOf(accountId, person) >= DAY_MS)
        return graphError(400, 131047, '(#131047) Re-engagement message')
      const reference = body.data.biz_opaque_callback_data ?? null
      const mid = `wamid.${recordSend({ account: 'chat', accountId, person, reference, type })}`
      return {
        status: 200,
        body: {
          messaging_product: 'whatsapp',
          contacts: [{ input: person, ...(to === undefined ? { user_id: person } : { wa_id: to }) }],
          messages: [{ id: mid, message_status: 'accepted' }],
        },
      }
    },
  }
}
