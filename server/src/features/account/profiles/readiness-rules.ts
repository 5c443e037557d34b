/** What a profile still needs before its numbers can be trusted, decided from what was found of it. */
import { adProviders } from '../../../platform/contract/ad-providers.ts'
import type { ReadinessStep } from './contract.ts'

export type Found = {
  attributionEnabled: boolean
  trackerKeyIssued: boolean
  trackerEventSeen: boolean
  connections: readonly { provider: string; status: string }[]
  spendSeen: boolean
  /** Outcomes that came by POST /events or an import rather than from a connection. */
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

export function readinessOf(found: Found): ReadinessStep[] {
  const ads = sourceState(found, adProviders, found.spendSeen)
  const outcomes = sourceState(found, outcomeSources, found.outcomeEventSeen)
  const steps: Step[] = [
    {
      step: 'attribution_enabled',
      title: 'Attribution is enabled',
      state: found.attributionEnabled ? 'done' : 'todo',
      todo: 'The app that provisioned the profile enables it: PUT /profiles/{profileId}/entitlements/attribution.',
    },
    {
      step: 'tracker_installed',
      title: 'The tracker is installed',
      state: found.trackerEventSeen ? 'done' : 'todo',
      todo: found.trackerKeyIssued
        ? 'Put the snippet (GET /tracking/snippet) on the site and open a page of it.'
        : 'Issue a tracking key (POST /tracking/keys), then put the snippet on the site.',
    },
    {
      step: 'ad_platform_connected',
      title: 'An ad platform is connected, or spend is imported',
      state: ads,
      todo:
        ads === 'attention'
          ? reconnect(found, adProviders)
          : 'Connect an ad account (POST /connections/{provider}/handoff), or import spend (POST /imports/spend).',
    },
    {
      step: 'crm_or_outcome_source_connected',
      title: 'A CRM, payment provider or store is connected, or outcomes are sent',
      state: outcomes,
      todo:
        outcomes === 'attention'
          ? reconnect(found, outcomeSources)
          : 'Connect a CRM, payment provider or store, or send outcomes by POST /events.',
    },
    {
      step: 'touch_recorded',
      title: 'A visit from an ad or another source was recorded',
      state: found.touchSeen ? 'done' : 'todo',
      todo: 'Open the site from an ad or with UTM parameters; a visit appears within a minute.',
    },
    {
      step: 'outcome_recorded',
      title: 'An outcome that a goal counts was recorded',
      state: found.conversionSeen ? 'done' : 'todo',
      todo: 'Wait for the first lead or payment, and check that a goal lists its event name (GET /goals).',
    },
    {
      step: 'outcome_attributed',
      title: 'An outcome was credited to a touch',
      state: found.creditSeen ? 'done' : 'todo',
      todo: 'Send the same email, phone or anonymous_id with visits and outcomes, so that they meet in one customer.',
    },
  ]
  return steps.map(({ todo, ...step }) => ({ ...step, todo: step.state === 'done' ? null : todo }))
}

/** Data by another way counts too; a connection that stopped is reported even so. */
function sourceState(found: Found, providers: readonly string[], otherwise: boolean): ReadinessStep['state'] {
  const own = found.connections.filter((connection) => providers.includes(connection.provider))
  if (own.some((connection) => connection.status === 'connected') || otherwise) return 'done'
  return own.some((connection) => broken.includes(connection.status)) ? 'attention' : 'todo'
}

function reconnect(found: Found, providers: readonly string[]): string {
  const names = found.connections
    .filter(({ provider, status }) => providers.includes(provider) && broken.includes(status))
    .map(({ provider }) => provider)
  return `Reconnect ${[...new Set(names)].join(' and ')}: POST /connections/{provider}/handoff.`
}
