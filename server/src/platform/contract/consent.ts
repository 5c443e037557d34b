import { z } from 'zod'
import { Instant } from './fields.ts'

/** Signals of the browser and the page; if several came with an event, the first of this list is named as its source. */
export const consentSignals = ['gpc', 'page', 'tcf', 'consent_mode', 'shopify', 'wp', 'attribute'] as const

/**
 * Sent with the signals: the event waited for the grant; banners contradict each other; a banner was not read; a grant
 * on the site lifted Global Privacy Control.
 */
export const consentMarks = ['held', 'conflict', 'unread', 'gpc_lifted'] as const

/** After the signals: the kind of event that stated it, and the catalogue's default. */
export const consentSources = [
  ...consentSignals,
  'tracker',
  'api',
  'integration',
  'import',
  'default',
] as const

const State = z.enum(['granted', 'denied', 'unspecified'])

/** The consent that applies to a conversion or a customer, and what stated it. */
export const AppliedConsent = z.object({
  ad_user_data: State.describe('Consent to send data of the person to ad platforms'),
  ad_personalization: State.describe('Consent to personalised ads'),
  source: z.enum(consentSources).nullable().describe('What stated it; null if nothing did'),
  stated_at: Instant.nullable().describe('When it was stated; null if nothing was'),
})
