import type { ComponentProps } from 'react'

type ButtonStyle = { kind?: 'primary' | 'danger' | 'quiet'; small?: boolean; icon?: boolean; wide?: boolean }

export function buttonClass({ kind, small, icon, wide }: ButtonStyle = {}): string {
  return ['button', kind, small && 'small', icon && 'icon', wide && 'wide'].filter(Boolean).join(' ')
}

export function Button({
  kind,
  small,
  icon,
  wide,
  busy,
  disabled,
  ...rest
}: ComponentProps<'button'> & ButtonStyle & { busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ kind, small, icon, wide })}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    />
  )
}
