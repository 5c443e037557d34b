import { useNavigate, useSearch } from '@tanstack/react-router'
import { listExportDestinations } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Audiences } from './audiences.tsx'
import { Catalog } from './catalog.tsx'
import { DataSources } from './data-sources.tsx'
import { DestinationForm } from './destination-form.tsx'
import { Destinations } from './destinations.tsx'
import { Ledger } from './ledger.tsx'
import { Runs } from './runs.tsx'

const REFRESH_MS = 5000

export function Exports() {
  const { tab = 'destinations' } = useSearch({ from: '/p/$profileId/exports' })
  const navigate = useNavigate({ from: '/p/$profileId/exports' })
  const [creating, setCreating] = useState(false)
  const destinations = useProfileRead(listExportDestinations, {}, { every: REFRESH_MS })
  const existing = destinations.data?.data ?? []
  return (
    <Page
      title="Conversions sent"
      note="Reports to ad platforms which clicks became sales, so that they bid better. Names and addresses are sent only as hashes."
      actions={
        // Before the first one, the button is in the middle of the page.
        tab === 'destinations' && destinations.data && existing.length === 0 ? null : (
          <Button kind="primary" onClick={() => setCreating(true)}>
            <Icon name="plus" size={16} />
            New destination
          </Button>
        )
      }
    >
      <Tabs
        label="Conversions sent"
        value={tab}
        onChange={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
        tabs={[
          {
            value: 'destinations',
            label: 'Destinations',
            content: <Destinations query={destinations} onCreate={() => setCreating(true)} />,
          },
          { value: 'conversions', label: 'Conversions', content: <Ledger destinations={existing} /> },
          { value: 'runs', label: 'Runs', content: <Runs destinations={existing} /> },
          {
            value: 'catalog',
            label: 'Data sharing',
            content: (
              <div className="stack">
                <Catalog />
                <DataSources />
              </div>
            ),
          },
          { value: 'audiences', label: 'Audiences', content: <Audiences /> },
        ]}
      />
      {creating ? <DestinationForm onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}
