import { useNavigate } from '@tanstack/react-router'
import { comparePlatforms } from '@whence/sdk'
import { readAmountText } from '@whence/server/platform/contract/amounts.ts'
import { Dialog } from 'radix-ui'
import { useEffect, useState } from 'react'
import { useProfileContext, useProfileRead } from '../api/profile.ts'
import { useShare } from '../report/share.tsx'
import { useReport } from '../report/use-report.ts'
import { Finder } from '../ui/finder.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { type Command, matching } from './commands.ts'
import { navPages } from './navigation.ts'
import { setTheme } from './theme.ts'

/** Command palette: finds pages, campaigns, ads, profiles and actions. Opens on ⌘K or Ctrl K. */
export function CommandMenu() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" className="command-button" onClick={() => setOpen(true)}>
        <Icon name="search" size={16} />
        <span className="grow">Search</span>
        <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Portal>
          <Dialog.Overlay className="overlay" />
          <Dialog.Content className="dialog command-menu" aria-describedby={undefined}>
            <Dialog.Title className="sr-only">Search</Dialog.Title>
            <Palette onDone={() => setOpen(false)} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  )
}

function Palette({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('')
  const commands = useCommands()
  const results = [...matching(commands, text), ...usePersonSearch(text)]
  return (
    <Finder
      label="Search pages, campaigns, ads, people, amounts and actions"
      placeholder="Pages, campaigns, ads, a name, email, order or amount"
      text={text}
      onText={setText}
      listLabel="Results"
      options={results}
      onChoose={(command) => {
        onDone()
        command.run()
      }}
      empty="No results."
      autoFocus
    >
      {(command) => (
        <>
          <Icon name={command.icon as IconName} size={16} />
          <span className="grow">{command.label}</span>
          <span className="faint small">{command.group}</span>
        </>
      )}
    </Finder>
  )
}

/** Offers a search for people. It runs only when chosen, because each person shown is logged. */
function usePersonSearch(text: string): Command[] {
  const { profile } = useProfileContext()
  const navigate = useNavigate()
  const find = text.trim()
  if (find.length < 2) return []
  const params = { profileId: profile.id }
  const people: Command = {
    id: 'person',
    label: `Find customers: ${find}`,
    group: 'People',
    icon: 'people',
    run: () =>
      void navigate({ to: '/p/$profileId/customers', params, search: (before) => ({ ...before, find }) }),
  }
  if (readAmountText(find) === undefined) return [people]
  const paid: Command = {
    id: 'paid',
    label: `Payments of ${find}`,
    group: 'Payments',
    icon: 'payments',
    run: () =>
      void navigate({ to: '/p/$profileId/payments', params, search: (before) => ({ ...before, find }) }),
  }
  return [{ ...people, label: `Who paid ${find}?` }, paid]
}

function useCommands(): Command[] {
  const { profile, profiles } = useProfileContext()
  const { query } = useReport()
  const share = useShare()
  const navigate = useNavigate()
  const params = { profileId: profile.id }
  const campaigns = useProfileRead(comparePlatforms, { query: { ...query, level: 'campaign' } }).data?.data
    .rows
  const ads = useProfileRead(comparePlatforms, { query: { ...query, level: 'ad' } }).data?.data.rows
  const entities = (rows: typeof campaigns, group: string, key: 'campaign' | 'ad'): Command[] =>
    (rows ?? []).flatMap(({ entity_id, name, platform_id }) =>
      entity_id
        ? [
            {
              id: entity_id,
              label: name ?? platform_id ?? '',
              group,
              icon: 'campaigns',
              run: () =>
                void navigate({
                  to: '/p/$profileId/campaigns',
                  params,
                  search: (before) => ({
                    ...before,
                    campaign: undefined,
                    ad_set: undefined,
                    ad: undefined,
                    [key]: entity_id,
                  }),
                }),
            },
          ]
        : [],
    )
  return [
    ...navPages.map(({ to, label, icon }) => ({
      id: to.slice(to.lastIndexOf('/') + 1),
      label,
      group: 'Page',
      icon,
      run: () => void navigate({ to, params }),
    })),
    {
      id: 'help',
      label: 'Help',
      group: 'Page',
      icon: 'help',
      run: () => void navigate({ to: '/p/$profileId/help', params }),
    },
    {
      id: 'share',
      label: 'Copy a link to this page',
      group: 'Action',
      icon: 'copy',
      run: share,
    },
    { id: 'print', label: 'Print this page', group: 'Action', icon: 'download', run: () => print() },
    { id: 'light', label: 'Light theme', group: 'Action', icon: 'settings', run: () => setTheme('light') },
    { id: 'dark', label: 'Dark theme', group: 'Action', icon: 'settings', run: () => setTheme('dark') },
    ...profiles
      .filter(({ id, archived_at }) => id !== profile.id && archived_at === null)
      .map(({ id, name }) => ({
        id,
        label: name,
        group: 'Profile',
        icon: 'updown',
        run: () => void navigate({ to: '/p/$profileId/overview', params: { profileId: id } }),
      })),
    ...entities(campaigns, 'Campaign', 'campaign'),
    ...entities(ads, 'Ad', 'ad'),
  ]
}
