import { models } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { NamedEntity, RevenueType } from '../../../platform/contract/fields.ts'

const tag = 'attribution'
const days = z.int().min(1).max(365)

export const AttributionSettings = z.object({
  lookback_days: z.int(),
  first_touch_lookback_days: z.int(),
  half_life_days: z.int(),
  grace_hours: z.int().describe('How long after its end a day stays open for late events'),
  updated_at: z.iso.datetime().nullable(),
})

export const Recompute = z.object({
  recompute_id: z.uuid(),
  scope: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  requested_at: z.iso.datetime(),
})

export const getAttributionSettings = endpoint({
  name: 'getAttributionSettings',
  method: 'GET',
  path: '/attribution/settings',
  summary: 'Lookback windows and half-life of the models',
  description:
    'Touches older than the lookback earn no credit; the half-life is that of the time-decay model.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'] },
  reply: AttributionSettings,
})

export const updateAttributionSettings = endpoint({
  name: 'updateAttributionSettings',
  method: 'PATCH',
  path: '/attribution/settings',
  summary: 'Change lookback windows or half-life; all credit is recomputed',
  description: 'Returns the recompute it started; until it is done, reports use the old rules.',
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
  description: 'Ends with the event recompute.completed. The result equals the incrementally updated credit.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  body: z.strictObject({}),
  reply: Recompute,
  statuses: [202],
})

const named = NamedEntity.nullable()

export const ExplainedRefund = z.object({
  refund_id: z.uuid(),
  occurred_at: z.iso.datetime(),
  value: z.number().describe('Negative, in its own `currency`'),
  currency: z.string(),
  report_value: z.number().nullable().describe('In the reporting currency; null where the rate is missing'),
})

export const ExplainedTouch = z.object({
  touch_id: z.uuid(),
  occurred_at: z.iso.datetime(),
  channel: z.string(),
  origin: z.string(),
  platform: z.string().nullable(),
  is_direct: z.boolean(),
  /** Named by a provider, not seen by the tracker. */
  reported: z.boolean(),
  campaign: named,
  ad_set: named,
  ad: named,
  status: z.enum(['credited', 'excluded']),
  /** Share of the conversion; null where excluded. */
  weight: z.number().nullable(),
  credited_value: z.number().nullable(),
  refunds: z
    .array(z.object({ refund_id: z.uuid(), credited_value: z.number().nullable() }))
    .describe('What each refund takes back from the touch, negative; empty where excluded'),
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
      'Why one conversion is credited as it is: every touch of its journey and the share of each, per model.',
  },
  method: 'GET',
  path: '/conversions/{id}/explain',
  summary: 'Why a conversion is credited as it is: every candidate touch in order',
  description:
    '`id` is the conversion’s id, its outcome_event_id, or the idempotency_key its event was sent with. Reports use the same function.',
  tag,
  access: { kind: 'profile', scopes: ['conversions:read'] },
  params: z.object({ id: z.string().min(1).max(255) }),
  query: z.object({ model: z.enum([...models, 'all']).default('all') }),
  reply: z.object({
    conversion_id: z.uuid(),
    outcome_event_id: z.uuid(),
    outcome_type: z.string(),
    revenue_type: RevenueType,
    occurred_at: z.iso.datetime(),
    value: z.number().nullable(),
    currency: z.string().nullable(),
    /** In the reporting currency; null where it carries no money or its rate is missing. */
    report_value: z.number().nullable(),
    refunds: z
      .array(ExplainedRefund)
      .describe('Money given back. It counts on its own day, not on the day of the conversion'),
    attribution_eligible: z.boolean(),
    /** The journey of an erased person: no link to anybody, no traces; credit is as it was. */
    erased: z.boolean(),
    /** The event of the same order that counts in its place. */
    duplicate_of: z.uuid().nullable(),
    /** Money that only a browser reported: kept, and counted nowhere until a server or a provider reports the order. */
    unconfirmed: z.boolean(),
    privacy_mode: z
      .object({ mode: z.enum(['platform_safe', 'hipaa']), withheld: z.array(z.string()) })
      .nullable()
      .describe(
        'What the profile’s privacy mode keeps from leaving to the ad platforms; `conversion` where all of it stays. Null in the mode standard. Credit is the same in every mode',
      ),
    declared_source: z
      .object({ answer_key: z.string(), asked_at: z.iso.datetime() })
      .nullable()
      .describe(
        'What the customer answered to "How did you hear about us?", the latest answer; it never changes credit',
      ),
    steps: z
      .array(
        z.object({
          kind: z.enum(['outcome', 'reply']),
          outcome_type: z.string().nullable().describe('Null for a reply'),
          occurred_at: z.iso.datetime(),
        }),
      )
      .describe(
        'Earlier outcomes of the customer and, with customers:read, answers of the business in their conversations, the last 50, oldest first; they get no credit',
      ),
    models: z.array(
      z.object({
        model: z.enum(models),
        lookback_days: z.int(),
        credited_value: z.number().nullable().describe('Before refunds; null where the rate is missing'),
        touches: z.array(ExplainedTouch),
      }),
    ),
  }),
  meta: { currency: z.string() },
  errors: ['conversion_not_found'],
})
