import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePlace } from '../../api/profile.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Activity } from './activity.tsx'
import { Apps } from './apps.tsx'
import { AttributionSettings } from './attribution.tsx'
import { BrandingSettings } from './branding.tsx'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'
import { WorkspaceFacts } from './workspace-facts.tsx'

export function Settings() {
  const { workspace } = usePlace()
  const { tab = 'people' } = useSearch({ from: '/p/$profileId/settings' })
  const navigate = useNavigate({ from: '/p/$profileId/settings' })
  const isAdmin = workspace.role === 'owner' || workspace.role === 'admin'
  return (
    <Page title="Settings" note={workspace.name}>
      <Tabs
        label="Settings"
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={[
          {
            value: 'people',
            label: 'People',
            content: (
              <>
                <Members isAdmin={isAdmin} />
                {isAdmin ? <Invitations /> : null}
              </>
            ),
          },
          { value: 'attribution', label: 'Attribution', content: <AttributionSettings /> },
          ...(isAdmin
            ? [
                { value: 'branding', label: 'Branding', content: <BrandingSettings /> },
                { value: 'apps', label: 'Apps', content: <Apps /> },
                { value: 'activity', label: 'Activity', content: <Activity /> },
              ]
            : []),
          { value: 'workspace', label: 'Workspace', content: <WorkspaceFacts /> },
        ]}
      />
    </Page>
  )
}
