/** Limits per tenant, so that no tenant fills the database or slows down the others. */
import { ApiError } from './errors.ts'

export const tenantLimits = {
  alerts: { most: 100, things: 'alert rules', of: 'a profile' },
  api_keys: { most: 200, things: 'API keys', of: 'a profile' },
  annotations: { most: 2000, things: 'notes', of: 'a profile' },
  brief_webhooks: { most: 20, things: 'webhooks for briefs', of: 'a profile' },
  data_export_destinations: { most: 20, things: 'destinations of data exports', of: 'a profile' },
  export_destinations: { most: 100, things: 'export destinations', of: 'a profile' },
  geo_studies: { most: 20, things: 'live geo studies', of: 'a profile' },
  goals: { most: 500, things: 'goals', of: 'a profile' },
  install_checks: { most: 50, things: 'install checks in half an hour', of: 'a profile' },
  live_links: { most: 100, things: 'live links for clients', of: 'a profile' },
  manual_stores: { most: 100, things: 'stores connected by hand', of: 'a profile' },
  oauth_apps: { most: 50, things: 'registered apps', of: 'a workspace' },
  queued_reports: { most: 2000, things: 'reports that wait to be built', of: 'a workspace' },
  report_mails: { most: 1000, things: 'report mails in a day', of: 'a workspace' },
  saved_views: { most: 100, things: 'saved views', of: 'a person in a profile' },
  shared_views: { most: 200, things: 'shared views', of: 'a profile' },
  short_links: { most: 10_000, things: 'short links', of: 'a profile' },
  snapshots: { most: 500, things: 'live snapshots', of: 'a workspace' },
  tracking_domains: { most: 50, things: 'tracking domains', of: 'a profile' },
  user_tokens: { most: 100, things: 'user tokens', of: 'a person' },
  webhook_subscriptions: {
    most: 100,
    things: 'webhook subscriptions',
    of: 'a profile, and of each app in it',
  },
  workspaces_of_app: { most: 20_000, things: 'live workspaces', of: 'an app' },
  workspaces_of_person: { most: 100, things: 'live workspaces', of: 'the person who created them' },
} as const
export type TenantLimit = keyof typeof tenantLimits

const advice: Partial<Record<TenantLimit, string>> = {
  export_destinations: 'Use one that exists.',
  geo_studies: 'Cancel one, or wait for a verdict.',
  install_checks: 'Wait for some of them to expire.',
  queued_reports: 'Wait until some of them are built.',
  report_mails: 'Send the others tomorrow.',
}

export function refuseAtLimit(count: number, limit: TenantLimit): void {
  const { most, things, of } = tenantLimits[limit]
  if (count < most) return
  throw new ApiError(
    'invalid_state',
    `At most ${most} ${things} of ${of}. ${advice[limit] ?? 'Remove some first.'}`,
    {
      reason: 'limit_reached',
    },
  )
}
