import { useNavigate, useSearch } from '@tanstack/react-router'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Links } from './links.tsx'
import { MergeQueue } from './merge-queue.tsx'
import { PhoneRepairs } from './phone-repairs.tsx'
import { Repair } from './repair.tsx'

/** Identity review: merge proposals, links between identifiers, and repairs, all with undo. */
export function Identity() {
  const { tab = 'merge' } = useSearch({ from: '/p/$profileId/identity' })
  const navigate = useNavigate({ from: '/p/$profileId/identity' })
  return (
    <Page
      title="Identity"
      note="Credit follows people across devices and accounts. Here you decide who is the same person."
    >
      <Tabs
        label="Identity"
        value={tab}
        onChange={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
        tabs={[
          { value: 'merge', label: 'Merge queue', content: <MergeQueue /> },
          { value: 'links', label: 'Links', content: <Links /> },
          {
            value: 'repair',
            label: 'Repair',
            content: (
              <>
                <Repair />
                <PhoneRepairs />
              </>
            ),
          },
        ]}
      />
    </Page>
  )
}
