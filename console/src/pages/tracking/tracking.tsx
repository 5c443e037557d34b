import { useNavigate, useSearch } from '@tanstack/react-router'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AdTags } from './ad-tags.tsx'
import { Domains } from './domains.tsx'
import { EventFeed } from './event-feed.tsx'
import { InstallCheck } from './install-check.tsx'
import { Installers } from './installers.tsx'
import { Quality } from './quality.tsx'
import { Snippet } from './snippet.tsx'
import { Templates } from './templates.tsx'
import { TrackerSettings } from './tracker-settings.tsx'
import { TrackingKeys } from './tracking-keys.tsx'

export function Tracking() {
  const { tab = 'install' } = useSearch({ from: '/p/$profileId/tracking' })
  const navigate = useNavigate({ from: '/p/$profileId/tracking' })
  return (
    <Page
      title="Tracking"
      note="A small script on your site records which ad each visit came from. It uses only first-party storage."
    >
      <Tabs
        label="Tracking"
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={[
          {
            value: 'install',
            label: 'Install',
            content: (
              <>
                <Snippet />
                <Installers />
                <InstallCheck />
                <Templates />
              </>
            ),
          },
          {
            value: 'quality',
            label: 'Quality',
            content: (
              <>
                <Quality />
                <AdTags />
              </>
            ),
          },
          { value: 'events', label: 'Events', content: <EventFeed /> },
          {
            value: 'settings',
            label: 'Settings',
            content: (
              <>
                <TrackerSettings />
                <Domains />
                <TrackingKeys />
              </>
            ),
          },
        ]}
      />
    </Page>
  )
}
