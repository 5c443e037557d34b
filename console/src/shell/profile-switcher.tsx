import { useMatches, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProfileContext } from '../api/profile.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx'
import { type NavPage, navPages } from './navigation.ts'
import { NewProfile } from './new-profile.tsx'
import { ProfileFinder } from './profile-finder.tsx'

/** With more profiles than this, the switch has a search. */
const MAX_LISTED = 7

export function ProfileSwitcher() {
  const { profile, profiles, workspace, workspaces } = useProfileContext()
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const page = useMatches({ select: (matches) => matches.at(-1)!.fullPath })
  /** Opens the same page of another profile, if the page does not depend on an id of this one. */
  const open = (profileId: string) => navigate({ to: pageWithoutIds(page), params: { profileId } })
  const groups = workspaces
    .map(({ id, name }) => ({
      id,
      name,
      profiles: profiles.filter((candidate) => candidate.workspace_id === id),
    }))
    .filter((group) => group.profiles.length > 0)
  const trigger = (
    <button type="button" className="switcher">
      <span className="sr-only">Profile</span>
      <span className="avatar" aria-hidden="true">
        {profile.name.slice(0, 2).toUpperCase()}
      </span>
      <span className="switcher-names">
        <strong>{profile.name}</strong>
        <span>{workspace.name}</span>
      </span>
      <Icon name="updown" size={16} />
    </button>
  )
  const toClients = () => void navigate({ to: '/p/$profileId/clients', params: { profileId: profile.id } })
  const dialog = creating ? (
    <NewProfile onClose={() => setCreating(false)} onCreated={(id) => void open(id)} />
  ) : null
  if (profiles.length > MAX_LISTED)
    return (
      <>
        <ProfileFinder
          trigger={trigger}
          currentId={profile.id}
          profiles={groups.flatMap((group) =>
            group.profiles.map(({ id, name, is_demo }) => ({
              id,
              label: name,
              workspace: group.name,
              isDemo: is_demo,
            })),
          )}
          onOpen={(id) => void open(id)}
          actions={[
            { label: 'All clients', run: toClients },
            { label: 'New profile', run: () => setCreating(true) },
            { label: 'New workspace', run: () => void navigate({ to: '/welcome' }) },
          ]}
        />
        {dialog}
      </>
    )
  return (
    <>
      <Menu align="start" matchWidth trigger={trigger}>
        {groups.map((group) => (
          <div key={group.id}>
            <MenuLabel>{group.name}</MenuLabel>
            {group.profiles.map((entry) => (
              <MenuItem key={entry.id} onSelect={() => void open(entry.id)}>
                <span className="grow">{entry.name}</span>
                {entry.is_demo ? <span className="badge">Demo</span> : null}
                {entry.id === profile.id ? <Icon name="check" size={16} /> : null}
              </MenuItem>
            ))}
          </div>
        ))}
        <MenuSeparator />
        {profiles.length > 1 ? (
          <MenuItem onSelect={toClients}>
            <Icon name="overview" size={16} />
            All clients
          </MenuItem>
        ) : null}
        <MenuItem onSelect={() => setCreating(true)}>
          <Icon name="plus" size={16} />
          New profile
        </MenuItem>
        <MenuItem onSelect={() => void navigate({ to: '/welcome' })}>
          <Icon name="plus" size={16} />
          New workspace
        </MenuItem>
      </Menu>
      {dialog}
    </>
  )
}

function pageWithoutIds(fullPath: string): NavPage['to'] {
  return navPages.find(({ to }) => to === fullPath)?.to ?? '/p/$profileId/overview'
}
