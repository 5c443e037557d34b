import { models } from '@whence/engine'
import { z } from 'zod'
import { AppliedConsent } from '../../../platform/contract/consent.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  ConversionId,
  CurrencyCode,
  Instant,
  NamedEntity,
  OccurredAt,
  OutcomeType,
  RevenueType,
} from '../../../platform/contract/fields.ts'

const tag = 'attribution'
const days = z.int().min(1).max(365)

export const AttributionSettings = z.object({
  lookback_days: z.int().describe('Lookback window in days: visits within it can get credit'),
  first_touch_lookback_days: z.int().describe('Lookback window in days for the model first_touch'),
  half_life_days: z
    .int()
    .describe('For the model time_decay: the weight of a visit halves every this many days'),
  grace_hours: z.int().describe('Hours that a day stays open for late events after it ends'),
  updated_at: Instant.nullable().describe('When it was last changed; null if it never was'),
})

export const Recompute = z.object({
  recompute_id: z.uuid().describe('Id of the recompute'),
  scope: z.string().describe('What is recomputed'),
  state: z.enum(['queued', 'running', 'done', 'failed']).describe('State of the recompute'),
  requested_at: Instant.describe('When it was requested'),
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
    lookback_days: days.optional().describe('Lookback window in days: visits within it can get credit'),
    first_touch_lookback_days: days.optional().describe('Lookback window in days for the model first_touch'),
    half_life_days: days
      .optional()
      .describe('For the model time_decay: the weight of a visit halves every this many days'),
    grace_hours: z
      .int()
      .min(0)
      .max(720)
      .optional()
      .describe('Hours after its end during which a day still accepts late events'),
  }),
  reply: AttributionSettings.extend({
    recompute: Recompute.nullable().describe('The resulting recompute; null if none is needed'),
  }),
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
  refund_id: z.uuid().describe('Id of the refund'),
  occurred_at: OccurredAt,
  value: z.number().describe('Negative, in the refund’s `currency`'),
  currency: CurrencyCode,
  report_value: z
    .number()
    .nullable()
    .describe('In the reporting currency; null if the exchange rate is missing'),
})

export const ExplainedTouch = z.object({
  touch_id: z.uuid().describe('Id of the visit or click'),
  occurred_at: OccurredAt,
  channel: z.string().describe('Channel, for example paid_social'),
  origin: z.string().describe('How the visit was recorded, for example web or conversation_referral'),
  platform: z.string().nullable().describe('Ad platform, for example social_ads; null if it is none'),
  is_direct: z.boolean().describe('A visit without ad, campaign link or referrer'),
  /** True if a provider reported the touch and the tracker did not see it. */
  reported: z.boolean().describe('Whether the provider reported it'),
  campaign: entityOrNull.describe('Campaign of the touch; null if it is not known'),
  ad_set: entityOrNull.describe('Ad set of the touch; null if it is not known'),
  ad: entityOrNull.describe('Ad of the touch; null if it is not known'),
  status: z.enum(['credited', 'excluded']).describe('Whether the touch has credit'),
  /** Share of the conversion; null if excluded. */
  weight: z
    .number()
    .nullable()
    .describe('Share of the conversion that the visit gets, 0 to 1; null if it is excluded'),
  credited_value: z
    .number()
    .nullable()
    .describe('Value of the credit, less refunds; null if it is excluded or the exchange rate is missing'),
  refunds: z
    .array(
      z.object({
        refund_id: z.uuid().describe('Id of the refund'),
        credited_value: z
          .number()
          .nullable()
          .describe(
            'Value of the credit, less refunds; null if it is excluded or the exchange rate is missing',
          ),
      }),
    )
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
    .nullable()
    .describe('Why the touch got no credit; null if it got some'),
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
  params: z.object({ id: z.string().min(1).max(255).describe('Id of the conversion') }),
  query: z.object({
    model: z
      .enum([...models, 'all'])
      .default('all')
      .describe('Attribution model of this split'),
  }),
  reply: z.object({
    conversion_id: ConversionId,
    outcome_event_id: z.uuid().describe('Id of the event of the conversion'),
    outcome_type: OutcomeType,
    revenue_type: RevenueType,
    occurred_at: OccurredAt,
    value: z.number().nullable().describe('Value of the conversion in `currency`; null if it has none'),
    currency: z.string().nullable().describe('ISO 4217 code of the currency; null if there is no amount'),
    /** In the reporting currency; null if the conversion has no amount or the exchange rate is missing. */
    report_value: z
      .number()
      .nullable()
      .describe('Value in the profile’s currency; null if the exchange rate is missing'),
    refunds: z
      .array(ExplainedRefund)
      .describe('Refunds of the payment. Each counts on its own day, not on the day of the conversion'),
    attribution_eligible: z.boolean().describe('Whether conversions of this goal get credit'),
    /** True if the person was erased: the journey is anonymous, its credit unchanged. */
    erased: z.boolean().describe('True after the person was erased'),
    /** Id of the event of the same order that is counted instead. */
    duplicate_of: z
      .uuid()
      .nullable()
      .describe('Id of the conversion that counts instead; null if this one counts'),
    /** True for money that only a browser reported: stored, but not counted until a server or a provider reports the order. */
    unconfirmed: z.boolean().describe('True until the payment is confirmed'),
    privacy_mode: z
      .object({
        mode: z.enum(['platform_safe', 'hipaa']).describe('Privacy mode of the profile'),
        withheld: z.array(z.string()).describe('What was withheld, and why'),
      })
      .nullable()
      .describe(
        'Data that the profile’s privacy mode withholds from the ad platforms; `conversion` if the whole conversion is withheld. Null in the mode standard. Credit is the same in every mode',
      ),
    consent: AppliedConsent.nullable().describe(
      'Consent to the use for ads: the stricter of what the event and the customer stated. Null if the person was erased',
    ),
    declared_source: z
      .object({
        answer_key: z.string().describe('Key of the answer in the vocabulary'),
        asked_at: Instant.describe('When the customer answered the question'),
      })
      .nullable()
      .describe(
        'The customer’s latest answer to "How did you hear about us?"; null without one. It never changes credit',
      ),
    steps: z
      .array(
        z.object({
          kind: z.enum(['outcome', 'reply']).describe('What the step does'),
          outcome_type: z.string().nullable().describe('Null for a reply'),
          occurred_at: OccurredAt,
        }),
      )
      .describe(
        'The last 50 earlier outcomes of the customer and, with customers:read, replies of the business in their conversations, oldest first. They get no credit',
      ),
    models: z
      .array(
        z.object({
          model: z.enum(models).describe('Attribution model of this split'),
          lookback_days: z.int().describe('Lookback window in days: visits within it can get credit'),
          credited_value: z
            .number()
            .nullable()
            .describe('Before refunds; null if the exchange rate is missing'),
          touches: z.array(ExplainedTouch).describe('Visits and clicks before the conversion'),
        }),
      )
      .describe('Credit by each model'),
  }),
  meta: { currency: CurrencyCode },
  errors: ['conversion_not_found'],
})
