import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'
import { OverrideChannel } from '../../attribution/channel-rules/contract.ts'

const tag = 'declared-sources'
const MAX_CUSTOM_ENTRIES = 50
const label = z.string().trim().min(1).max(80)

/** Channels that an answer can represent, with the names of the channel report. */
const Channel = z.enum([...OverrideChannel.options, 'direct'])

export const VocabularyEntry = z.object({
  key: z.string().describe('Key of the answer, unique in the profile'),
  label_en: z.string().describe('Display label in English'),
  label_es: z.string().describe('Display label in Spanish'),
  channels: z.array(Channel).describe('The credited channels that the answer is compared with'),
  is_own: z.boolean().describe('True if the profile added this answer'),
})
export type VocabularyEntry = z.output<typeof VocabularyEntry>

const Vocabulary = z.object({
  question_en: z.string().describe('The question in English'),
  question_es: z.string().describe('The question in Spanish'),
  entries: z.array(VocabularyEntry).describe('Answers of the vocabulary'),
})

export const getDeclaredVocabulary = endpoint({
  name: 'getDeclaredVocabulary',
  method: 'GET',
  path: '/declared-sources/vocabulary',
  summary: 'List the answers to "How did you hear about us?"',
  description:
    'The built-in answers, then those that the profile added. The question is also a page at `/ask/{tracking_key}?order_id=…` (or `?whence_link=…` with a link token; `lang=en` or `es`).',
  tag,
  access: { kind: 'profile', scopes: [], anyOf: ['analytics:read', 'events:write'] },
  reply: Vocabulary,
})

export const saveDeclaredVocabulary = endpoint({
  name: 'saveDeclaredVocabulary',
  method: 'PUT',
  path: '/declared-sources/vocabulary',
  summary: 'Replace the answers that the profile adds',
  description: 'Built-in answers remain. Customers’ answers with a removed key are kept.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  body: z.strictObject({
    entries: z
      .array(
        z.strictObject({
          key: z
            .string()
            .regex(
              /^[a-z][a-z0-9_]{0,49}$/,
              'must be lower-case letters, digits and _, starting with a letter',
            )
            .describe('Key of the answer, unique in the profile'),
          label_en: label.describe('Display label in English'),
          label_es: label.describe('Display label in Spanish'),
          channels: z.array(Channel).max(12).default([]).describe('Channels that the answer is mapped to'),
        }),
      )
      .max(MAX_CUSTOM_ENTRIES)
      .describe('Answers of the vocabulary'),
  }),
  reply: Vocabulary,
  example: {
    body: { entries: [{ key: 'trade_fair', label_en: 'At a trade fair', label_es: 'En una feria' }] },
  },
})

export const declareSource = endpoint({
  name: 'declareSource',
  method: 'POST',
  path: '/declared-sources',
  summary: 'Report the answer of a customer',
  description:
    'Identify the customer by exactly one of `customer` and `order_id`. An answer never creates a customer and never changes credit. Repeating an `idempotency_key` replaces the answer.',
  tag,
  access: { kind: 'profile', scopes: ['events:write'] },
  body: z
    .strictObject({
      answer_key: z.string().min(1).max(50).describe('Key of the answer in the vocabulary'),
      answer_text: z.string().trim().max(200).optional().describe('Required with the key `other`'),
      customer: z
        .strictObject({
          external_ref: z.string().min(1).max(320).optional().describe('The external_id of the customer'),
          email: z.string().min(1).max(320).optional().describe('Email address of the person'),
          phone: z.string().min(1).max(64).optional().describe('Phone number with country code'),
        })
        .optional()
        .describe('The customer who answered, by at least one identifier'),
      order_id: z.string().min(1).max(200).optional().describe('The shop’s order number'),
      asked_at: Instant.describe('When the customer answered the question'),
      idempotency_key: z
        .string()
        .min(1)
        .max(255)
        .describe('An event with the same key updates the stored event instead of adding one'),
    })
    .refine((body) => (body.customer === undefined) !== (body.order_id === undefined), {
      message: 'pass exactly one of customer and order_id',
    }),
  reply: z.object({ id: z.uuid().describe('Id of the answer') }),
  statuses: [202],
  errors: ['unknown_answer_key', 'unknown_customer_ref'],
  limit: 'ingest',
  idempotent: false,
  example: {
    body: {
      answer_key: 'friend_or_family',
      order_id: '1042',
      asked_at: '2026-01-15T10:00:00Z',
      idempotency_key: 'survey-1042',
    },
  },
})
