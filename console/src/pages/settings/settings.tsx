import { useNavigate, useSearch } from '@tanstack/react-router'
import { useProfileContext } from '../../api/profile.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Activity } from './activity.tsx'
import { Apps } from './apps.tsx'
import { ArchiveWorkspace } from './archive-workspace.tsx'
import { Assistants } from './assistants.tsx'
import { AttributionSettings } from './attribution.tsx'
import { BrandingSettings } from './branding.tsx'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'
import { PlanCard } from './plan-card.tsx'
import { Privacy } from './privacy.tsx'
import { ProfileForm } from './profile-form.tsx'
import { ProfileMembers } from './profile-members.tsx'
import { ReportingCurrency } from './reporting-currency.tsx'
import { SenderDomainSettings } from './sender-domain.tsx'
import { SignInPolicy } from './sign-in-policy.tsx'
import { WorkspaceFacts } from './workspace-facts.tsx'

export function Settings() {
  const { workspace, profile } = useProfileContext()
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
                {isAdmin ? <ProfileMembers /> : null}
                {isAdmin ? <SignInPolicy /> : null}
              </>
            ),
          },
          { value: 'attribution', label: 'Attribution', content: <AttributionSettings /> },
          ...(isAdmin
            ? [
                {
                  value: 'branding',
                  label: 'Branding',
                  content: (
                    <>
                      <BrandingSettings />
                      <SenderDomainSettings />
                    </>
                  ),
                },
                { value: 'apps', label: 'Apps', content: <Apps /> },
                { value: 'activity', label: 'Activity', content: <Activity /> },
              ]
            : []),
          { value: 'assistants', label: 'Assistants', content: <Assistants isAdmin={isAdmin} /> },
          { value: 'privacy', label: 'Privacy', content: <Privacy isAdmin={isAdmin} /> },
          {
            value: 'workspace',
            label: 'Workspace',
            content: (
              <>
                <div className="platforms">
                  <WorkspaceFacts />
                  <PlanCard />
                  <ReportingCurrency isAdmin={isAdmin} />
                </div>
                {isAdmin && !profile.is_demo ? <ProfileForm key={profile.id} /> : null}
                <ArchiveWorkspace />
              </>
            ),
          },
        ]}
      />
    </Page>
  )
}
