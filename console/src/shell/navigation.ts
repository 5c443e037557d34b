import type { IconName } from '../ui/icon.tsx'

export const navigation = [
  {
    name: 'Reports',
    items: [
      { to: '/p/$profileId/overview', label: 'Overview', icon: 'overview' },
      { to: '/p/$profileId/campaigns', label: 'Campaigns', icon: 'campaigns' },
      { to: '/p/$profileId/comparison', label: 'Platform comparison', icon: 'compare' },
      { to: '/p/$profileId/people', label: 'People reached', icon: 'people' },
      { to: '/p/$profileId/payments', label: 'Payments', icon: 'payments' },
    ],
  },
  {
    name: 'Data',
    items: [
      { to: '/p/$profileId/connections', label: 'Connections', icon: 'connections' },
      { to: '/p/$profileId/tracking', label: 'Tracking', icon: 'tracking' },
      { to: '/p/$profileId/webhooks', label: 'Webhooks', icon: 'webhooks' },
    ],
  },
  {
    name: 'Workspace',
    items: [
      { to: '/p/$profileId/developers', label: 'Developers', icon: 'developers' },
      { to: '/p/$profileId/settings', label: 'Settings', icon: 'settings' },
    ],
  },
] as const satisfies { name: string; items: { to: string; label: string; icon: IconName }[] }[]
