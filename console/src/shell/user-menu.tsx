import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { getMe, signOut } from '@whence/server/features/access/contract.ts'
import { useState } from 'react'
import { useRead, useWrite } from '../api/queries.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx'
import { ChangePassword } from './change-password.tsx'
import { readTheme, setTheme, themes } from './theme.ts'

export function UserMenu() {
  const me = useRead(getMe).data?.data
  const out = useWrite(signOut)
  const client = useQueryClient()
  const navigate = useNavigate()
  const [theme, choose] = useState(readTheme())
  const [changing, setChanging] = useState(false)
  const leave = () =>
    out.mutate(
      {},
      {
        onSettled: () => {
          client.clear()
          void navigate({ to: '/sign-in' })
        },
      },
    )
  return (
    <>
      <Menu
        align="start"
        matchWidth
        trigger={
          <button type="button" className="user-button">
            <span className="sr-only">Account</span>
            <span className="avatar round" aria-hidden="true">
              {(me?.name ?? '').slice(0, 1).toUpperCase()}
            </span>
            <span className="switcher-names">
              <strong>{me?.name ?? ' '}</strong>
              <span>{me?.email ?? ' '}</span>
            </span>
          </button>
        }
      >
        <MenuLabel>Theme</MenuLabel>
        {themes.map(({ value, label }) => (
          <MenuItem
            key={value}
            onSelect={() => {
              setTheme(value)
              choose(value)
            }}
          >
            <span className="grow">{label}</span>
            {theme === value ? <Icon name="check" size={16} /> : null}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => setChanging(true)}>
          <Icon name="key" size={16} />
          Change password
        </MenuItem>
        <MenuItem onSelect={leave}>
          <Icon name="out" size={16} />
          Sign out
        </MenuItem>
      </Menu>
      {changing ? <ChangePassword onClose={() => setChanging(false)} /> : null}
    </>
  )
}
