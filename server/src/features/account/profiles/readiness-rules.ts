/** Decides which setup steps of a profile are done, from evidence in its data. Pure. */
import { adProviders } from '../../../platform/contract/ad-providers.ts'
import type { ReadinessStep } from './contract.ts'

export type Evidence = {
  attributionEnabled: boolean
  trackerKeyIssued: boolean
  trackerEventSeen: boolean
  connections: readonly { provider: string; status: string }[]
  spendSeen: boolean
  /** Outcomes from POST /events or an import rather than from a connection. */
  outcomeEventSeen: boolean
  touchSeen: boolean
  conversionSeen: boolean
  creditSeen: boolean
}

const outcomeSources = [
  'crmsuite',
  'cardpay',
  'regionalpay',
  'storefront',
  'woocommerce',
  'hubspot',
  'engine_calendar',
  'external_calendar',
]
const broken = ['reconnect_required', 'needs_action', 'error']

type Step = Pick<ReadinessStep, 'step' | 'title'> & { state: ReadinessStep['state']; todo: string }

export function decideSteps(evidence: Evidence): ReadinessStep[] {
  const ads = sourceState(evidence, adProviders, evidence.spendSeen)
  const outcomes = sourceState(evidence, outcomeSources, evidence.outcomeEventSeen)
  const steps: Step[] = [
    {
      step: 'attribution_enabled',
      title: 'Attribution is enabled',
      state: evidence.attributionEnabled ? 'done' : 'todo',
      todo: 'The app that provisioned the profile enables it: PUT /profiles/{profileId}/entitlements/attribution.',
    },
    {
      step: 'tracker_installed',
      title: 'The tracker is installed',
      state: evidence.trackerEventSeen ? 'done' : 'todo',
      todo: evidence.trackerKeyIssued
        ? 'Put the snippet (GET /tracking/snippet) on the site and open one of its pages.'
        : 'Issue a tracking key (POST /tracking/keys), then put the snippet on the site.',
    },
    {
      step: 'ad_platform_connected',
      title: 'An ad platform is connected, or spend is imported',
      state: ads,
      todo:
        ads === 'attention'
          ? reconnect(evidence, adProviders)
          : 'Connect an ad account (POST /connections/{provider}/handoff), or import spend (POST /imports/spend).',
    },
    {
      step: 'crm_or_outcome_source_connected',
      title: 'A CRM, payment provider or store is connected, or outcomes are sent',
      state: outcomes,
      todo:
        outcomes === 'attention'
          ? reconnect(evidence, outcomeSources)
          : 'Connect a CRM, payment provider or store, or send outcomes with POST /events.',
    },
    {
      step: 'touch_recorded',
      title: 'A visit from an ad or another source was recorded',
      state: evidence.touchSeen ? 'done' : 'todo',
      todo: 'Open the site from an ad or with UTM parameters; a visit appears within a minute.',
    },
    {
      step: 'outcome_recorded',
      title: 'An outcome that a goal counts was recorded',
      state: evidence.conversionSeen ? 'done' : 'todo',
      todo: 'Wait for the first lead or payment, and check that a goal lists its event name (GET /goals).',
    },
    {
      step: 'outcome_attributed',
      title: 'An outcome was credited to a touch',
      state: evidence.creditSeen ? 'done' : 'todo',
      todo: 'Send the same email, phone or anonymous_id with visits and outcomes, so that they belong to one customer.',
    },
  ]
  return steps.map(({ todo, ...step }) => ({ ...step, todo: step.state === 'done' ? null : todo }))
}

/** Done with a working connection or data from another source; otherwise a broken connection needs attention. */
function sourceState(
  evidence: Evidence,
  providers: readonly string[],
  hasOtherData: boolean,
): ReadinessStep['state'] {
  const matching = evidence.connections.filter((connection) => providers.includes(connection.provider))
  if (matching.some((connection) => connection.status === 'connected') || hasOtherData) return 'done'
  return matching.some((connection) => broken.includes(connection.status)) ? 'attention' : 'todo'
}

function reconnect(evidence: Evidence, providers: readonly string[]): string {
  const names = evidence.connections
    .filter(({ provider, status }) => providers.includes(provider) && broken.includes(status))
    .map(({ provider }) => provider)
  return `Reconnect ${[...new Set(names)].join(' and ')}: POST /connections/{provider}/handoff.`
}
