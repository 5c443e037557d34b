import { Dialog as Base } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export function Dialog({
  open,
  onClose,
  title,
  note,
  wide,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  note?: ReactNode
  wide?: boolean
  children: ReactNode
}) {
  const [opener] = useState(findOpener)
  const content = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Overlay className="overlay" />
        <Base.Content
          ref={content}
          className={wide ? 'dialog wide' : 'dialog'}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            firstControl(content.current!).focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            opener?.focus()
          }}
          {...(note ? {} : { 'aria-describedby': undefined })}
        >
          <div className="dialog-head">
            <div>
              <Base.Title asChild>
                <h2>{title}</h2>
              </Base.Title>
              {note ? (
                <Base.Description asChild>
                  <p>{note}</p>
                </Base.Description>
              ) : null}
            </div>
            <Base.Close asChild>
              <Button kind="quiet" icon aria-label="Close">
                <Icon name="close" />
              </Button>
            </Base.Close>
          </div>
          {children}
        </Base.Content>
      </Base.Portal>
    </Base.Root>
  )
}

/** The first field, else the first action button; never the close button. */
function firstControl(dialog: HTMLElement): HTMLElement {
  const fields = 'input, select, textarea'.replaceAll(/\w+/g, '$&:not([disabled])')
  return (
    dialog.querySelector<HTMLElement>(fields) ??
    dialog.querySelector<HTMLElement>('.form-actions button, a.button') ??
    dialog
  )
}

/** The element that gets the focus back: the focused one, or the button of its menu, because the menu is closed by then. */
function findOpener(): HTMLElement | null {
  const active = document.activeElement
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : (active as HTMLElement | null)
}
