import { models } from '@whence/engine'
import { z } from 'zod'
import { AppliedConsent } from '../../../platform/contract/consent.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, NamedEntity, RevenueType } from '../../../platform/contract/fields.ts'

const tag = 'attribution'
const days = z.int().min(1).max(365)

export const AttributionSettings = z.object({
  lookback_days: z.int(),
  first_touch_lookback_days: z.int(),
  half_life_days: z.int(),
  grace_hours: z.int().describe('Hours that a day stays open for late events after it ends'),
  updated_at: Instant.nullable(),
})

export const Recompute = z.object({
  recompute_id: z.uuid(),
  scope: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  requested_at: Instant,
})

export const getAttributionSettings = endpoint({
  name: 'getAttributionSettings',
  method: 'GET',
  path: '/attribution/settings',
  summary: 'Lookback windows and half-life of the models',
  description:
    'Touches older than the lookback window get no credit. The half-life applies to the time-decay model.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'] },
  reply: AttributionSettings,
})

export const updateAttributionSettings = endpoint({
  name: 'updateAttributionSettings',
  method: 'PATCH',
  path: '/attribution/settings',
  summary: 'Change lookback windows or half-life and recompute all credit',
  description: 'Returns the recompute that was queued. Until it is done, reports use the previous settings.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  body: z.strictObject({
    lookback_days: days.optional(),
    first_touch_lookback_days: days.optional(),
    half_life_days: days.optional(),
    grace_hours: z.int().min(0).max(720).optional(),
  }),
  reply: AttributionSettings.extend({ recompute: Recompute.nullable() }),
})

export const startRecompute = endpoint({
  name: 'startRecompute',
  method: 'POST',
  path: '/attribution/recompute',
  summary: 'Recompute all credit of the profile',
  description:
    'Sends the event recompute.completed when it is done. The result equals the incrementally updated credit.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  body: z.strictObject({}),
  reply: Recompute,
  statuses: [202],
})

const entityOrNull = NamedEntity.nullable()

export const ExplainedRefund = z.object({
  refund_id: z.uuid(),
  occurred_at: Instant,
  value: z.number().describe('Negative, in the refund’s `currency`'),
  currency: z.string(),
  report_value: z
    .number()
    .nullable()
    .describe('In the reporting currency; null if the exchange rate is missing'),
})

export const ExplainedTouch = z.object({
  touch_id: z.uuid(),
  occurred_at: Instant,
  channel: z.string(),
  origin: z.string(),
  platform: z.string().nullable(),
  is_direct: z.boolean(),
  /** True if a provider reported the touch and the tracker did not see it. */
  reported: z.boolean(),
  campaign: entityOrNull,
  ad_set: entityOrNull,
  ad: entityOrNull,
  status: z.enum(['credited', 'excluded']),
  /** Share of the conversion; null if excluded. */
  weight: z.number().nullable(),
  credited_value: z.number().nullable(),
  refunds: z
    .array(z.object({ refund_id: z.uuid(), credited_value: z.number().nullable() }))
    .describe('Amount that each refund subtracts from this touch, negative; empty if excluded'),
  reason: z
    .enum([
      'after_conversion',
      'outside_lookback',
      'direct_skipped_by_model',
      'not_first',
      'not_last',
      'superseded_by_merge',
    ])
    .nullable(),
})

export const explainConversion = endpoint({
  name: 'explainConversion',
  mcp: {
    description:
      'Explains the credit of one conversion: every touch of its journey and its share, per model.',
  },
  method: 'GET',
  path: '/conversions/{id}/explain',
  summary: 'Explain the credit of a conversion: every candidate touch in order',
  description:
    '`id` is the conversion’s id, its outcome_event_id, or the idempotency_key of its event. Reports use the same calculation.',
  tag,
  access: { kind: 'profile', scopes: ['conversions:read'] },
  params: z.object({ id: z.string().min(1).max(255) }),
  query: z.object({ model: z.enum([...models, 'all']).default('all') }),
  reply: z.object({
    conversion_id: z.uuid(),
    outcome_event_id: z.uuid(),
    outcome_type: z.string(),
    revenue_type: RevenueType,
    occurred_at: Instant,
    value: z.number().nullable(),
    currency: z.string().nullable(),
    /** In the reporting currency; null if the conversion has no amount or the exchange rate is missing. */
    report_value: z.number().nullable(),
    refunds: z
      .array(ExplainedRefund)
      .describe('Refunds of the payment. Each counts on its own day, not on the day of the conversion'),
    attribution_eligible: z.boolean(),
    /** True if the person was erased: the journey is anonymous, its credit unchanged. */
    erased: z.boolean(),
    /** Id of the event of the same order that is counted instead. */
    duplicate_of: z.uuid().nullable(),
    /** True for money that only a browser reported: stored, but not counted until a server or a provider reports the order. */
    unconfirmed: z.boolean(),
    privacy_mode: z
      .object({ mode: z.enum(['platform_safe', 'hipaa']), withheld: z.array(z.string()) })
      .nullable()
      .describe(
        'Data that the profile’s privacy mode withholds from the ad platforms; `conversion` if the whole conversion is withheld. Null in the mode standard. Credit is the same in every mode',
      ),
    consent: AppliedConsent.nullable().describe(
      'Consent to the use for ads: the stricter of what the event and the customer stated. Null if the person was erased',
    ),
    declared_source: z
      .object({ answer_key: z.string(), asked_at: Instant })
      .nullable()
      .describe('The customer’s latest answer to "How did you hear about us?". It never changes credit'),
    steps: z
      .array(
        z.object({
          kind: z.enum(['outcome', 'reply']),
          outcome_type: z.string().nullable().describe('Null for a reply'),
          occurred_at: Instant,
        }),
      )
      .describe(
        'The last 50 earlier outcomes of the customer and, with customers:read, replies of the business in their conversations, oldest first. They get no credit',
      ),
    models: z.array(
      z.object({
        model: z.enum(models),
        lookback_days: z.int(),
        credited_value: z
          .number()
          .nullable()
          .describe('Before refunds; null if the exchange rate is missing'),
        touches: z.array(ExplainedTouch),
      }),
    ),
  }),
  meta: { currency: z.string() },
  errors: ['conversion_not_found'],
})
