import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { getMe, sendVerification, signOut } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../api/call.ts'
import { useRead, useWrite } from '../api/queries.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { ChangeEmail } from './change-email.tsx'
import { ChangePassword } from './change-password.tsx'
import { readTheme, setTheme, themes } from './theme.ts'

export function UserMenu() {
  const me = useRead(getMe).data?.data
  const endSession = useWrite(signOut)
  const client = useQueryClient()
  const navigate = useNavigate()
  const [theme, choose] = useState(readTheme())
  const [changing, setChanging] = useState<'email' | 'password' | null>(null)
  const verification = useWrite(sendVerification)
  const toast = useToast()
  const verify = () =>
    verification.mutate(
      {},
      {
        onSuccess: () => toast('An email with a link is on its way'),
        onError: (error) => toast(messageOf(error)),
      },
    )
  const handleSignOut = () =>
    endSession.mutate(
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
        {me?.is_operator ? (
          <MenuItem onSelect={() => void navigate({ to: '/operator' })}>
            <Icon name="live" size={16} />
            Operator
          </MenuItem>
        ) : null}
        {me?.email_verified === false ? (
          <MenuItem onSelect={verify}>
            <Icon name="alert" size={16} />
            Verify email
          </MenuItem>
        ) : null}
        <MenuItem onSelect={() => void navigate({ to: '/account' })}>
          <Icon name="identity" size={16} />
          Sign-in
        </MenuItem>
        <MenuItem onSelect={() => setChanging('email')}>
          <Icon name="people" size={16} />
          Change email
        </MenuItem>
        <MenuItem onSelect={() => setChanging('password')}>
          <Icon name="key" size={16} />
          Change password
        </MenuItem>
        <MenuItem onSelect={handleSignOut}>
          <Icon name="out" size={16} />
          Sign out
        </MenuItem>
      </Menu>
      {changing === 'email' ? <ChangeEmail onClose={() => setChanging(null)} /> : null}
      {changing === 'password' ? <ChangePassword onClose={() => setChanging(null)} /> : null}
    </>
  )
}
