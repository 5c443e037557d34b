import type { ReadinessStep } from '@whence/sdk'
import type { NavPage } from '../../shell/navigation.ts'

/** `page`: label of the demo's link for the step. */
type Guide = { title: string; note: string; action: string; page: string; to: NavPage['to']; tab?: string }

/** Texts of the steps for marketers, and the page of each. The API's own texts are for developers. */
export const guides: Record<ReadinessStep['step'], Guide> = {
  attribution_enabled: {
    title: 'Attribution is switched on',
    note: 'The partner app that created this profile switches it on.',
    action: 'See the apps',
    page: 'See the apps',
    to: '/p/$profileId/settings',
    tab: 'apps',
  },
  tracker_installed: {
    title: 'Put the tracker on your site',
    note: 'Records which ad each visit came from.',
    action: 'Get the snippet',
    page: 'See the snippet',
    to: '/p/$profileId/tracking',
  },
  ad_platform_connected: {
    title: 'Connect an ad account',
    note: 'Imports campaigns and their cost. Without one, import spend from a file.',
    action: 'Connect',
    page: 'See connections',
    to: '/p/$profileId/connections',
  },
  crm_or_outcome_source_connected: {
    title: 'Connect your sales',
    note: 'A CRM, payment provider or store. Or send outcomes with an API key.',
    action: 'Connect',
    page: 'See connections',
    to: '/p/$profileId/connections',
  },
  touch_recorded: {
    title: 'See the first visit from an ad',
    note: 'Open your site from an ad or a link with UTM parameters. It shows here within a minute.',
    action: 'See visits',
    page: 'See visits',
    to: '/p/$profileId/tracking',
    tab: 'events',
  },
  outcome_recorded: {
    title: 'See the first lead or payment',
    note: 'A goal must list its event’s name.',
    action: 'See the goals',
    page: 'See the goals',
    to: '/p/$profileId/goals',
  },
  outcome_attributed: {
    title: 'See it credited to a visit',
    note: 'Visits and outcomes are matched by email, phone or browser.',
    action: 'See the report',
    page: 'See the report',
    to: '/p/$profileId/campaigns',
  },
}

/** The steps that the user does, in order. */
export const manualSteps = (Object.keys(guides) as ReadinessStep['step'][])
  .filter((step) => step !== 'attribution_enabled')
  .map((step) => ({ step, ...guides[step] }))
