import type { IconName } from '../ui/icon.tsx'

/** Pages of the sidebar and the command menu. Each also needs a route in the router. */
const groups = [
  {
    name: 'Reports',
    items: [
      { to: '/p/$profileId/overview', label: 'Overview', icon: 'overview' },
      { to: '/p/$profileId/campaigns', label: 'Campaigns', icon: 'campaigns' },
      { to: '/p/$profileId/channels', label: 'Channels', icon: 'channels' },
      { to: '/p/$profileId/journeys', label: 'Journeys', icon: 'journeys' },
      { to: '/p/$profileId/cohorts', label: 'Cohorts', icon: 'cohorts' },
      { to: '/p/$profileId/declared', label: 'Declared sources', icon: 'declared' },
      { to: '/p/$profileId/unattributed', label: 'Unattributed', icon: 'unattributed' },
      { to: '/p/$profileId/comparison', label: 'Platform comparison', icon: 'compare' },
      { to: '/p/$profileId/payments', label: 'Payments', icon: 'payments' },
      { to: '/p/$profileId/client-reports', label: 'Client reports', icon: 'download' },
    ],
  },
  {
    name: 'People',
    items: [
      { to: '/p/$profileId/customers', label: 'Customers', icon: 'customer' },
      { to: '/p/$profileId/visitors', label: 'Visitors', icon: 'visitors' },
      { to: '/p/$profileId/conversations', label: 'Conversations', icon: 'message' },
      { to: '/p/$profileId/identity', label: 'Identity', icon: 'identity' },
      { to: '/p/$profileId/live', label: 'Live', icon: 'live' },
      { to: '/p/$profileId/people', label: 'People reached', icon: 'people' },
    ],
  },
  {
    name: 'Creative',
    items: [
      { to: '/p/$profileId/creatives', label: 'Creatives', icon: 'creatives' },
      { to: '/p/$profileId/patterns', label: 'Patterns', icon: 'patterns' },
    ],
  },
  {
    name: 'Plan',
    items: [
      { to: '/p/$profileId/recommendations', label: 'Recommendations', icon: 'recommendations' },
      { to: '/p/$profileId/alerts', label: 'Alerts', icon: 'bell' },
      { to: '/p/$profileId/pacing', label: 'Pacing', icon: 'pacing' },
      { to: '/p/$profileId/experiments', label: 'Experiments', icon: 'experiments' },
    ],
  },
  {
    name: 'Data',
    items: [
      { to: '/p/$profileId/setup', label: 'Set up', icon: 'check' },
      { to: '/p/$profileId/data-health', label: 'Data health', icon: 'alert' },
      { to: '/p/$profileId/connections', label: 'Connections', icon: 'connections' },
      { to: '/p/$profileId/tracking', label: 'Tracking', icon: 'tracking' },
      { to: '/p/$profileId/goals', label: 'Goals', icon: 'goal' },
      { to: '/p/$profileId/imports', label: 'Imports', icon: 'upload' },
      { to: '/p/$profileId/exports', label: 'Conversions sent', icon: 'send' },
      { to: '/p/$profileId/data-exports', label: 'Data exports', icon: 'download' },
      { to: '/p/$profileId/webhooks', label: 'Webhooks', icon: 'webhooks' },
    ],
  },
  {
    name: 'Workspace',
    items: [
      { to: '/p/$profileId/clients', label: 'All clients', icon: 'overview' },
      { to: '/p/$profileId/developers', label: 'Developers', icon: 'developers' },
      { to: '/p/$profileId/settings', label: 'Settings', icon: 'settings' },
    ],
  },
] as const satisfies { name: string; items: { to: string; label: string; icon: IconName }[] }[]

export type NavPage = { to: (typeof groups)[number]['items'][number]['to']; label: string; icon: IconName }

export const navigation: readonly { name: string; items: readonly NavPage[] }[] = groups.filter(
  ({ items }) => items.length > 0,
)

/** Groups to collapse if the screen is too low for all pages, in this order. Others stay visible. */
const collapseOrder = ['Creative', 'Plan', 'People']
const LINE_PX = 22
const HEADING_PX = 22
/** Height of brand, profile, search, notifications and user menu around the list. */
const OTHER_CONTENT_PX = 265

/** Groups that start collapsed, so that the last page fits on the screen. `open`: the group of the open page. */
export function collapsedToFit(heightPx: number, open?: string): readonly string[] {
  const order = collapseOrder.filter((name) => name !== open)
  const heightOf = (collapsed: readonly string[]) =>
    navigation.reduce(
      (sum, { name, items }) => sum + HEADING_PX + (collapsed.includes(name) ? 0 : items.length * LINE_PX),
      OTHER_CONTENT_PX,
    )
  const needed = order.findIndex((_, index) => heightOf(order.slice(0, index)) <= heightPx)
  return needed === -1 ? order : order.slice(0, needed)
}

export const navPages: readonly NavPage[] = navigation.flatMap(({ items }) => items)
