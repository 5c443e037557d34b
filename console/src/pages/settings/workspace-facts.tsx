import { getSubscription } from '@whence/server/features/account/workspaces/contract.ts'
import { usePlace } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RemoveDemo } from './remove-demo.tsx'

export function WorkspaceFacts() {
  const { workspace, profile } = usePlace()
  const subscription = useRead(getSubscription, { params: { workspaceId: workspace.id } })
  return (
    <>
      <Card title="Workspace">
        <dl className="pairs">
          <dt>Name</dt>
          <dd>{workspace.name}</dd>
          <dt>Time zone</dt>
          <dd>{workspace.timezone.replaceAll('_', ' ')}</dd>
          <dt>Workspace id</dt>
          <dd>
            <code>{workspace.id}</code>
          </dd>
          <Loaded query={subscription} skeleton={null}>
            {({ data }) => (
              <>
                <dt>Plan</dt>
                <dd>
                  {sentence(data.plan)} · {sentence(data.status)}
                  {data.trial_ends_at ? ` until ${instantText(data.trial_ends_at)}` : ''}
                </dd>
                <dt>Profiles</dt>
                <dd>
                  {data.active_profiles.used} of {data.active_profiles.limit}
                </dd>
              </>
            )}
          </Loaded>
        </dl>
      </Card>
      <Card title={profile.name}>
        <dl className="pairs">
          <dt>Privacy</dt>
          <dd>{sentence(profile.privacy_mode)}</dd>
          <dt>Profile id</dt>
          <dd>
            <code>{profile.id}</code>
          </dd>
        </dl>
      </Card>
      {profile.is_demo ? <RemoveDemo /> : null}
    </>
  )
}
