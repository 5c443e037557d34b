import { useProfileContext } from '../../api/profile.ts'
import { sentence } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { RemoveDemo } from './remove-demo.tsx'

export function WorkspaceFacts() {
  const { workspace, profile } = useProfileContext()
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
