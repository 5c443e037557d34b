import { useNavigate, useSearch } from '@tanstack/react-router'
import { basePath } from '../../base-path.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Usage } from './usage.tsx'
import { UserTokens } from './user-tokens.tsx'

export function Developers() {
  const { tab = 'keys' } = useSearch({ from: '/p/$profileId/developers' })
  const navigate = useNavigate({ from: '/p/$profileId/developers' })
  return (
    <Page
      title="Developers"
      note="Everything in this console is also available in the API."
      actions={
        <a href={`${basePath}/docs`} className={buttonClass()}>
          API reference
          <Icon name="external" size={15} />
        </a>
      }
    >
      <Tabs
        label="Developers"
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={[
          { value: 'keys', label: 'API keys', content: <ApiKeys /> },
          { value: 'tokens', label: 'User tokens', content: <UserTokens /> },
          { value: 'usage', label: 'Usage', content: <Usage /> },
        ]}
      />
    </Page>
  )
}
