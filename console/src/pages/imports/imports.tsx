import { useNavigate, useSearch } from '@tanstack/react-router'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Sales } from './sales.tsx'
import { Spend } from './spend.tsx'

/** File imports of data that no connection provides. Every row is checked before anything is written. */
export function Imports() {
  const { tab = 'spend' } = useSearch({ from: '/p/$profileId/imports' })
  const navigate = useNavigate({ from: '/p/$profileId/imports' })
  return (
    <Page
      title="Imports"
      note="Import data that no connection provides. Every row is checked before anything is saved."
    >
      <Tabs
        label="Imports"
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={[
          { value: 'spend', label: 'Ad spend', content: <Spend /> },
          { value: 'sales', label: 'Offline sales', content: <Sales /> },
        ]}
      />
    </Page>
  )
}
